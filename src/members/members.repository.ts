import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import { LoggedTable } from '../platform/database/logged-table.js';
import { ownRowParameters } from '../platform/database/own-rows.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { MemberDto } from './dto/member.dto.js';
import type { MemberRef } from './member-sessions.repository.js';
import { Member } from './member.entity.js';
import { MEMBER_COLUMNS, type SignedInMember } from './signed-in-member.js';

// A restricted actor can access only members whose projects are all among its own.
const COVERED = `organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[])`;
const OWN = `${COVERED} AND id = $3`;
const ONE = 'organization_id = $1 AND id = $2';

/** A member with the hash of the password. */
export type MemberWithPassword = SignedInMember & Pick<Member, 'password_hash'>;

/** Columns of a member that an update can change. */
export type MemberPatch = Partial<Pick<Member, 'name' | 'role' | 'project_ids' | 'status'>>;

/** Reads and writes the table `members`. */
@Injectable()
export class MembersRepository {
  private readonly table: LoggedTable<Member, MemberDto>;

  constructor(
    @InjectRepository(Member) repository: Repository<Member>,
    private readonly runner: StatementRunner,
  ) {
    // All columns except password_hash.
    this.table = new LoggedTable(
      repository,
      runner,
      ['id', 'email', 'name', 'role', 'project_ids', 'status', 'last_seen_at', 'created_at', 'updated_at'],
      {
        created: 'member.created',
        updated: 'member.updated',
        deleted: 'member.deleted',
        project: null,
        hidden: ['email'],
      },
    );
  }

  /** Returns members, newest first. Uses `members_list_idx`. */
  async findNewest({ organization_id, project_ids }: ActorAccess, range: Range): Promise<Rows<MemberDto>> {
    return this.table.list(COVERED, [organization_id, project_ids], range);
  }

  async findOwn(access: ActorAccess, id: string): Promise<RawJson<MemberDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id));
  }

  async insert(
    actor: Actor,
    { id, email, name, role, project_ids }: Pick<Member, 'id' | 'email' | 'name' | 'role' | 'project_ids'>,
    manager: EntityManager,
  ): Promise<MemberDto> {
    const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    const fixed = { id, organization_id: actor.organization_id, created_at: now, updated_at: now };
    return this.table.insertBy(actor, fixed, { email, name, role, project_ids }, manager);
  }

  /** Locks a member, and returns what a change depends on. Undefined if it does not exist or its version is not the expected one. */
  async lockOwn(
    access: ActorAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<SignedInMember | undefined> {
    return this.table.lock(OWN, ownRowParameters(access, id), expected, MEMBER_COLUMNS, manager);
  }

  async patch(
    actor: Actor,
    id: string,
    patch: MemberPatch,
    manager: EntityManager,
  ): Promise<RawJson<MemberDto> | undefined> {
    return this.table.patchBy(actor, OWN, ownRowParameters(actor, id), patch, undefined, manager);
  }

  async deleteOwn(actor: Actor, id: string, manager: EntityManager): Promise<boolean> {
    return this.table.deleteBy(actor, OWN, ownRowParameters(actor, id), undefined, manager);
  }

  /** Returns the number of members of an organization, at most `limit`. The transaction has locked the organization. */
  async count(organizationId: string, limit: number, manager: EntityManager): Promise<number> {
    return this.runner.count(
      'SELECT FROM members WHERE organization_id = $1 LIMIT $2',
      [organizationId, limit],
      manager,
    );
  }

  /** Returns whether an organization has another active admin of all projects. The transaction has locked the organization. */
  async hasOtherAdmin({ organization_id, id }: MemberRef, manager: EntityManager): Promise<boolean> {
    const others = await this.runner.count(
      `SELECT FROM members
        WHERE organization_id = $1 AND id <> $2 AND role = 'admin' AND status = 'active' AND project_ids IS NULL
        LIMIT 1`,
      [organization_id, id],
      manager,
    );
    return others > 0;
  }

  async findOne({ organization_id, id }: MemberRef): Promise<SignedInMember | undefined> {
    const [member] = await this.runner.read<SignedInMember>(
      `SELECT ${MEMBER_COLUMNS} FROM members WHERE ${ONE}`,
      [organization_id, id],
    );
    return member;
  }

  /** Locks a member of any role against changes until the transaction ends. Sessions of the member can be read in the meantime. */
  async lockOne(
    { organization_id, id }: MemberRef,
    manager: EntityManager,
  ): Promise<MemberWithPassword | undefined> {
    const [member] = await this.runner.query<MemberWithPassword>(
      `SELECT ${MEMBER_COLUMNS}, password_hash FROM members WHERE ${ONE} FOR NO KEY UPDATE`,
      [organization_id, id],
      manager,
    );
    return member;
  }

  /** Returns the members with an address, at most `limit`, of all organizations, those who have signed in first. */
  async findByEmail(email: string, limit: number): Promise<SignedInMember[]> {
    return this.runner.read<SignedInMember>(
      `SELECT ${MEMBER_COLUMNS} FROM members
        WHERE email = $1 AND status <> 'disabled' ORDER BY status, created_at, id LIMIT $2`,
      [email, limit],
    );
  }

  /** Returns the members with an address who can sign in by password, at most `limit`, of all organizations. */
  async findWithPassword(email: string, limit: number): Promise<MemberWithPassword[]> {
    return this.runner.read<MemberWithPassword>(
      `SELECT ${MEMBER_COLUMNS}, password_hash FROM members
        WHERE email = $1 AND status = 'active' AND password_hash IS NOT NULL ORDER BY created_at, id LIMIT $2`,
      [email, limit],
    );
  }

  /** Returns the hash of a member's password; null: the member does not exist, or lacks a password. */
  async findPassword({ organization_id, id }: MemberRef): Promise<string | null> {
    const [member] = await this.runner.read<Pick<Member, 'password_hash'>>(
      `SELECT password_hash FROM members WHERE ${ONE}`,
      [organization_id, id],
    );
    return member?.password_hash ?? null;
  }

  /** Makes an invited member active. The transaction has locked the member. */
  async activate({ organization_id, id }: MemberRef, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `UPDATE members SET status = 'active', updated_at = ${NEXT_VERSION} WHERE ${ONE}`,
      [organization_id, id],
      manager,
    );
  }

  /** Stores the hash of a password. The transaction has locked the member. */
  async setPassword({ organization_id, id }: MemberRef, hash: string, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `UPDATE members SET password_hash = $3, updated_at = updated_at WHERE ${ONE}`,
      [organization_id, id, hash],
      manager,
    );
  }

  /** Notes that a member uses the console now. The version stays the same, so that no concurrent change fails because of it. */
  async noteSeen({ organization_id, id }: MemberRef): Promise<void> {
    await this.runner.query(
      `UPDATE members SET last_seen_at = clock_timestamp(), updated_at = updated_at WHERE ${ONE}`,
      [organization_id, id],
    );
  }
}
