import { Injectable } from '@nestjs/common';
import { Env } from '../config/env.js';
import { unavailable } from '../http/problem.filter.js';

/** One in so many connections of the pool may look up keys that this process has not seen valid. */
const POOL_SHARE = 5;
const MOST_WAITING = 1_000;
const MAX_WAIT_MS = 2_000;

/**
 * Bounds how many unknown keys are looked up at once. Anybody can send unknown keys, and looking them up takes the
 * connections that everybody's requests need.
 */
@Injectable()
export class KeyLookups {
  private readonly most: number;
  private running = 0;
  private readonly waiting = new Set<() => void>(); // in the order in which they came

  constructor(env: Env) {
    this.most = Math.max(1, Math.floor(env.DATABASE_POOL_SIZE / POOL_SHARE));
  }

  /**
   * Runs a look-up when there is room for it.
   * @throws Problem 503 `unavailable` when too many wait, or after two seconds of waiting
   */
  async run<Found>(lookUp: () => Promise<Found>): Promise<Found> {
    if (this.running < this.most) this.running += 1;
    else await this.turn();
    try {
      return await lookUp();
    } finally {
      const [next] = this.waiting;
      if (next) next();
      else this.running -= 1;
    }
  }

  private async turn(): Promise<void> {
    if (this.waiting.size >= MOST_WAITING) throw unavailable();
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(start);
        reject(unavailable());
      }, MAX_WAIT_MS);
      this.waiting.add(start);
    });
  }
}
