import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';

/** Maximum length of a URL. */
export const MAX_URL_LENGTH = 2_000;

const WEB = /^https?:\/\/[^\s/?#]/;
const WEB_OR_MAIL = /^(https?:\/\/[^\s/?#]|mailto:[^\s@]+@[^\s@]+$)/;

/** An absolute URL with `http` or `https`, unchanged. Can contain characters that are not ASCII. */
export const WebUrl = (options: FieldOptions) =>
  Field(
    (value) => checkUrl(value, WEB, 'must be an absolute URL with http or https'),
    options,
    schemaOf(WEB),
  );

/** A URL like {@link WebUrl}, or an email address as `mailto:` URL. */
export const ContactUrl = (options: FieldOptions) =>
  Field((value) => checkUrl(value, WEB_OR_MAIL, CONTACT_FORM), options, schemaOf(WEB_OR_MAIL));

const CONTACT_FORM = 'must be an absolute URL with http or https, or mailto: with an email address';

function schemaOf(pattern: RegExp) {
  return { type: 'string', pattern: pattern.source, minLength: 1, maxLength: MAX_URL_LENGTH } as const;
}

function checkUrl(value: unknown, pattern: RegExp, form: string): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  if (value.length > MAX_URL_LENGTH)
    return [inputError('too_long', `must have 1 to ${MAX_URL_LENGTH} characters`)];
  if (!isPlain(value) || !pattern.test(value) || !URL.canParse(value))
    return [inputError('invalid_format', form)];
  const { username, password } = new URL(value);
  return username || password ? [inputError('invalid_format', 'must not contain a user or a password')] : [];
}

/** Returns whether a text contains no white space, control characters, invisible characters or lone surrogates. */
function isPlain(url: string): boolean {
  return url.isWellFormed() && !/[\s\p{Cc}\p{Cf}"<>\\]/u.test(url);
}
