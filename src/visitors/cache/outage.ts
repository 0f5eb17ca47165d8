import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isConflict } from '../../platform/database/statements.js';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { Problem, unavailable } from '../../platform/problems/problem.js';
import { isUnavailable } from '../../platform/problems/problem.filter.js';

/** Pause after a failure during which no statements are sent, in milliseconds. */
const PAUSE_MS = 1_000;

/** Tracks whether the database is unavailable, according to the latest statements for visitors. */
@Injectable()
export class Outage {
  private failedAt = -Infinity;
  private pausedUntil = 0;
  private hasFailed = false;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Whether visitors get saved copies, because the database is unavailable. */
  get isDown(): boolean {
    return this.hasFailed;
  }

  /** Whether to send no statements now. */
  get isPausing(): boolean {
    return performance.now() < this.pausedUntil;
  }

  /**
   * Runs statements, unless the database is unavailable. Runs them again if a concurrent transaction made them fail.
   * @throws Problem `unavailable` if the database is unavailable; the error of `read`
   */
  async guard<Result>(read: () => Promise<Result>): Promise<Result> {
    if (this.isPausing) throw unavailable();
    const started = performance.now();
    try {
      const result = await read().catch((error: unknown) => {
        if (isConflict(error)) return read();
        throw error;
      });
      // A result of statements sent before the failure does not prove that the database is back.
      if (started > this.failedAt) this.end();
      return result;
    } catch (error) {
      // A Problem comes from the service, such as a full queue, and does not mean that the database is down.
      if (!(error instanceof Problem) && isUnavailable(error)) this.begin(error);
      throw error;
    }
  }

  /**
   * Begins an outage, because the database has failed or does not respond. Ignores an error if the database has only cancelled
   * a statement because of a concurrent transaction.
   */
  begin(error: unknown): void {
    if (isConflict(error)) return;
    this.failedAt = performance.now();
    this.pausedUntil = this.failedAt + PAUSE_MS;
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.logger.warn({ err: error }, 'the database is unavailable; serving saved copies of public pages');
  }

  /** Ends the outage, because the database has responded. */
  end(): void {
    if (!this.hasFailed) return;
    this.hasFailed = false;
    this.pausedUntil = 0;
    this.logger.info('the database is available again');
  }
}
