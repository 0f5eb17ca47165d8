import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';

/** Maximum length of a URL, as sent and as stored. */
export const MAX_URL_LENGTH = 2_048;

const FORM = /^https?:\/\/[^\s/?#]/i;

/**
 * The URL of a webhook endpoint. The DTO contains it as the WHATWG URL Standard serializes it, so that the stored URL is the one that
 * is called. `EndpointRules` checks what depends on the configuration.
 */
export const EndpointUrl = (options: FieldOptions) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? serialized(value) : value)),
    Field(checkUrl, options, {
      type: 'string',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
      minLength: 1,
      maxLength: MAX_URL_LENGTH,
    }),
  );

/** Returns the serialized URL, or the text itself if it is invalid, so that {@link checkUrl} reports it. */
function serialized(text: string): string {
  if (text.length > MAX_URL_LENGTH || !isPlain(text) || !FORM.test(text) || !URL.canParse(text)) return text;
  const { href, username, password } = new URL(text);
  // An empty user, as in `https://@example.com`, is not in the serialized URL.
  return username || password || authorityOf(text).includes('@') ? text : href;
}

function checkUrl(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  if (value.length > MAX_URL_LENGTH)
    return [inputError('too_long', `must have 1 to ${MAX_URL_LENGTH} characters`)];
  if (!isPlain(value) || !FORM.test(value) || !URL.canParse(value))
    return [inputError('invalid_format', 'must be an absolute URL with https')];
  if (authorityOf(value).includes('@'))
    return [inputError('invalid_format', 'must not contain a user or a password')];
  return value.includes('#') ? [inputError('invalid_format', 'must not contain a fragment')] : [];
}

function authorityOf(url: string): string {
  return url.split(/[/?#]/)[2] ?? '';
}

/** Returns whether a text contains no white space, control characters, invisible characters, backslashes or lone surrogates. */
function isPlain(url: string): boolean {
  return url.isWellFormed() && !/[\s\p{Cc}\p{Cf}"<>\\]/u.test(url);
}
