import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ErasuresRepository } from './erasures.repository.js';

/** Maximum number of confirmations that an address gets in 24 hours, for all status pages together. */
export const MAX_CONFIRMATIONS = 5;

/** Maximum number of mails that forms cause to an address in an hour, for all status pages and purposes together. */
export const MAX_MAILS = 10;
const HOUR_SECONDS = 3_600;

/** Advisory lock that a transaction shares for one address, and holds alone for many. */
const ALL_ADDRESSES = 'confirmations';

const LOCK_ONE = 'pg_advisory_xact_lock(hashtextextended($1, 0))';

/** Numbers of mails to an address. */
interface Got {
  /** In 24 hours. */
  confirmations: number;
  /** In an hour. */
  mails: number;
}

const COUNTS = `count(*) FILTER (WHERE NOT is_link)::integer AS confirmations,
              count(*) FILTER (WHERE created_at > clock_timestamp() - interval '1 hour')::integer AS mails`;

const OF_DAY = `email_hash = ANY($1::bytea[]) AND created_at > clock_timestamp() - interval '1 day'`;

/** Counts the mail that anybody can cause by entering an address, of all status pages. Stores keyed hashes of addresses only. */
@Injectable()
export class AddressMails {
  constructor(private readonly erasures: ErasuresRepository) {}

  /** Returns whether the address may get another confirmation. Concurrent transactions with the same address wait. */
  async allowsConfirmation(emailKey: string, manager: EntityManager): Promise<boolean> {
    const hashes = this.erasures.hashesOf(emailKey);
    await manager.query(`SELECT ${LOCK_ONE}, pg_advisory_xact_lock_shared(hashtextextended($2, 0))`, [
      hashes[0].toString('hex'),
      ALL_ADDRESSES,
    ]);
    const [got]: Got[] = await manager.query(`SELECT ${COUNTS} FROM confirmation_mails WHERE ${OF_DAY}`, [
      hashes,
    ]);
    return isBelowLimits(got);
  }

  /**
   * Returns the addresses that may get another confirmation. For more than one, concurrent transactions wait, because a lock for
   * each of many addresses could exceed the number of locks that PostgreSQL can hold.
   */
  async allowingConfirmation(emailKeys: string[], manager: EntityManager): Promise<Set<string>> {
    const [only] = emailKeys;
    if (only !== undefined && emailKeys.length === 1)
      return new Set((await this.allowsConfirmation(only, manager)) ? [only] : []);
    await manager.query(`SELECT ${LOCK_ONE}`, [ALL_ADDRESSES]);
    const all = emailKeys.map((key) => ({ key, hashes: this.erasures.hashesOf(key) }));
    const rows: (Got & { email_hash: Buffer })[] = await manager.query(
      `SELECT email_hash, ${COUNTS} FROM confirmation_mails WHERE ${OF_DAY} GROUP BY email_hash`,
      [all.flatMap(({ hashes }) => hashes)],
    );
    const byHash = new Map(rows.map(({ email_hash, ...got }) => [email_hash.toString('hex'), got]));
    const got = (hashes: Buffer[]) =>
      hashes.reduce<Got>(
        (sum, hash) => {
          const { confirmations = 0, mails = 0 } = byHash.get(hash.toString('hex')) ?? {};
          return { confirmations: sum.confirmations + confirmations, mails: sum.mails + mails };
        },
        { confirmations: 0, mails: 0 },
      );
    return new Set(all.filter(({ hashes }) => isBelowLimits(got(hashes))).map(({ key }) => key));
  }

  /** Counts confirmations of these addresses. */
  async addConfirmations(emailKeys: string[], manager: EntityManager): Promise<void> {
    await this.add(
      emailKeys.map((key) => this.erasures.hashesOf(key)[0]),
      false,
      manager,
    );
  }

  /**
   * Counts a link to a private page that a form requests, also for an address that gets none, so that the limit does not reveal who
   * has access. Concurrent transactions with the same address wait, but not for those of many addresses.
   * @returns the seconds after which the address can get mail again if it has had {@link MAX_MAILS}; the link is then not counted
   */
  async addLink(emailKey: string, manager: EntityManager): Promise<number | undefined> {
    const hashes = this.erasures.hashesOf(emailKey);
    await manager.query(`SELECT ${LOCK_ONE}`, [hashes[0].toString('hex')]);
    const rows: { seconds: number }[] = await manager.query(
      `SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - clock_timestamp()))::integer AS seconds
         FROM confirmation_mails
        WHERE email_hash = ANY($1::bytea[]) AND created_at > clock_timestamp() - interval '1 hour'
        ORDER BY created_at DESC
        LIMIT $2`,
      [hashes, MAX_MAILS],
    );
    const oldest = rows.at(MAX_MAILS - 1);
    if (oldest) return Math.min(HOUR_SECONDS, Math.max(1, oldest.seconds));
    await this.add([hashes[0]], true, manager);
    return undefined;
  }

  private async add(hashes: Buffer[], isLink: boolean, manager: EntityManager): Promise<void> {
    await manager.query(
      `INSERT INTO confirmation_mails (id, email_hash, is_link, created_at)
       SELECT id, email_hash, $3, clock_timestamp() FROM unnest($1::uuid[], $2::bytea[]) AS new (id, email_hash)`,
      [hashes.map(() => uuidv7()), hashes, isLink],
    );
  }
}

function isBelowLimits({ confirmations, mails }: Got = { confirmations: 0, mails: 0 }): boolean {
  return confirmations < MAX_CONFIRMATIONS && mails < MAX_MAILS;
}
