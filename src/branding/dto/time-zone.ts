import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';

const MAX_LENGTH = 64;

/** Names begin with a letter. Newer versions of Node.js also accept offsets such as `+01:00`. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** A time zone of the IANA database, by its name, unchanged. */
export const TimeZone = (options: FieldOptions) =>
  Field(checkTimeZone, options, {
    type: 'string',
    pattern: NAME.source,
    minLength: 1,
    maxLength: MAX_LENGTH,
  });

function checkTimeZone(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  const isKnown = isTimeZone(value);
  return isKnown
    ? []
    : [inputError('invalid_format', 'must be the name of a time zone, such as Europe/Berlin or UTC')];
}

/** Returns whether a text is the name of a time zone in the IANA database. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_LENGTH || !NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
