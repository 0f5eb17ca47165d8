import { type Scope, SCOPES } from '../platform/auth/scopes.js';

/** Roles of members, from the fewest rights to all. */
export const ROLES = ['viewer', 'responder', 'editor', 'admin'] as const;

export type Role = (typeof ROLES)[number];

const VIEWER = SCOPES.filter((scope) => scope.endsWith(':read'));

const RESPONDER: Scope[] = [...VIEWER, 'incidents:write', 'maintenances:write', 'monitor_reports:write'];

const EDITOR: Scope[] = [...RESPONDER, 'status_pages:write', 'monitors:write', 'subscribers:write'];

const SCOPES_OF: Record<Role, readonly Scope[]> = {
  viewer: VIEWER,
  responder: RESPONDER,
  editor: EDITOR,
  admin: SCOPES,
};

/** Returns the scopes of a role. Each role includes the scopes of the role before. */
export function scopesOf(role: Role): Scope[] {
  return [...SCOPES_OF[role]];
}
