import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairTurns, type Turn } from '@status-pages/fair-admission';
import { threadPath } from '../platform/config/project-files.js';
import { OverLimitsError, TaskThread, type ThreadLimits } from '../platform/server/task-thread.js';
import { Problem } from '../platform/problems/problem.js';
import type { ImportedPage } from './imported-page.js';
import type { ImportFormat } from './read.js';
import type { Outcome, ReadTask } from './reader.worker.js';

/** Limits of reading files. */
export interface ReaderLimits extends ThreadLimits {
  /**
   * Maximum number of files that are read concurrently, each in its own thread. With two, one is reserved for other
   * organizations.
   */
  threads: number;
  /** Maximum number of waiting files, of up to 5 MiB each. */
  waiting: number;
  /** Maximum waiting time of a file, in milliseconds. */
  waitMs: number;
  /** Time after which an idle thread ends and frees its memory, in milliseconds. */
  idleMs: number;
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

type ReaderThread = TaskThread<ReadTask, Outcome>;

/**
 * Reads files in worker threads with bounded time and memory, so that a hostile file blocks no other request. Organizations
 * share the threads. No organization can use all of them, and the organization with the fewest threads is next.
 */
@Injectable()
export class ReaderThreads implements OnApplicationShutdown {
  private readonly idle = new Set<ReaderThread>();
  private readonly turns: FairTurns;
  private working = 0;

  constructor(private readonly limits: ReaderLimits) {
    const { threads, waiting, waitMs } = limits;
    this.turns = new FairTurns(threads, { minFair: 2, waiting, patienceMs: waitMs });
  }

  /** Number of threads, working and idle. */
  get size(): number {
    return this.working + this.idle.size;
  }

  /**
   * Reads the page in a file of an organization.
   * @throws Problem 400 as `readFile`; 413 `payload_too_large` if reading takes too much time or memory; 503 `unavailable` if
   * too many files wait, or this one has waited too long
   */
  async read(organizationId: string, format: ImportFormat, bytes: Uint8Array): Promise<ImportedPage> {
    const turn = await this.takeTurn(organizationId);
    try {
      const outcome = await this.readInThread({ format, bytes });
      if ('page' in outcome) return outcome.page;
      throw new Problem(outcome.problem.code, outcome.problem);
    } finally {
      this.turns.end(turn);
    }
  }

  private takeTurn(organizationId: string): Promise<Turn> {
    return new Promise((resolve, reject) => {
      this.turns.take(organizationId, { start: resolve, refuse: () => reject(tooManyImports()) });
    });
  }

  private async readInThread({ format, bytes }: ReadTask): Promise<Outcome> {
    const [thread = new TaskThread<ReadTask, Outcome>(ENTRY, this.limits)] = this.idle;
    this.idle.delete(thread);
    this.working += 1;
    const own = new Uint8Array(bytes); // a Buffer can share memory with others
    try {
      const outcome = await thread.run({ format, bytes: own }, [own.buffer]);
      this.keep(thread);
      return outcome;
    } catch (error) {
      throw error instanceof OverLimitsError ? tooComplex() : error;
    } finally {
      this.working -= 1;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.idle].map((thread) => thread.end()));
  }

  private keep(thread: ReaderThread): void {
    this.idle.add(thread);
    thread.endAfter(this.limits.idleMs, () => this.idle.delete(thread));
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
