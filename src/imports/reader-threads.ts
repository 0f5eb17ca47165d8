import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { BoundedQueue } from '../server/bounded-queue.js';
import { Problem } from '../problems/problem.js';
import type { ImportedPage } from './imported-page.js';
import type { ImportFormat } from './read.js';
import type { Outcome, ReadTask } from './reader.worker.js';

/** The limits of reading files. */
export interface ReaderLimits {
  /** Maximum number of files that are read at once, each in its own thread. */
  threads: number;
  /** Maximum number of waiting files, of up to 5 MiB each. */
  waiting: number;
  /** Maximum waiting time of a file, in milliseconds. */
  waitMs: number;
  /** Maximum time to read a file, including the start of the thread, in milliseconds. */
  readMs: number;
  /** Heap of a thread, in MiB. */
  heapMb: number;
  /** Time after which an idle thread ends and frees its memory, in milliseconds. */
  idleMs: number;
}

/** The limits of the server. */
// Measured on one core: 5 MiB of a real configuration 0.5 s and 100 MB, the slowest known file 5 s, a thread's start 0.6 s.
export const READER_LIMITS: ReaderLimits = {
  threads: 2,
  waiting: 16,
  waitMs: 10_000,
  readMs: 15_000,
  heapMb: 256,
  idleMs: 10_000,
};

// Vitest runs this file as TypeScript, which a worker cannot load: tests use the built worker.
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/imports/reader.worker.js' : './reader.worker.js',
  import.meta.url,
);

/** Reads files in worker threads with bounded time and memory, so that a hostile file blocks no other request. */
@Injectable()
export class ReaderThreads implements OnApplicationShutdown {
  private readonly idle = new Set<ReaderThread>();
  private readonly queue: BoundedQueue;
  private working = 0;

  constructor(private readonly limits: ReaderLimits) {
    const { threads, waiting, waitMs } = limits;
    this.queue = new BoundedQueue({ running: threads, waiting, waitMs }, tooManyImports);
  }

  /** The number of threads, working and idle. */
  get size(): number {
    return this.working + this.idle.size;
  }

  /**
   * Reads the page in a file.
   * @throws Problem 400 as `readFile`; 413 `payload_too_large` if the file takes too much time or memory; 503 `unavailable`
   * if too many files wait, or this one has waited too long
   */
  async read(format: ImportFormat, bytes: Uint8Array): Promise<ImportedPage> {
    const outcome = await this.queue.run(() => this.readInThread({ format, bytes }));
    if ('page' in outcome) return outcome.page;
    throw new Problem(outcome.problem.code, outcome.problem);
  }

  private async readInThread(task: ReadTask): Promise<Outcome> {
    const [thread = new ReaderThread(this.limits)] = this.idle;
    this.idle.delete(thread);
    this.working += 1;
    try {
      const outcome = await thread.read(task);
      this.keep(thread);
      return outcome;
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

class ReaderThread {
  private readonly worker: Worker;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: ReaderLimits) {
    this.worker = new Worker(ENTRY, {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      execArgv: [],
      env: {},
    });
    // `read` reports errors. An error after its time limit must not end the process.
    this.worker.on('error', () => undefined);
  }

  /** Reads a file. After an error, the thread has ended. */
  async read({ format, bytes }: ReadTask): Promise<Outcome> {
    clearTimeout(this.idleTimer);
    this.worker.ref();
    const own = new Uint8Array(bytes); // a Buffer can share memory with others
    this.worker.postMessage({ format, bytes: own } satisfies ReadTask, [own.buffer]);
    try {
      const signal = AbortSignal.timeout(this.limits.readMs);
      const [outcome]: Outcome[] = await once(this.worker, 'message', { signal });
      if (!outcome) throw new Error('the thread sent nothing');
      return outcome;
    } catch (error) {
      await this.end();
      throw isOverLimits(error) ? tooComplex() : error;
    }
  }

  /** Ends the thread unless it reads again within `ms`. */
  endAfter(ms: number, onEnd: () => void): void {
    this.worker.unref(); // an idle thread does not keep the process alive
    this.idleTimer = setTimeout(() => {
      onEnd();
      void this.end();
    }, ms).unref();
  }

  async end(): Promise<void> {
    clearTimeout(this.idleTimer);
    await this.worker.terminate();
  }
}

function isOverLimits(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}

function tooComplex(): Problem {
  return new Problem('payload_too_large', {
    detail: 'The file is too complex: reading it takes too much time or memory',
  });
}

function tooManyImports(): Problem {
  return new Problem('unavailable', {
    detail: 'Too many files are being imported',
    headers: { 'Retry-After': '5' },
  });
}
