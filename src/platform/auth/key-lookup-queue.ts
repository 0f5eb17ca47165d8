import { Injectable } from '@nestjs/common';
import { Env } from '../config/env.js';
import { connectionShares } from '../database/connection-shares.js';
import { FairQueue } from '../server/fair-queue.js';
import { unavailable } from '../problems/problem.js';

const LIMITS = { waiting: 1_000, waitMs: 2_000 };

/** Without a valid key, a request belongs to no organization. */
const OWNER = 'strangers';

/**
 * Limits concurrent lookups of unknown keys and sessions. Responds 503 `unavailable` if too many wait, or after two seconds. Without this
 * limit, a client without a key could use all connections of the pool.
 */
@Injectable()
export class KeyLookupQueue {
  private readonly queue: FairQueue;

  constructor(env: Env) {
    const running = connectionShares(env.DATABASE_POOL_SIZE).key_lookups;
    this.queue = new FairQueue({ ...LIMITS, running, each: running }, unavailable);
  }

  run<Result>(lookUp: () => Promise<Result>): Promise<Result> {
    return this.queue.run({ owner: OWNER }, lookUp);
  }
}
