import { Injectable } from '@nestjs/common';
import { Env } from '../config/env.js';
import { BoundedQueue } from '../server/bounded-queue.js';
import { unavailable } from '../problems/problem.js';
/** One in so many connections of the pool may look up keys that this process has not seen valid. */
const POOL_SHARE = 5;
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 2_000;

/**
 * Bounds how many unknown keys are looked up at once: 503 `unavailable` when too many wait, or after two seconds. Anybody
 * can send unknown keys, and looking them up takes the connections that everybody's requests need.
 */
@Injectable()
export class KeyLookupQueue extends BoundedQueue {
  constructor(env: Env) {
    const running = Math.max(1, Math.floor(env.DATABASE_POOL_SIZE / POOL_SHARE));
    super({ running, waiting: MAX_WAITING, waitMs: MAX_WAIT_MS }, unavailable);
  }
}
