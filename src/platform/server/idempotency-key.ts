import type { IncomingMessage } from 'node:http';
import type { FieldError } from '../problems/problem.js';

/** Maximum length of a key in characters, the same as Stripe's. */
export const MAX_KEY_LENGTH = 255;

const HEADER = 'idempotency-key';

type Head = Pick<IncomingMessage, 'headersDistinct'>;

/**
 * Returns the key in the header `Idempotency-Key`, with or without double quotes. draft-ietf-httpapi-idempotency-key-header
 * uses a string of structured fields (RFC 9651, section 3.3.3), Stripe uses the plain characters.
 * @returns undefined without a header, or with one that {@link idempotencyKeyErrors} reports
 */
export function idempotencyKeyOf({ headersDistinct }: Head): string | undefined {
  const values = headersDistinct[HEADER];
  return values?.length === 1 ? parse(values[0] ?? '') : undefined;
}

/** Returns the errors of the header, such as a key of 256 characters, or two keys. */
export function idempotencyKeyErrors({ headersDistinct }: Head): FieldError[] {
  const values = headersDistinct[HEADER] ?? [];
  const parameter = 'Idempotency-Key';
  if (values.length > 1)
    return [{ code: 'repeated_parameter', detail: 'The header can be sent only once', parameter }];
  const detail = `must have 1 to ${MAX_KEY_LENGTH} printable ASCII characters`;
  return values.some((value) => parse(value) === undefined)
    ? [{ code: 'invalid_format', detail, parameter }]
    : [];
}

function parse(value: string): string | undefined {
  const key = unquote(value);
  return /^[\x20-\x7e]+$/.test(key) && key.length <= MAX_KEY_LENGTH ? key : undefined;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  const [, quoted = ''] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value) ?? [];
  return quoted.replaceAll(/\\(["\\])/g, '$1');
}
