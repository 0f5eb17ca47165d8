import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { type Actor, type ActorAccess, canAccessProject, memberIdOf } from '../platform/auth/actor.js';
import { ApiKeyAuthenticator } from '../platform/auth/api-key-authenticator.js';
import { insufficientScope } from '../platform/auth/scope.guard.js';
import { Env } from '../platform/config/env.js';
import { canSendMail } from '../platform/config/mail-env.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import { writeUnique } from '../platform/database/unique-writes.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { type ListPage, type ListQuery, readListPage } from '../platform/pagination/list-page.js';
import { notFound, Problem, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import { taken } from '../platform/problems/taken.js';
import { ProjectsService } from '../projects/projects.service.js';
import { AddressMails } from '../subscribers/address-mails.js';
import { emailKey } from '../subscribers/email-address.js';
import type { CreateMemberDto } from './dto/create-member.dto.js';
import type { MemberDto } from './dto/member.dto.js';
import type { UpdateMemberDto } from './dto/update-member.dto.js';
import { requireNoExpiry, requireProjects, requireScopesOf } from './granted.js';
import { INVITATION, MEMBER_CHANNEL } from './mail-kinds.js';
import { MemberLinksRepository } from './member-links.repository.js';
import { type MemberRef, MemberSessionsRepository } from './member-sessions.repository.js';
import { MembersRepository } from './members.repository.js';
import { MemberPasskeysRepository } from './member-passkeys.repository.js';
import { scopesOf } from './roles.js';
import { actorOf, type SignedInMember } from './signed-in-member.js';

/** Maximum number of members of an organization. */
export const MAX_MEMBERS = 1_000;

/** Fields whose change ends the sessions of a member. */
const RIGHTS = ['role', 'project_ids', 'status'] as const;

/** Manages members. `MemberSessions` and `SignIn` let them in. */
@Injectable()
export class MembersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MembersRepository,
    private readonly sessions: MemberSessionsRepository,
    private readonly links: MemberLinksRepository,
    private readonly passkeys: MemberPasskeysRepository,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly deliveries: DeliveriesService,
    private readonly joined: JoinedTransaction,
    private readonly env: Env,
    private readonly mails: AddressMails,
  ) {}

  /** Lists the members that the actor can access, newest first. */
  async list(access: ActorAccess, query: ListQuery): Promise<ListPage<MemberDto>> {
    const list = { name: 'members', owner_id: access.organization_id };
    return readListPage(list, query, (range) => this.repository.findNewest(access, range));
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string): Promise<RawJson<MemberDto>> {
    const member = await this.repository.findOwn(access, id);
    if (!member) throw notFound('member');
    return member;
  }

  /**
   * Invites a member with at most the scopes and projects of the actor, and sends an invitation if the instance can send mail.
   * @throws Problem 403 `insufficient_scope` for a role with scopes that the actor lacks; 403 `forbidden` for a key that expires;
   * 400 `validation_failed` for projects that it cannot access; 409 `conflict` if the organization has a member with this address, or {@link MAX_MEMBERS}
   */
  async create(actor: Actor, newMember: CreateMemberDto): Promise<MemberDto> {
    const { name, role, project_ids: requested } = newMember;
    const { organization_id } = actor;
    const [id, email] = [uuidv7(), emailKey(newMember.email)];
    const existing = await this.existing(actor, requested ?? []);
    const create = () =>
      this.dataSource.transaction(async (manager) => {
        const current = await this.lockActor(actor, manager);
        const project_ids = requested === undefined ? current.project_ids : requested;
        requireNoExpiry(current);
        requireScopesOf(current, role);
        requireProjects(current, project_ids, requested ? existing : new Set(project_ids));
        if ((await this.repository.count(organization_id, MAX_MEMBERS, manager)) >= MAX_MEMBERS) {
          const detail = `The organization has ${MAX_MEMBERS} members, which is the maximum. Delete an unused one.`;
          throw new Problem('conflict', { detail });
        }
        const member = await this.repository.insert(actor, { id, email, name, role, project_ids }, manager);
        await this.invite({ organization_id, id, email }, manager);
        return member;
      });
    return writeUnique(this.joined, create, () => {
      throw taken(['email'], 'The organization has a member with this address');
    });
  }

  /** Creates a member of the actor's organization, without an invitation and a limit on their number. */
  async createIn(
    actor: Actor,
    {
      id = uuidv7(),
      email,
      name,
      role,
    }: Pick<CreateMemberDto, 'email' | 'name' | 'role'> & { id?: string | undefined },
    manager: EntityManager,
  ): Promise<MemberRef> {
    const member = { id, email: emailKey(email), name, role, project_ids: null };
    await this.repository.insert(actor, member, manager);
    return { organization_id: actor.organization_id, id };
  }

  /**
   * Sends an invitation if the instance can send mail, and the address has not had too much of it. Otherwise, the member can request a
   * link. It belongs to no project, so the organization takes the place of one.
   */
  private async invite(
    { organization_id, id, email }: MemberRef & { email: string },
    manager: EntityManager,
  ): Promise<void> {
    if (!canSendMail(this.env)) return;
    if ((await this.mails.addLink(email, manager)) !== undefined) return;
    const place = { organization_id, project_id: organization_id };
    await this.deliveries.enqueue(
      [{ ...place, channel: MEMBER_CHANNEL, kind: INVITATION, recipient_id: id }],
      manager,
    );
  }

  /**
   * Updates a member. Omitted fields keep their values. A change of rights ends the sessions of the member.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`; 403 and 400 as {@link create}; 409 `conflict` if the organization would
   * have no active admin any more
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateMemberDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<MemberDto>> {
    const existing = await this.existing(actor, patch.project_ids ?? []);
    const updated = await this.dataSource.transaction(async (manager) => {
      const current = await this.lockActor(actor, manager);
      const before = await this.repository.lockOwn(current, id, expected, manager);
      if (!before) return undefined;
      const after: SignedInMember = { ...before, ...patch };
      if (patch.role !== undefined || patch.project_ids !== undefined || patch.status === 'active') {
        requireScopesOf(current, after.role);
        requireNoExpiry(current);
      }
      if (patch.project_ids !== undefined) requireProjects(current, patch.project_ids, existing);
      if (isOwner(before) && !isOwner(after)) await this.requireOtherAdmin(before, manager);
      const written = await this.repository.patch({ ...actor, ...accessOf(current) }, id, patch, manager);
      if (written && haveRightsChanged(before, after)) await this.endAll(after, manager);
      return written;
    });
    return updated ?? throwNotFoundOrPreconditionFailed('member', this.repository.findOwn(actor, id));
  }

  /**
   * Deletes a member, which ends all sessions of the member.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`; 409 `conflict` for the last active admin
   */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    const isDeleted = await this.dataSource.transaction(async (manager) => {
      const current = await this.lockActor(actor, manager);
      const before = await this.repository.lockOwn(current, id, expected, manager);
      if (!before) return false;
      if (isOwner(before)) await this.requireOtherAdmin(before, manager);
      return this.repository.deleteOwn({ ...actor, ...accessOf(current) }, id, manager);
    });
    if (!isDeleted) await throwNotFoundOrPreconditionFailed('member', this.repository.findOwn(actor, id));
  }

  /** Returns a member who is not disabled, or undefined. */
  async findEnabled(member: MemberRef): Promise<SignedInMember | undefined> {
    const found = await this.repository.findOne(member);
    return found?.status === 'disabled' ? undefined : found;
  }

  /** Returns the members with an address who are not disabled, in one or all organizations. Only for the administrator (the CLI). */
  async findForAdministrator(email: string, organization_id?: string): Promise<SignedInMember[]> {
    const found = await this.repository.findByEmail(emailKey(email), MAX_ORGANIZATIONS);
    const isWanted = (member: SignedInMember) =>
      organization_id === undefined || member.organization_id === organization_id;
    return found.filter((member) => isWanted(member));
  }

  /**
   * Locks the organization, so that changes of its members wait for each other, and then the actor, whose rights may have changed since
   * the request began.
   * @returns the actor with its present rights
   * @throws Problem 401 `invalid_api_key` or 403 `insufficient_scope` if it cannot manage members any more
   */
  private async lockActor(actor: Actor, manager: EntityManager): Promise<Actor> {
    await this.organizations.lock(actor.organization_id, manager);
    const memberId = memberIdOf(actor);
    if (memberId === undefined) return this.authenticator.lockActor(actor, manager);
    const { organization_id, request_id } = actor;
    const member = await this.repository.lockOne({ organization_id, id: memberId }, manager);
    if (member?.status !== 'active' || !scopesOf(member.role).includes('members:write'))
      throw insufficientScope(['members:write']);
    return actorOf(member, request_id);
  }

  private async requireOtherAdmin(member: SignedInMember, manager: EntityManager): Promise<void> {
    if (await this.repository.hasOtherAdmin(member, manager)) return;
    throw new Problem('conflict', {
      detail: 'The member is the last active admin of all projects. Make another member an admin first.',
    });
  }

  /** Ends the sessions and links of a member. A disabled one also loses the passkeys. */
  private async endAll(member: SignedInMember, manager: EntityManager): Promise<void> {
    await this.sessions.deleteOf(member, null, manager);
    await this.links.deleteOf(member, manager);
    if (member.status === 'disabled') await this.passkeys.deleteOf(member, manager);
  }

  private async existing(actor: Actor, ids: string[]): Promise<Set<string>> {
    const accessible = ids.filter((id) => canAccessProject(actor, id));
    return this.projects.existing(actor.organization_id, accessible);
  }
}

/** Maximum number of organizations of a person. */
const MAX_ORGANIZATIONS = 100;

const accessOf = ({ organization_id, project_ids }: Actor): ActorAccess => ({ organization_id, project_ids });

/** Returns whether a member can manage the whole organization. */
function isOwner({ role, status, project_ids }: SignedInMember): boolean {
  return role === 'admin' && status === 'active' && project_ids === null;
}

function haveRightsChanged(before: SignedInMember, after: SignedInMember): boolean {
  return RIGHTS.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
