import { LRUCache } from 'lru-cache';
import { PipelinedConnection, SLOW_MS } from './pipelined-connection.js';
import type { Pool } from './pool.js';

/** One in this many connections of the pool is shared by reads. */
const CONNECTIONS_PER_SHARED = 5;
/** Time after a slow read for which the reads of its owner do not share a connection. */
const ALONE_MS = 10_000;
const MAX_ALONE = 1_000;

/** Connections of a pool that reads share. */
export class SharedReads {
  private readonly connections: PipelinedConnection[];
  /** Owners with a recent slow read. */
  private readonly alone = new LRUCache<string, true>({ max: MAX_ALONE, ttl: ALONE_MS });

  /** @param size maximum number of connections of the pool. 0 disables sharing */
  constructor(
    private readonly pool: Pool,
    size: number,
  ) {
    const count = Math.floor(size / CONNECTIONS_PER_SHARED);
    this.connections = Array.from({ length: count }, () => new PipelinedConnection(pool));
  }

  /** Runs a read on the shared connection with the fewest reads, or on its own connection. */
  async run<Result>(
    owner: string,
    read: (connection: PipelinedConnection) => Promise<Result>,
  ): Promise<Result> {
    const shared = this.alone.size > 0 && this.alone.has(owner) ? undefined : this.leastLoaded();
    const start = performance.now();
    try {
      return await read(shared ?? new PipelinedConnection(this.pool));
    } finally {
      if (performance.now() - start > SLOW_MS) this.alone.set(owner, true);
    }
  }

  private leastLoaded(): PipelinedConnection | undefined {
    const [connection] = this.connections.filter(({ isFull }) => !isFull).toSorted((a, b) => a.load - b.load);
    return connection;
  }
}
