import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isUnavailable } from '../platform/problems/problem.filter.js';
import type { DeliveriesRepository, Result } from './deliveries.repository.js';
import type { DeliveryCounts } from './delivery-counts.js';

/** Time for which results are collected for one statement. Short, because what is not written is sent again after a crash. */
const COLLECT_MS = 10;

const RETRY_MS = 1_000;

const MAX_ERROR = 200;

const MAX_BATCH = 500;

/** Writes the results of deliveries, many with one statement. Retries while the database is unavailable. */
export class ResultWriter {
  private waiting: Result[] = [];
  private writing = 0;
  private running: Promise<void> | undefined;

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly logger: Logger,
    private readonly counts: DeliveryCounts,
    private readonly onWritten: () => void,
  ) {}

  /** Number of results that are not written yet. */
  get unwritten(): number {
    return this.waiting.length + this.writing;
  }

  write(result: Result): void {
    const error = result.error === null ? null : cleanError(result.error);
    const after_ms = Number.isFinite(result.after_ms) ? Math.max(0, result.after_ms) : 0;
    this.waiting.push({ ...result, error, after_ms });
    this.running ??= this.run();
  }

  /** Resolves when all results are written. */
  async end(): Promise<void> {
    while (this.running) await this.running;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await delay(COLLECT_MS);
      const batch = this.waiting.splice(0, MAX_BATCH);
      this.writing = batch.length;
      const isWritten = await this.tryWrite(batch);
      this.writing = 0;
      if (!isWritten) {
        this.waiting = [...batch, ...this.waiting];
        await delay(RETRY_MS);
      }
      this.onWritten();
    }
    // In the same step as the last check of `waiting`. Later, `write` could rely on a run that has ended.
    this.running = undefined;
  }

  /** Returns false if it should be tried again. */
  private async tryWrite(batch: Result[]): Promise<boolean> {
    try {
      this.count(batch, new Set(await this.repository.settle(batch)));
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false; // the worker logs it
      this.logger.error({ err: error }, 'could not write the results of deliveries');
      return true; // they are sent again after their leases
    }
  }

  private count(batch: Result[], written: Set<string>): void {
    for (const { delivery, status, is_begun } of batch)
      if (!written.has(delivery.id)) this.counts.superseded += 1;
      else if (status !== 'pending') this.counts.finished[status] += 1;
      else if (is_begun) this.counts.retries += 1;
  }
}

/** Returns an error without control characters, and without anything like an address. */
function cleanError(error: string): string {
  const words = error.replaceAll(/\p{Cc}+/gu, ' ').split(' ');
  const text = words.map((word) => (word.slice(1, -1).includes('@') ? '(address)' : word)).join(' ');
  return [...text].slice(0, MAX_ERROR).join('').trim();
}
