import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairTurns } from '@status-pages/fair-admission';
import { threadPath } from '../platform/config/project-files.js';
import { OverLimitsError } from '../platform/server/task-thread.js';
import { type PoolLimits, ThreadPool } from '../platform/server/thread-pool.js';
import { Problem } from '../platform/problems/problem.js';
import type { ImportedPage } from './imported-page.js';
import type { ImportFormat } from './read.js';
import type { Outcome, ReadTask } from './reader.worker.js';

/** Limits of reading files. */
export interface ReaderLimits extends PoolLimits {
  /**
   * Maximum number of files that are read concurrently, each in its own thread. With two, one is reserved for other
   * organizations.
   */
  threads: number;
  /** Maximum number of waiting files, of up to 5 MiB each. */
  waiting: number;
  /** Maximum waiting time of a file, in milliseconds. */
  waitMs: number;
}

/** Limits of the server. */
// Measured on one core: 5 MiB of a real configuration 0.5 s and 100 MB, the slowest known file 5 s, starting a thread 0.6 s.
export const READER_LIMITS: ReaderLimits = {
  threads: 2,
  waiting: 16,
  waitMs: 10_000,
  taskMs: 15_000,
  heapMb: 384,
  idleMs: 10_000,
};

const ENTRY = threadPath('imports/reader.worker.js');

/**
 * Reads files in worker threads with bounded time and memory, so that a hostile file blocks no other request. Organizations
 * share the threads. No organization can use all of them, and the organization with the fewest threads is next.
 */
@Injectable()
export class ReaderThreads implements OnApplicationShutdown {
  private readonly threads: ThreadPool<ReadTask, Outcome>;
  private readonly turns: FairTurns;

  constructor(limits: ReaderLimits) {
    const { threads, waiting, waitMs } = limits;
    this.threads = new ThreadPool(ENTRY, limits);
    this.turns = new FairTurns(threads, { minFair: 2, waiting, patienceMs: waitMs });
  }

  /** Number of threads, working and idle. */
  get size(): number {
    return this.threads.size;
  }

  /**
   * Reads the page in a file of an organization.
   * @throws Problem 400 as `readFile`; 413 `payload_too_large` if reading takes too much time or memory; 503 `unavailable` if
   * too many files wait, or this one has waited too long
   */
  async read(organizationId: string, format: ImportFormat, bytes: Uint8Array): Promise<ImportedPage> {
    const task = () => {
      const own = new Uint8Array(bytes); // a Buffer can share memory with others
      return this.threads.run({ format, bytes: own }, [own.buffer]);
    };
    const outcome = await this.turns.run(organizationId, task, tooManyImports).catch((error: unknown) => {
      throw error instanceof OverLimitsError ? tooComplex() : error;
    });
    if ('page' in outcome) return outcome.page;
    throw new Problem(outcome.problem.code, outcome.problem);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.end();
  }
}

function tooComplex(): Problem {
  return new Problem('payload_too_large', {
    detail: 'The file is too complex to parse within the time and memory limits',
  });
}

function tooManyImports(): Problem {
  return new Problem('unavailable', {
    detail: 'Too many imports are in progress',
    headers: { 'Retry-After': '5' },
  });
}
