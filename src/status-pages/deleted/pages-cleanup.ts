import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { DeletedPagesRepository } from './deleted-pages.repository.js';
import { RevisionsRepository } from '../revisions/revisions.repository.js';

const INTERVAL_MS = 10 * 60_000;
/** Pause before the next run if rows are left, in milliseconds. */
const SOON_MS = 1_000;

const REVISIONS_PER_STATEMENT = 500;
const STATEMENTS_PER_RUN = 20;

/**
 * Deletes revisions that are older than a year, and deleted pages that can no longer be restored, with their revisions. Each
 * run is bounded, and each statement is its own transaction. Several processes can run it concurrently.
 */
@Injectable()
export class PagesCleanup implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly revisions: RevisionsRepository,
    private readonly deletedPages: DeletedPagesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule(INTERVAL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    clearTimeout(this.timer);
  }

  /**
   * Runs at most 20 statements, which delete at most 500 revisions each.
   * @returns whether rows are left
   */
  async run(): Promise<boolean> {
    let left = STATEMENTS_PER_RUN;
    while (left-- > 0)
      if ((await this.revisions.deleteOld(REVISIONS_PER_STATEMENT)) < REVISIONS_PER_STATEMENT) break;
    const pages = await this.deletedPages.findOutdated(left + 1);
    for (const { id } of pages)
      while (left-- > 0) if (!(await this.deletedPages.deleteOutdated(id, REVISIONS_PER_STATEMENT))) break;
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
