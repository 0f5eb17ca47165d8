import { type FieldError, pointerTo, Problem } from '../problems/problem.js';

/**
 * Checks the values of a page that are unique in the installation.
 * @throws Problem 409 `conflict` with an error for each field that another page has
 */
export function throwIfAnyTaken(taken: { slug: boolean; custom_domain: boolean }): void {
  const errors = (['slug', 'custom_domain'] as const)
    .filter((field) => taken[field])
    .map((field): FieldError => ({ code: 'taken', detail: 'is already taken', pointer: pointerTo([field]) }));
  if (errors.length === 0) return;
  throw new Problem('conflict', { detail: 'Another page already has a value that must be unique', errors });
}
