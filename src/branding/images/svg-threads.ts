import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { threadPath } from '../../platform/config/project-files.js';
import { OverLimitsError } from '../../platform/server/task-thread.js';
import { type PoolLimits, ThreadPool } from '../../platform/server/thread-pool.js';
import { invalidImage } from './invalid-image.js';
import type { SvgSize } from './svg-size.js';
import type { SvgOutcome } from './svg.worker.js';

/** The slowest known SVG of 100 KiB takes 0.1 s, and the thread 0.2 s to start. */
export const SVG_LIMITS: PoolLimits = { taskMs: 5_000, heapMb: 64, idleMs: 10_000 };

const ENTRY = threadPath('branding/images/svg.worker.js');

/** Checks SVGs in worker threads with bounded time and memory, so that a hostile one blocks no other request. */
@Injectable()
export class SvgThreads implements OnApplicationShutdown {
  private readonly threads: ThreadPool<Uint8Array, SvgOutcome>;

  constructor(limits: PoolLimits) {
    this.threads = new ThreadPool(ENTRY, limits);
  }

  /**
   * Checks an SVG, and returns its size. The caller bounds the number of concurrent checks.
   * @throws Problem 400 `invalid_image` as `checkSvg`, or if the check takes too much time or memory
   */
  async check(bytes: Uint8Array): Promise<SvgSize> {
    const own = new Uint8Array(bytes); // a Buffer can share memory with others
    const outcome = await this.threads.run(own, [own.buffer]).catch((error: unknown) => {
      throw error instanceof OverLimitsError ? invalidImage('The SVG is too complex. Simplify it.') : error;
    });
    if ('detail' in outcome) throw invalidImage(outcome.detail);
    return outcome.size;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.end();
  }
}
