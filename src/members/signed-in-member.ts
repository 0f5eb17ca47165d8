import type { Actor, MemberActor } from '../platform/auth/actor.js';
import type { Member } from './member.entity.js';
import { scopesOf } from './roles.js';

/** Member of a session: identity and rights. */
export type SignedInMember = Pick<
  Member,
  'id' | 'organization_id' | 'email' | 'name' | 'role' | 'project_ids' | 'status'
>;

/** Columns of a {@link SignedInMember}. */
export const MEMBER_COLUMNS = 'id, organization_id, email, name, role, project_ids, status';

/** The browser that signs in. */
export interface SignInClient {
  /** Client network of the request, see `AttemptLimits.networkOf`. */
  network: string;
  /** Header `User-Agent`. Its beginning is stored. */
  user_agent: string;
  /** ID of the request. */
  request_id: string | null;
}

/** Returns the actor of a member in the console. */
export function actorOf(
  { id, organization_id, name, role, project_ids }: SignedInMember,
  request_id: string | null,
): MemberActor & Actor {
  const scopes = scopesOf(role);
  return { type: 'member', id, organization_id, name, scopes, project_ids, via: 'console', request_id };
}
