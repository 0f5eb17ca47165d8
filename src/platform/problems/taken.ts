import { type FieldError, pointerTo, Problem } from './problem.js';

/**
 * Returns a 409 `conflict` with an error for each field whose value another resource uses.
 *
 *     throw taken(['slug'], 'Another status page, or the service itself, already uses a value that must be unique');
 */
export function taken(fields: readonly string[], detail: string): Problem {
  const errors = fields.map((field): FieldError => ({
    code: 'taken',
    detail: 'is already taken',
    pointer: pointerTo([field]),
  }));
  return new Problem('conflict', { detail, errors });
}
