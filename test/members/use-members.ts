import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/members/roles.js';
import { MemberLinks } from '../../src/members/member-links.js';
import { MemberSessions, type CurrentSession } from '../../src/members/member-sessions.js';
import { MembersService } from '../../src/members/members.service.js';
import type { SignedInMember } from '../../src/members/signed-in-member.js';
import type { MemberDto } from '../../src/members/dto/member.dto.js';
import { actorIn } from '../support/actors.js';
import type { Answer, One, Tenant, TestServer, Wire } from '../support/server.js';

export type WireMember = Wire<MemberDto>;

/** A browser that signs in. */
export const CLIENT = { network: '192.0.2.1', user_agent: 'Firefox', request_id: null };

let networks = 0;
/** A browser in a network of its own. */
export const clientOfNewNetwork = () => ({ ...CLIENT, network: `198.51.100.${(networks += 1)}` });

export const newEmail = (): string => `${randomUUID().slice(-12)}@example.com`;

/** Members of a tenant, and their sessions. */
export function useMembers(server: TestServer, tenant: Tenant) {
  const links = () => server.app.get(MemberLinks);
  const sessions = () => server.app.get(MemberSessions);

  /** An active member. */
  async function member(
    role: Role = 'admin',
    {
      project_ids = null as string[] | null,
      organization_id = tenant.organization_id,
      email = newEmail(),
    } = {},
  ): Promise<SignedInMember> {
    const { id } = await server.app
      .get(MembersService)
      .create(actorIn(organization_id), { email, name: `A ${role}`, role, project_ids });
    const used = await links().use(await links().create({ organization_id, id }));
    if (!used) throw new Error('the link does not work');
    return used;
  }

  /** The token of a new session of a member. */
  async function signIn(one: SignedInMember): Promise<string> {
    const started = await sessions().start(one, CLIENT);
    if (!started) throw new Error('no session was started');
    return started.token;
  }

  return {
    links,
    sessions,
    member,
    signIn,
    find: (token: string): Promise<CurrentSession | undefined> => sessions().find(token),
    post: (json: unknown, key = tenant.key): Promise<Answer<One<WireMember>>> =>
      server.ask('/v1/members', { method: 'POST', key, json }),
    get: (id: string, key = tenant.key): Promise<Answer<One<WireMember>>> =>
      server.ask(`/v1/members/${id}`, { key }),
    patch: (id: string, json: unknown, key = tenant.key): Promise<Answer<One<WireMember>>> =>
      server.ask(`/v1/members/${id}`, { method: 'PATCH', key, json }),
    remove: (id: string, key = tenant.key): Promise<Answer> =>
      server.ask(`/v1/members/${id}`, { method: 'DELETE', key }),
  };
}
