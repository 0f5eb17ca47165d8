import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { DeletedPagesRepository } from './deleted-pages.repository.js';
import { UniqueValuesRepository } from '../unique-values.repository.js';
import { RevisionsRepository } from '../revisions/revisions.repository.js';

const INTERVAL_MS = 10 * 60_000;
/** Pause before the next run if rows are left, in milliseconds. */
const SOON_MS = 1_000;

const ROWS_PER_STATEMENT = 500;
const STATEMENTS_PER_RUN = 20;

/**
 * Deletes at most `limit` rows of another module that belong to a page that can no longer be restored. Returns whether rows may be
 * left.
 */
export type RowRemoval = (page: { organization_id: string; id: string }, limit: number) => Promise<boolean>;

/**
 * Deletes revisions and former slugs that are older than a year, and deleted pages that can no longer be restored, with their
 * revisions. Each run is bounded, and each statement is its own transaction. Several processes can run it concurrently.
 */
@Injectable()
export class PagesCleanup implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private readonly removals: RowRemoval[] = [];

  constructor(
    private readonly revisions: RevisionsRepository,
    private readonly deletedPages: DeletedPagesRepository,
    private readonly uniqueValues: UniqueValuesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Registers rows of another module that outlive a deleted page as long as it can be restored. */
  onRemove(removal: RowRemoval): void {
    this.removals.push(removal);
  }

  onApplicationBootstrap(): void {
    this.schedule(INTERVAL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    clearTimeout(this.timer);
  }

  /**
   * Runs at most 20 statements, which delete at most 500 rows each.
   * @returns whether rows are left
   */
  async run(): Promise<boolean> {
    let left = STATEMENTS_PER_RUN;
    const repeat = async (step: () => Promise<boolean>) => {
      while (left > 0) {
        left -= 1;
        if (!(await step())) return;
      }
    };
    for (const rows of [this.revisions, this.uniqueValues])
      await repeat(async () => (await rows.deleteOld(ROWS_PER_STATEMENT)) === ROWS_PER_STATEMENT);
    for (const page of await this.deletedPages.findOutdated(left)) {
      for (const remove of this.removals) await repeat(() => remove(page, ROWS_PER_STATEMENT));
      await repeat(() => this.deletedPages.deleteOutdated(page.id, ROWS_PER_STATEMENT));
    }
    return left <= 0;
  }

  private schedule(delay: number): void {
    this.timer = setTimeout(() => {
      this.running = this.runAndSchedule();
    }, delay).unref();
  }

  private async runAndSchedule(): Promise<void> {
    const isLeft = await this.run().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'could not delete outdated revisions'); // the next run tries again
      return false;
    });
    this.schedule(isLeft ? SOON_MS : INTERVAL_MS);
  }
}
