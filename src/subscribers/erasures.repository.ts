import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { OF_PAGE } from '../status-pages/page-ref.js';

/** An address of a status page. */
export interface PageAddress extends ProjectRef {
  status_page_id: string;
  email_key: string;
}

/** Reads and writes the table `erased_subscribers`, which contains keyed hashes of addresses only. */
@Injectable()
export class ErasuresRepository {
  constructor(
    private readonly runner: StatementRunner,
    private readonly secrets: SecretsService,
  ) {}

  /** Returns the keyed hashes of an address. Store the first, compare with all. */
  hashesOf(emailKey: string): [current: Buffer, ...others: Buffer[]] {
    return this.secrets.hashes('subscriber_email', emailKey);
  }

  /** Stores the hash of an address. Call it before the row is deleted, so that locks are taken from the project on. */
  async add(
    { organization_id, project_id, status_page_id, email_key }: PageAddress,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO erased_subscribers (organization_id, project_id, status_page_id, email_hash)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (status_page_id, email_hash) DO NOTHING`,
      [organization_id, project_id, status_page_id, this.hashesOf(email_key)[0]],
      manager,
    );
  }

  /** Deletes the hashes of an address, because its owner has subscribed again. */
  async remove(
    { organization_id, status_page_id, email_key }: PageAddress,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `DELETE FROM erased_subscribers WHERE ${OF_PAGE} AND email_hash = ANY($3::bytea[])`,
      [organization_id, status_page_id, this.hashesOf(email_key)],
      manager,
    );
  }

  /** Returns the addresses that have been erased from a page. */
  async erasedOf(
    { organization_id, status_page_id }: Omit<PageAddress, 'email_key'>,
    emailKeys: string[],
    manager: EntityManager,
  ): Promise<Set<string>> {
    const hashes = emailKeys.flatMap((key) => this.hashesOf(key).map((hash) => ({ key, hash })));
    const rows = await this.runner.read<{ email_hash: Buffer }>(
      `SELECT email_hash FROM erased_subscribers WHERE ${OF_PAGE} AND email_hash = ANY($3::bytea[])`,
      [organization_id, status_page_id, hashes.map(({ hash }) => hash)],
      manager,
    );
    const found = new Set(rows.map(({ email_hash }) => email_hash.toString('hex')));
    return new Set(hashes.filter(({ hash }) => found.has(hash.toString('hex'))).map(({ key }) => key));
  }
}
