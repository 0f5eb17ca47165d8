import type { Actor, CurrentApiKey } from '../platform/auth/actor.js';
import { insufficientScope } from '../platform/auth/scope.guard.js';
import type { Scope } from '../platform/auth/scopes.js';
import { type FieldError, Problem } from '../platform/problems/problem.js';

/** @throws Problem 403 `forbidden` if the actor is not a key. A key passes on parts of itself, and is locked in the meantime. */
export function requireApiKey(actor: Actor): CurrentApiKey {
  if (actor.type === 'api_key') return actor;
  throw new Problem('forbidden', { detail: 'Only API keys can use this operation' });
}

/** Returns whether one expiry is later than another; null: never. */
export function outlives(end: Date | null, limit: Date | null): boolean {
  return limit !== null && (end === null || end > limit);
}

/**
 * @param pointer the location of the scopes in the body
 * @throws Problem 403 `insufficient_scope` for scopes that the calling key lacks
 */
export function requireScopes(key: CurrentApiKey, scopes: Scope[], pointer?: '#/scopes'): void {
  const missing = scopes.filter((scope) => !key.scopes.includes(scope));
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
