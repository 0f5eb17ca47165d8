import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';
import { RESERVED_SLUGS, SLUG } from '../slug.js';

export const Slug = (options: FieldOptions) =>
  Field(checkSlug, options, { type: 'string', pattern: SLUG.source, minLength: 1, maxLength: 63 });

function checkSlug(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  if (value.length > 63) return [inputError('too_long', 'must have 1 to 63 characters')];
  if (!SLUG.test(value))
    return [
      inputError('invalid_format', 'must be lower-case letters and digits, in parts joined by single "-"'),
    ];
  return RESERVED_SLUGS.has(value)
    ? [inputError('reserved', 'is a reserved word; see the description of `slug` in /openapi.json')]
    : [];
}
