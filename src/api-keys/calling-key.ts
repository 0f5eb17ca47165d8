import type { Actor, CurrentApiKey } from '../platform/auth/actor.js';
import { insufficientScope } from '../platform/auth/scope.guard.js';
import type { Scope } from '../platform/auth/scopes.js';
import { type FieldError, Problem } from '../platform/problems/problem.js';

/** @throws Problem 403 `forbidden` if the actor is not a key */
export function requireApiKey(actor: Actor): CurrentApiKey {
  if (actor.type === 'api_key') return actor;
  throw new Problem('forbidden', { detail: 'Only API keys can use this operation' });
}

/**
 * Returns the IDs of the keys to lock while an actor passes on parts of its rights: the calling key, and the first key of its
 * rotations, which the response to an idempotent request references. Empty for other actors.
 */
export function keysOf(actor: Actor): string[] {
  return actor.type === 'api_key' ? [actor.lineage, actor.id] : [];
}

/** Returns whether one expiry is later than another; null: never. */
export function outlives(end: Date | null, limit: Date | null): boolean {
  return limit !== null && (end === null || end > limit);
}

/**
 * @param pointer the location of the scopes in the body
 * @throws Problem 403 `insufficient_scope` for scopes that the actor lacks
 */
export function requireScopes(actor: Pick<Actor, 'scopes'>, scopes: Scope[], pointer?: '#/scopes'): void {
  const missing = scopes.filter((scope) => !actor.scopes.includes(scope));
  if (missing.length === 0) return;
  const detail = `The calling key cannot grant scopes that it lacks: ${missing.join(', ')}`;
  const errors =
    pointer &&
    missing.map((scope): FieldError => ({
      code: 'not_granted',
      detail: `is not a scope of the calling key: ${scope}`,
      pointer: `${pointer}/${scopes.indexOf(scope)}`,
    }));
  throw insufficientScope(missing, detail, errors);
}
