import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';
import { checkSlug, SLUG_SCHEMA } from '../../platform/validation/slug.js';
import { RESERVED_SLUGS } from '../slug.js';

/** Slug of a status page: a slug that is not a reserved word. */
export const PageSlug = (options: FieldOptions) => Field(checkPageSlug, options, SLUG_SCHEMA);

function checkPageSlug(value: unknown): InputError[] {
  if (typeof value === 'string' && RESERVED_SLUGS.has(value))
    return [inputError('reserved', 'is a reserved word; see the description of `slug` in /openapi.json')];
  return checkSlug(value);
}
