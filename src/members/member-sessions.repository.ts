import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { MemberSession } from './member-session.entity.js';
import type { SignedInMember } from './signed-in-member.js';

/** A member, as a reference. */
export type MemberRef = Pick<SignedInMember, 'organization_id' | 'id'>;

/** A session in the list of a member. */
export type ListedSession = Pick<
  MemberSession,
  'id' | 'user_agent' | 'created_at' | 'last_used_at' | 'expires_at'
>;

/** A session with its member. `is_noted`: its use was noted in the last minute. */
export type FoundSession = SignedInMember & { session_id: string; is_noted: boolean };

const OF_MEMBER = 'organization_id = $1 AND member_id = $2';

const IS_ALIVE = `expires_at > clock_timestamp() AND last_used_at > clock_timestamp() - interval '12 hours'`;

/** Reads and writes the table `member_sessions`. Uses the database clock, which all processes share. */
@Injectable()
export class MemberSessionsRepository {
  constructor(private readonly runner: StatementRunner) {}

  async insert(
    { organization_id, id: member_id }: MemberRef,
    { id, token_hash, user_agent }: Pick<MemberSession, 'id' | 'token_hash' | 'user_agent'>,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO member_sessions (id, organization_id, member_id, token_hash, user_agent, created_at, last_used_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '30 days')`,
      [id, organization_id, member_id, token_hash, user_agent],
      manager,
    );
  }

  /** Deletes all but the newest `kept` sessions of a member. The transaction has locked the member. */
  async deleteOldest(
    { organization_id, id }: MemberRef,
    kept: number,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `DELETE FROM member_sessions
        WHERE ${OF_MEMBER}
          AND id IN (SELECT id FROM member_sessions WHERE ${OF_MEMBER} ORDER BY created_at DESC, id DESC OFFSET $3)`,
      [organization_id, id, kept],
      manager,
    );
  }

  /** Returns the session with this token and its active member. Requires no organization, because the token identifies the member. */
  async find(tokenHash: Buffer): Promise<FoundSession | undefined> {
    // Not `read`, because a slow read of others on the same connection would delay it.
    const [session] = await this.runner.query<FoundSession>(
      `SELECT session.id AS session_id, session.last_used_at > clock_timestamp() - interval '1 minute' AS is_noted,
              member.id, member.organization_id, member.email, member.name, member.role, member.project_ids, member.status
         FROM member_sessions AS session
         JOIN members AS member ON member.organization_id = session.organization_id AND member.id = session.member_id
        WHERE session.token_hash = $1 AND session.expires_at > clock_timestamp()
          AND session.last_used_at > clock_timestamp() - interval '12 hours' AND member.status = 'active'`,
      [tokenHash],
    );
    return session;
  }

  /** Notes that a session is used now. */
  async note({ organization_id, session_id }: FoundSession): Promise<void> {
    await this.runner.query(
      `UPDATE member_sessions SET last_used_at = clock_timestamp() WHERE organization_id = $1 AND id = $2`,
      [organization_id, session_id],
    );
  }

  /** Returns the sessions of a member that have not ended, the latest first. */
  async findOf({ organization_id, id }: MemberRef): Promise<ListedSession[]> {
    return this.runner.read<ListedSession>(
      `SELECT id, user_agent, created_at, last_used_at, expires_at
         FROM member_sessions
        WHERE ${OF_MEMBER} AND ${IS_ALIVE}
        ORDER BY last_used_at DESC, id DESC`,
      [organization_id, id],
    );
  }

  /** Deletes the session with this token. Requires no organization, because the token identifies the member. */
  async deleteByToken(tokenHash: Buffer): Promise<void> {
    await this.runner.query(`DELETE FROM member_sessions WHERE token_hash = $1`, [tokenHash]);
  }

  /** Deletes a session of a member. Returns false if it does not exist. */
  async deleteOne({ organization_id, id }: MemberRef, sessionId: string): Promise<boolean> {
    const deleted = await this.runner.query(
      `DELETE FROM member_sessions WHERE ${OF_MEMBER} AND id = $3 RETURNING id`,
      [organization_id, id, sessionId],
    );
    return deleted.length > 0;
  }

  /** Deletes the sessions of a member, except for one. */
  async deleteOf(
    { organization_id, id }: MemberRef,
    except: string | null,
    manager?: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `DELETE FROM member_sessions WHERE ${OF_MEMBER} AND id IS DISTINCT FROM $3::uuid`,
      [organization_id, id, except],
      manager,
    );
  }

  /** Deletes what has expired, of all organizations. */
  async deleteOld(): Promise<void> {
    await this.runner.query(
      `DELETE FROM member_sessions
        WHERE expires_at <= clock_timestamp() OR last_used_at <= clock_timestamp() - interval '12 hours'`,
      [],
    );
  }
}
