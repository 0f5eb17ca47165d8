import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { threadPath } from '../../platform/config/project-files.js';
import { OverLimitsError, TaskThread, type ThreadLimits } from '../../platform/server/task-thread.js';
import { invalidImage } from './invalid-image.js';
import type { SvgSize } from './svg-size.js';
import type { SvgOutcome } from './svg.worker.js';

/** Limits of checks. `idleMs`: time after which an idle thread ends, in milliseconds. */
interface SvgLimits extends ThreadLimits {
  idleMs: number;
}

/** The slowest known SVG of 100 KiB takes 0.1 s, and the thread 0.2 s to start. */
export const SVG_LIMITS: SvgLimits = { taskMs: 5_000, heapMb: 64, idleMs: 10_000 };

const ENTRY = threadPath('branding/images/svg.worker.js');

type SvgThread = TaskThread<Uint8Array, SvgOutcome>;

/** Checks SVGs in worker threads with bounded time and memory, so that a hostile one blocks no other request. */
@Injectable()
export class SvgThreads implements OnApplicationShutdown {
  private readonly idle = new Set<SvgThread>();

  constructor(private readonly limits: SvgLimits) {}

  /**
   * Checks an SVG, and returns its size. The caller bounds the number of concurrent checks.
   * @throws Problem 400 `invalid_image` as `checkSvg`, or if the check takes too much time or memory
   */
  async check(bytes: Uint8Array): Promise<SvgSize> {
    const [thread = new TaskThread<Uint8Array, SvgOutcome>(ENTRY, this.limits)] = this.idle;
    this.idle.delete(thread);
    const own = new Uint8Array(bytes); // a Buffer can share memory with others
    const outcome = await thread.run(own, [own.buffer]).catch((error: unknown) => {
      throw error instanceof OverLimitsError ? invalidImage('The SVG is too complex. Simplify it.') : error;
    });
    this.idle.add(thread);
    thread.endAfter(this.limits.idleMs, () => this.idle.delete(thread));
    if ('detail' in outcome) throw invalidImage(outcome.detail);
    return outcome.size;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.idle].map((thread) => thread.end()));
  }
}
