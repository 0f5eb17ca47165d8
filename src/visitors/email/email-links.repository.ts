import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import type { AccessEmailRequest } from './access-email-request.entity.js';
import { LINK_MS } from './email-tokens.js';
import type { PrivatePage } from '../../status-pages/page-lookup.service.js';
import { OF_PAGE } from '../../status-pages/page-ref.js';

type VisitedPage = Pick<PrivatePage, 'organization_id' | 'id'>;

/** A form that is handled now. */
export type EmailRequest = Pick<
  AccessEmailRequest,
  'id' | 'organization_id' | 'status_page_id' | 'email' | 'wanted' | 'created_at'
>;

/** Reads and writes the tables `access_email_requests` and `access_email_tokens`. */
@Injectable()
export class EmailLinksRepository {
  constructor(private readonly runner: StatementRunner) {}

  async insertRequest(
    { id, organization_id, status_page_id, email, wanted }: Omit<EmailRequest, 'created_at'>,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO access_email_requests (id, organization_id, status_page_id, email, wanted)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, organization_id, status_page_id, email, wanted],
      manager,
    );
  }

  /** Returns the forms of deliveries, of all organizations. */
  async findRequests(ids: string[]): Promise<EmailRequest[]> {
    return this.runner.read<EmailRequest>(
      `SELECT id, organization_id, status_page_id, email, wanted, created_at
         FROM access_email_requests
        WHERE id = ANY($1::uuid[])`,
      [ids],
    );
  }

  async deleteRequest({ organization_id, id }: EmailRequest): Promise<void> {
    await this.runner.query('DELETE FROM access_email_requests WHERE organization_id = $1 AND id = $2', [
      organization_id,
      id,
    ]);
  }

  /** Stores the hash of a token, which is then valid for 15 minutes. */
  async insertToken({ organization_id, status_page_id, email }: EmailRequest, hash: Buffer): Promise<void> {
    await this.runner.query(
      `INSERT INTO access_email_tokens (token_hash, organization_id, status_page_id, email, created_at, expires_at)
       VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + $5 * interval '1 millisecond')`,
      [hash, organization_id, status_page_id, email, LINK_MS],
    );
  }

  /** Returns the address of a valid token of a page. */
  async findEmail({ organization_id, id }: VisitedPage, hash: Buffer): Promise<string | undefined> {
    const [token] = await this.runner.read<{ email: string }>(
      `SELECT email FROM access_email_tokens
        WHERE ${OF_PAGE} AND token_hash = $3 AND expires_at > clock_timestamp()`,
      [organization_id, id, hash],
    );
    return token?.email;
  }

  /** Uses a token up, and returns its address. Of concurrent calls, one gets it. */
  async take({ organization_id, id }: VisitedPage, hash: Buffer): Promise<string | undefined> {
    const [token] = await this.runner.query<{ email: string }>(
      `DELETE FROM access_email_tokens
        WHERE ${OF_PAGE} AND token_hash = $3 AND expires_at > clock_timestamp()
       RETURNING email`,
      [organization_id, id, hash],
    );
    return token?.email;
  }

  /** Deletes what has expired, of all organizations. */
  async deleteOld(): Promise<void> {
    await this.runner.query('DELETE FROM access_email_tokens WHERE expires_at <= clock_timestamp()', []);
    await this.runner.query(
      `DELETE FROM access_email_requests WHERE created_at < clock_timestamp() - interval '1 hour'`,
      [],
    );
  }
}
