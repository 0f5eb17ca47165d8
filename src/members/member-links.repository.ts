import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { MemberLinkRequest } from './member-link-request.entity.js';
import type { MemberRef } from './member-sessions.repository.js';

const IS_VALID = 'token_hash = $1 AND expires_at > clock_timestamp()';

/** Reads and writes the tables `member_links` and `member_link_requests`. Uses the database clock, which all processes share. */
@Injectable()
export class MemberLinksRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Stores the hash of a token, which is then valid for 15 minutes. */
  async insert(
    { organization_id, id }: MemberRef,
    tokenHash: Buffer,
    manager?: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO member_links (token_hash, organization_id, member_id, created_at, expires_at)
       VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + interval '15 minutes')`,
      [tokenHash, organization_id, id],
      manager,
    );
  }

  /** Returns the member of a valid link. Requires no organization, because the token identifies the member. */
  async findMember(tokenHash: Buffer, manager?: EntityManager): Promise<MemberRef | undefined> {
    const [member] = await this.runner.read<MemberRef>(
      `SELECT organization_id, member_id AS id FROM member_links WHERE ${IS_VALID}`,
      [tokenHash],
      manager,
    );
    return member;
  }

  /** Uses a link up. Of concurrent calls, one returns true. */
  async take(tokenHash: Buffer, manager: EntityManager): Promise<boolean> {
    const taken = await this.runner.query(
      `DELETE FROM member_links WHERE ${IS_VALID} RETURNING member_id`,
      [tokenHash],
      manager,
    );
    return taken.length > 0;
  }

  /** Deletes the links of a member. */
  async deleteOf({ organization_id, id }: MemberRef, manager: EntityManager): Promise<void> {
    await this.runner.query(
      'DELETE FROM member_links WHERE organization_id = $1 AND member_id = $2',
      [organization_id, id],
      manager,
    );
  }

  async insertRequest(
    { id, email }: Pick<MemberLinkRequest, 'id' | 'email'>,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      'INSERT INTO member_link_requests (id, email) VALUES ($1, $2)',
      [id, email],
      manager,
    );
  }

  /** Returns the forms of deliveries. */
  async findRequests(ids: string[]): Promise<MemberLinkRequest[]> {
    return this.runner.read<MemberLinkRequest>(
      'SELECT id, email, created_at FROM member_link_requests WHERE id = ANY($1::uuid[])',
      [ids],
    );
  }

  async deleteRequest(id: string): Promise<void> {
    await this.runner.query('DELETE FROM member_link_requests WHERE id = $1', [id]);
  }

  /** Deletes what has expired, of all organizations. */
  async deleteOld(): Promise<void> {
    await this.runner.query('DELETE FROM member_links WHERE expires_at <= clock_timestamp()', []);
    await this.runner.query(
      `DELETE FROM member_link_requests WHERE created_at < clock_timestamp() - interval '1 hour'`,
      [],
    );
  }
}
