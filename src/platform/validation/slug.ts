import { Field, type FieldOptions, inputError, type InputError } from './field.js';

/** Format of a slug. The length is checked separately. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Maximum length of a slug, as of a DNS label, because a slug can be a subdomain. */
export const MAX_SLUG_LENGTH = 63;

/** JSON Schema of a slug. */
export const SLUG_SCHEMA = {
  type: 'string',
  pattern: SLUG.source,
  minLength: 1,
  maxLength: MAX_SLUG_LENGTH,
} as const;

/** A short name of lower-case letters and digits, in parts joined by single hyphens: `acme-cloud`. */
export const Slug = (options: FieldOptions) => Field(checkSlug, options, SLUG_SCHEMA);

/** Returns whether a value is a slug. */
export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_SLUG_LENGTH && SLUG.test(value);
}

/** Checks a slug outside of a DTO. */
export function checkSlug(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  if (value.length > MAX_SLUG_LENGTH) return [inputError('too_long', 'must have 1 to 63 characters')];
  if (SLUG.test(value)) return [];
  return [
    inputError('invalid_format', 'must be lower-case letters and digits, in parts joined by single "-"'),
  ];
}

/** Appends a suffix to a slug, and shortens the slug so that both have at most `max` characters. */
export function withSuffix(slug: string, suffix: string, max = MAX_SLUG_LENGTH): string {
  return slug.slice(0, max - suffix.length).replace(/(?<!-)-+$/, '') + suffix;
}

/**
 * Returns slugs in which each duplicate has a number. Shortens long ones.
 *
 *     numberDuplicates(['api', 'web', 'api'])    ['api', 'web', 'api-2']
 *
 * @param used slugs that cannot be returned
 */
export function numberDuplicates(
  slugs: readonly string[],
  { max = MAX_SLUG_LENGTH, used = [] }: { max?: number; used?: Iterable<string> } = {},
): string[] {
  const taken = new Set(used);
  const numbers = new Map<string, number>(); // keeps the time linear for many duplicates
  return slugs.map((slug) => {
    const base = withSuffix(slug, '', max);
    let number = numbers.get(base) ?? 1;
    let unique = base;
    while (taken.has(unique)) unique = withSuffix(base, `-${(number += 1)}`, max);
    numbers.set(base, number);
    taken.add(unique);
    return unique;
  });
}
