import {
  DatabaseError,
  type PoolClient,
  Query,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { atLeastOne, REQUEST_MS, runAlone } from './bounds.js';
import type { Pool } from './pool.js';

/**
 * Statements that may be under way at once. With eight, lists were no faster, and their slowest took twice the time
 * (docs/performance.md).
 */
const MAX_STATEMENTS = 4;

interface Lease {
  client: Promise<PoolClient>;
  statements: number;
  failed: boolean;
}

/**
 * A connection that statements share while there are any: each is sent behind the others without waiting for their answers
 * (PostgreSQL's pipeline), and is a transaction of its own. So both processes are woken less often, which is what a small
 * statement costs most. They are answered in order: a slow one holds up those behind it. One that breaks the connection,
 * or has not been answered in time, fails the others, too.
 */
export class PipelinedConnection {
  private lease: Lease | undefined;

  constructor(private readonly pool: Pool) {}

  /** Statements that have not been answered yet. */
  get load(): number {
    return this.lease?.statements ?? 0;
  }

  /** Whether the next statement should go elsewhere. */
  get isFull(): boolean {
    return this.load >= MAX_STATEMENTS;
  }

  /**
   * The rows of a statement.
   * @param writes whether it may write; it must then have the lane to itself
   * @throws DatabaseUnavailableError, or what the database says
   */
  async query<Row extends QueryResultRow>(statement: QueryConfig, writes = false): Promise<Row[]> {
    const ends = performance.now() + REQUEST_MS;
    const lease = (this.lease ??= { client: this.pool.connect(), statements: 0, failed: false });
    lease.statements += 1;
    try {
      const client = await lease.client;
      const left = atLeastOne(ends - performance.now());
      const run = () => rowsOf<Row>(client, statement, left);
      return await (writes ? runAlone(client, this.pool.bounds, left, run) : run());
    } catch (error) {
      if (!isRefusal(error)) {
        lease.failed = true;
        this.leave(lease);
      }
      throw error;
    } finally {
      lease.statements -= 1;
      if (lease.statements === 0) this.giveBack(lease);
    }
  }

  /** The next statement takes another connection. */
  private leave(lease: Lease): void {
    if (this.lease === lease) this.lease = undefined;
  }

  private giveBack(lease: Lease): void {
    this.leave(lease);
    lease.client.then(
      (client) => client.release(lease.failed),
      () => undefined,
    );
  }
}

/**
 * Whether a statement was refused for its values, or for another transaction's sake (SQLSTATE classes 23 and 40): nothing
 * is wrong with its connection. After any other error it is not used again, as the pool itself does.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && /^(23|40)/.test(error.code ?? '');
}

/** pg takes a query of its own kind as it is; any other object it copies, property by property, for 5 % of a request. */
function rowsOf<Row extends QueryResultRow>(
  client: PoolClient,
  { text, values, name }: QueryConfig,
  query_timeout: number,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, result?: QueryResult<Row>) =>
      error || !result ? reject(error) : resolve(result.rows);
    client.query(Object.assign(new Query<Row>(text, values), { name, callback, query_timeout }));
  });
}
