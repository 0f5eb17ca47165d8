import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { StatementRunner } from '../platform/database/statement-runner.js';

/** Advisory lock that a transaction shares for one address, and holds alone for many. */
const ALL_ADDRESSES = 'confirmations';

const LOCK_ONE = 'pg_advisory_xact_lock(hashtextextended($1, 0))';

/** Numbers of mails to an address. */
export interface AddressCounts {
  /** In 24 hours. */
  confirmations: number;
  /** In an hour. */
  mails: number;
}

const COUNTS = `count(*) FILTER (WHERE NOT is_link)::integer AS confirmations,
              count(*) FILTER (WHERE created_at > clock_timestamp() - interval '1 hour')::integer AS mails`;

const OF_DAY = `email_hash = ANY($1::bytea[]) AND created_at > clock_timestamp() - interval '1 day'`;

/** Reads and writes the table `confirmation_mails`, which contains keyed hashes of addresses of all organizations. */
@Injectable()
export class AddressMailsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Locks an address until the transaction ends, also against {@link lockAll}. */
  async lock(hash: Buffer, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `SELECT ${LOCK_ONE}, pg_advisory_xact_lock_shared(hashtextextended($2, 0))`,
      [hash.toString('hex'), ALL_ADDRESSES],
      manager,
    );
  }

  /** Locks an address until the transaction ends, but not against {@link lockAll}. */
  async lockOnly(hash: Buffer, manager: EntityManager): Promise<void> {
    await this.runner.query(`SELECT ${LOCK_ONE}`, [hash.toString('hex')], manager);
  }

  /** Locks all addresses until the transaction ends. */
  async lockAll(manager: EntityManager): Promise<void> {
    await this.runner.query(`SELECT ${LOCK_ONE}`, [ALL_ADDRESSES], manager);
  }

  /** Returns the numbers of all hashes together. */
  async countsOf(hashes: Buffer[], manager: EntityManager): Promise<AddressCounts | undefined> {
    const [counts] = await this.runner.read<AddressCounts>(
      `SELECT ${COUNTS} FROM confirmation_mails WHERE ${OF_DAY}`,
      [hashes],
      manager,
    );
    return counts;
  }

  /** Returns the numbers of each hash with mails. */
  async countsOfEach(
    hashes: Buffer[],
    manager: EntityManager,
  ): Promise<(AddressCounts & { email_hash: Buffer })[]> {
    return this.runner.read<AddressCounts & { email_hash: Buffer }>(
      `SELECT email_hash, ${COUNTS} FROM confirmation_mails WHERE ${OF_DAY} GROUP BY email_hash`,
      [hashes],
      manager,
    );
  }

  /** Returns after how many seconds each of the newest mails of the last hour is an hour old, newest first. */
  async secondsLeft(hashes: Buffer[], limit: number, manager: EntityManager): Promise<number[]> {
    const rows = await this.runner.read<{ seconds: number }>(
      `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - clock_timestamp()))::integer AS seconds
         FROM confirmation_mails
        WHERE email_hash = ANY($1::bytea[]) AND created_at > clock_timestamp() - interval '1 hour'
        ORDER BY created_at DESC
        LIMIT $2`,
      [hashes, limit],
      manager,
    );
    return rows.map(({ seconds }) => seconds);
  }

  /** @param isLink mails with a link to a private page, not confirmations */
  async add(hashes: Buffer[], isLink: boolean, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `INSERT INTO confirmation_mails (id, email_hash, is_link, created_at)
       SELECT id, email_hash, $3, clock_timestamp() FROM unnest($1::uuid[], $2::bytea[]) AS new (id, email_hash)`,
      [hashes.map(() => uuidv7()), hashes, isLink],
      manager,
    );
  }
}
