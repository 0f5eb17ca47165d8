import { type ActorAccess, type Actor, canAccessProject, endOf } from '../platform/auth/actor.js';
import { insufficientScope } from '../platform/auth/scope.guard.js';
import { type FieldError, pointerTo, Problem, validationFailed } from '../platform/problems/problem.js';
import { type Role, scopesOf } from './roles.js';

/** @throws Problem 403 `insufficient_scope` for a role with scopes that the actor lacks */
export function requireScopesOf(actor: Pick<Actor, 'scopes'>, role: Role): void {
  const missing = scopesOf(role).filter((scope) => !actor.scopes.includes(scope));
  if (missing.length === 0) return;
  const detail = `The role ${role} has scopes that you lack: ${missing.join(', ')}`;
  const error: FieldError = {
    code: 'not_granted',
    detail: 'is a role with scopes that you lack',
    pointer: '#/role',
  };
  throw insufficientScope(missing, detail, [error]);
}

/**
 * A member has no end, and could give its rights to the holder of a key after the key has expired.
 * @throws Problem 403 `forbidden` for a key that expires
 */
export function requireNoExpiry(actor: Actor): void {
  if (endOf(actor) === null) return;
  throw new Problem('forbidden', {
    detail: 'A key that expires cannot give rights to members, who have no end',
  });
}

/**
 * @param existing the projects of `projectIds` that exist
 * @throws Problem 400 `validation_failed` for projects that the actor cannot access
 */
export function requireProjects(
  access: ActorAccess,
  projectIds: string[] | null,
  existing: ReadonlySet<string>,
): void {
  if (projectIds === null) {
    if (access.project_ids === null) return;
    const detail = 'must not be null because you are restricted to some projects';
    throw validationFailed([{ code: 'not_granted', detail, pointer: '#/project_ids' }]);
  }
  const errors = projectIds.flatMap((id, index): FieldError[] => {
    if (canAccessProject(access, id) && existing.has(id)) return [];
    const detail = 'is not a project that you can access';
    return [{ code: 'unknown_project', detail, pointer: pointerTo(['project_ids', index]) }];
  });
  if (errors.length > 0) throw validationFailed(errors);
}
