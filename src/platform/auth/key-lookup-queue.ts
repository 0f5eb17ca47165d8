import { Injectable } from '@nestjs/common';
import { Env } from '../config/env.js';
import { connectionShares } from '../database/connection-shares.js';
import { BoundedQueue } from '../server/bounded-queue.js';
import { unavailable } from '../problems/problem.js';

const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 2_000;

/**
 * Limits concurrent lookups of unknown keys. Responds 503 `unavailable` if too many wait, or after two seconds. Without this
 * limit, a client without a key could use all connections of the pool.
 */
@Injectable()
export class KeyLookupQueue extends BoundedQueue {
  constructor(env: Env) {
    const running = connectionShares(env.DATABASE_POOL_SIZE).key_lookups;
    super({ running, waiting: MAX_WAITING, waitMs: MAX_WAIT_MS }, unavailable);
  }
}
