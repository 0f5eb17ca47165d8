import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { MemberRef } from './member-sessions.repository.js';
import type { SignedInMember } from './signed-in-member.js';
import type { MemberPasskey } from './member-passkey.entity.js';

/** A passkey in the list of a member. */
export type ListedPasskey = Pick<
  MemberPasskey,
  'id' | 'name' | 'credential' | 'transports' | 'created_at' | 'last_used_at'
>;

/** A passkey with its active member. */
export type FoundPasskey = SignedInMember &
  Pick<MemberPasskey, 'credential' | 'public_key' | 'counter'> & { passkey_id: string };

/** Columns of a new passkey. */
export type NewPasskey = Pick<MemberPasskey, 'id' | 'credential' | 'public_key' | 'transports' | 'name'> & {
  counter: number;
};

const OF_MEMBER = 'organization_id = $1 AND member_id = $2';

/**
 * Reads and writes the table `member_passkeys`, and the challenges of new passkeys in `member_sessions`. Uses the database clock, which
 * all processes share.
 */
@Injectable()
export class MemberPasskeysRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the passkeys of a member, the oldest first. */
  async findOf({ organization_id, id }: MemberRef): Promise<ListedPasskey[]> {
    return this.runner.read<ListedPasskey>(
      `SELECT id, name, credential, transports, created_at, last_used_at
         FROM member_passkeys WHERE ${OF_MEMBER} ORDER BY created_at, id`,
      [organization_id, id],
    );
  }

  /** Returns a passkey with its active member. Requires no organization, because the passkey identifies the member. */
  async findByCredential(credentialId: Buffer): Promise<FoundPasskey | undefined> {
    const [found] = await this.runner.query<FoundPasskey>(
      `SELECT passkey.id AS passkey_id, passkey.credential, passkey.public_key, passkey.counter,
              member.id, member.organization_id, member.email, member.name, member.role, member.project_ids, member.status
         FROM member_passkeys AS passkey
         JOIN members AS member ON member.organization_id = passkey.organization_id AND member.id = passkey.member_id
        WHERE passkey.credential = $1 AND member.status = 'active'`,
      [credentialId],
    );
    return found;
  }

  /** Returns the number of passkeys of a member, at most `limit`. The transaction has locked the member. */
  async count({ organization_id, id }: MemberRef, limit: number, manager: EntityManager): Promise<number> {
    return this.runner.count(
      `SELECT FROM member_passkeys WHERE ${OF_MEMBER} LIMIT $3`,
      [organization_id, id, limit],
      manager,
    );
  }

  /** Stores a passkey. Returns false if there is one with this `credential`, of any member. */
  async insert(
    member: MemberRef,
    { id, credential, public_key, counter, transports, name }: NewPasskey,
    manager: EntityManager,
  ): Promise<boolean> {
    const inserted = await this.runner.query(
      `INSERT INTO member_passkeys (id, organization_id, member_id, credential, public_key, counter, transports, name)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (credential) DO NOTHING RETURNING id`,
      [id, member.organization_id, member.id, credential, public_key, counter, transports, name],
      manager,
    );
    return inserted.length > 0;
  }

  /**
   * Notes a sign-in. Returns false if the passkey has signed this challenge or a later one, if it has counted as many signatures before,
   * or if it does not exist any more.
   */
  async use(
    { organization_id, passkey_id }: FoundPasskey,
    { counter, made_at }: { counter: number; made_at: Date },
    manager: EntityManager,
  ): Promise<boolean> {
    const used = await this.runner.query(
      `UPDATE member_passkeys SET counter = $3, signed_until = $4, last_used_at = clock_timestamp()
        WHERE organization_id = $1 AND id = $2 AND (signed_until IS NULL OR signed_until < $4)
          AND (counter < $3 OR (counter = 0 AND $3 = 0))
       RETURNING id`,
      [organization_id, passkey_id, counter, made_at],
      manager,
    );
    return used.length > 0;
  }

  /** Deletes a passkey of a member. Returns false if it does not exist. The transaction has locked the member. */
  async deleteOne(
    { organization_id, id }: MemberRef,
    passkeyId: string,
    manager: EntityManager,
  ): Promise<boolean> {
    const deleted = await this.runner.query(
      `DELETE FROM member_passkeys WHERE ${OF_MEMBER} AND id = $3 RETURNING id`,
      [organization_id, id, passkeyId],
      manager,
    );
    return deleted.length > 0;
  }

  /** Deletes the passkeys of a member. The transaction has locked the member. */
  async deleteOf({ organization_id, id }: MemberRef, manager: EntityManager): Promise<void> {
    await this.runner.query(`DELETE FROM member_passkeys WHERE ${OF_MEMBER}`, [organization_id, id], manager);
  }

  /** Stores the challenge that a new passkey must sign in this session. It replaces the former one. */
  async setChallenge(
    { organization_id, id }: MemberRef,
    sessionId: string,
    challenge: Buffer,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE member_sessions SET passkey_challenge = $4, passkey_challenge_at = clock_timestamp()
        WHERE ${OF_MEMBER} AND id = $3`,
      [organization_id, id, sessionId, challenge],
    );
  }

  /** Uses the challenge of a session up. Of concurrent calls, one returns true. */
  async takeChallenge(
    { organization_id, id }: MemberRef,
    sessionId: string,
    challenge: Buffer,
  ): Promise<boolean> {
    const taken = await this.runner.query(
      `UPDATE member_sessions SET passkey_challenge = NULL, passkey_challenge_at = NULL
        WHERE ${OF_MEMBER} AND id = $3 AND passkey_challenge = $4
          AND passkey_challenge_at > clock_timestamp() - interval '5 minutes'
       RETURNING id`,
      [organization_id, id, sessionId, challenge],
    );
    return taken.length > 0;
  }
}
