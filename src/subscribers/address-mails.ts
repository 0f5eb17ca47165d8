import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AddressCounts, AddressMailsRepository } from './address-mails.repository.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Maximum number of confirmations that an address gets in 24 hours, for all status pages together. */
export const MAX_CONFIRMATIONS = 5;

/** Maximum number of mails that forms cause to an address in an hour, for all status pages and purposes together. */
export const MAX_MAILS = 10;
const HOUR_SECONDS = 3_600;

/** Counts the mail that anybody can cause by entering an address, of all status pages. Stores keyed hashes of addresses only. */
@Injectable()
export class AddressMails {
  constructor(
    private readonly repository: AddressMailsRepository,
    private readonly erasures: ErasuresRepository,
  ) {}

  /** Returns whether the address may get another confirmation. Concurrent transactions with the same address wait. */
  async allowsConfirmation(emailKey: string, manager: EntityManager): Promise<boolean> {
    const hashes = this.erasures.hashesOf(emailKey);
    await this.repository.lock(hashes[0], manager);
    return isBelowLimits(await this.repository.countsOf(hashes, manager));
  }

  /**
   * Returns the addresses that may get another confirmation. For more than one, concurrent transactions wait, because a lock for
   * each of many addresses could exceed the number of locks that PostgreSQL can hold.
   */
  async allowingConfirmation(emailKeys: string[], manager: EntityManager): Promise<Set<string>> {
    const [only] = emailKeys;
    if (only !== undefined && emailKeys.length === 1)
      return new Set((await this.allowsConfirmation(only, manager)) ? [only] : []);
    await this.repository.lockAll(manager);
    const all = emailKeys.map((key) => ({ key, hashes: this.erasures.hashesOf(key) }));
    const hashesOfAll = all.flatMap(({ hashes }) => hashes);
    const rows = await this.repository.countsOfEach(hashesOfAll, manager);
    const byHash = new Map(rows.map(({ email_hash, ...got }) => [email_hash.toString('hex'), got]));
    const got = (hashes: Buffer[]) =>
      hashes.reduce<AddressCounts>(
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
    const hashes = emailKeys.map((key) => this.erasures.hashesOf(key)[0]);
    await this.repository.add(hashes, false, manager);
  }

  /**
   * Counts a link to a private page that a form requests, also for an address that gets none, so that the limit does not reveal who
   * has access. Concurrent transactions with the same address wait, but not for those of many addresses.
   * @returns the seconds after which the address can get mail again if it has had {@link MAX_MAILS}; the link is then not counted
   */
  async addLink(emailKey: string, manager: EntityManager): Promise<number | undefined> {
    const hashes = this.erasures.hashesOf(emailKey);
    await this.repository.lockOnly(hashes[0], manager);
    const seconds = (await this.repository.secondsLeft(hashes, MAX_MAILS, manager)).at(MAX_MAILS - 1);
    if (seconds !== undefined) return Math.min(HOUR_SECONDS, Math.max(1, seconds));
    await this.repository.add([hashes[0]], true, manager);
    return undefined;
  }
}

function isBelowLimits({ confirmations, mails }: AddressCounts = { confirmations: 0, mails: 0 }): boolean {
  return confirmations < MAX_CONFIRMATIONS && mails < MAX_MAILS;
}
