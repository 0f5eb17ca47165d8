import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CurrentApiKey } from '../auth/current-key.js';
import type { RawJson } from '../database/raw-json.js';
import { DEADLOCK, isSqlState, UNIQUE_VIOLATION } from '../database/statements.js';
import { type ExpectedVersions } from '../database/versions.js';
import { throwNotFoundOrPreconditionFailed } from '../problems/problem.js';
import type { StatusPageDto } from './dto/status-page.dto.js';
import { type Change, StatusPageWrites } from './status-page-writes.js';
import {
  type OwnStatusPage,
  type StatusPagePatch,
  StatusPagesRepository,
} from './status-pages.repository.js';
import { throwIfAnyTaken } from './taken.js';

/** How often a write is tried that meets others for the same slug or domain. */
export const MAX_TRIES = 10;

/** What updates, deletions and restorations of pages have in common. */
@Injectable()
export class StatusPageChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: StatusPagesRepository,
    private readonly writes: StatusPageWrites,
  ) {}

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async patch(
    key: CurrentApiKey,
    id: string,
    patch: StatusPagePatch,
    change: Change,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<StatusPageDto>> {
    return (
      (await this.writes.patch(key, id, patch, change, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('status page', this.repository.findOwn(key, id, manager))
    );
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async lockOwn(
    key: CurrentApiKey,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<OwnStatusPage> {
    return (
      (await this.repository.lockOwn(key, id, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('status page', this.repository.findOwn(key, id, manager))
    );
  }

  /** @throws Problem 409 `conflict` if a page other than `id` has the slug or the domain */
  async throwIfTaken(id: string | null, page: StatusPagePatch, manager: EntityManager): Promise<void> {
    if (page.slug === undefined && page.custom_domain === undefined) return;
    throwIfAnyTaken(await this.repository.findTakenBy(id, page, manager));
  }

  /**
   * Runs a write of the slug or the domain of a page, again if it meets others.
   * @param write one statement, or a transaction: it may fail and be repeated
   * @throws Problem 409 `conflict` for a slug or domain that is taken; 404 and 412 have precedence
   */
  async writeUnique<T>(
    key: CurrentApiKey,
    id: string,
    values: StatusPagePatch,
    expected: ExpectedVersions,
    write: () => Promise<T>,
  ): Promise<T> {
    const { manager } = this.dataSource;
    // Check before the update locks the row: two pages that swap slugs would otherwise deadlock.
    await this.throwIfTaken(id, values, manager).catch(async (conflict: unknown) => {
      await this.lockOwn(key, id, expected, manager);
      throw conflict;
    });
    for (let tries = 1; ; tries++) {
      try {
        return await write();
      } catch (error) {
        const isDeadlock = isSqlState(error, DEADLOCK);
        if (!isDeadlock && !isSqlState(error, UNIQUE_VIOLATION)) throw error;
        await this.throwIfTaken(id, values, manager);
        // Two pages that swap slugs deadlock. If the slug is free now, try again.
        if (!isDeadlock || tries >= MAX_TRIES) throw error;
      }
    }
  }
}
