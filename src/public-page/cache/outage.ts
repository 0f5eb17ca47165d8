import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isConflict } from '../../platform/database/statements.js';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { Problem, unavailable } from '../../platform/problems/problem.js';
import { isUnavailable } from '../../platform/problems/problem.filter.js';

/** After a failure, the database is left alone for this long. */
const PAUSE_MS = 1_000;

/** Whether the database is unavailable, as the last statements for visitors have found it. */
@Injectable()
export class Outage {
  private began = -Infinity;
  private ends = 0;
  private hasFailed = false;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Whether visitors get the last good copies, because the database is unavailable. */
  get isDown(): boolean {
    return this.hasFailed;
  }

  /** Whether no statement is to be sent now. */
  get isPausing(): boolean {
    return performance.now() < this.ends;
  }

  /**
   * Runs statements, unless the database is unavailable; again, if another transaction made them fail.
   * @throws Problem `unavailable` if it is unavailable; the error of `read`
   */
  async guard<Result>(read: () => Promise<Result>): Promise<Result> {
    if (this.isPausing) throw unavailable();
    const started = performance.now();
    try {
      const result = await read().catch((error: unknown) => {
        if (isConflict(error)) return read();
        throw error;
      });
      if (started > this.began) this.end(); // its statements can be older than the failure
      return result;
    } catch (error) {
      // A Problem is ours, such as that of a full queue: the database is there.
      if (!(error instanceof Problem) && isUnavailable(error)) this.begin(error);
      throw error;
    }
  }

  /** The database has failed, or is silent: unless it has only cancelled a statement because of another transaction. */
  begin(error: unknown): void {
    if (isConflict(error)) return;
    this.began = performance.now();
    this.ends = this.began + PAUSE_MS;
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.logger.warn({ err: error }, 'the database is unavailable: visitors get the last good copies');
  }

  /** The database has answered. */
  end(): void {
    if (!this.hasFailed) return;
    this.hasFailed = false;
    this.ends = 0;
    this.logger.info('the database is available again');
  }
}
