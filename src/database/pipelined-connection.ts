import {
  DatabaseError,
  type PoolClient,
  Query,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { atLeastOne, REQUEST_MS, runAlone } from './statement-timeouts.js';
import type { Pool } from './pool.js';

/** Concurrent statements per connection. Eight doubled the p99 of lists (docs/decisions/pipelined-reads.md). */
const MAX_STATEMENTS = 4;
/** A connection whose first statement has been under way for so long takes no others. */
export const SLOW_MS = 100;

interface Lease {
  client: Promise<PoolClient>;
  statements: number;
  /** When the statement that is the next to have a result became the first. */
  firstSince: number;
  failed: boolean;
}

/**
 * A connection that several statements share: PostgreSQL's pipeline mode. Each statement is sent without waiting for the
 * results before it, and is a transaction of its own. Results arrive in order, so a slow statement delays those behind it.
 * A statement that breaks the connection or times out fails the others, too. With no statement left, the connection goes
 * back to the pool.
 */
export class PipelinedConnection {
  private lease: Lease | undefined;

  constructor(private readonly pool: Pool) {}

  /** Statements without a result yet. */
  get load(): number {
    return this.lease?.statements ?? 0;
  }

  /** Whether the next statement needs another connection. */
  get isFull(): boolean {
    const { lease } = this;
    if (!lease) return false;
    return lease.statements >= MAX_STATEMENTS || performance.now() - lease.firstSince > SLOW_MS;
  }

  /**
   * Runs a statement and returns its rows.
   * @param writes whether the statement may write; no other statement may then share the connection
   * @param limit for a connection and the statement together, in milliseconds
   * @throws DatabaseUnavailableError; DatabaseError for an error of PostgreSQL
   */
  async query<Row extends QueryResultRow>(
    statement: QueryConfig,
    writes = false,
    limit = REQUEST_MS,
  ): Promise<Row[]> {
    const now = performance.now();
    const ends = now + limit;
    const lease = (this.lease ??= {
      client: this.pool.connect(),
      statements: 0,
      firstSince: now,
      failed: false,
    });
    lease.statements += 1;
    try {
      const client = await lease.client;
      const left = atLeastOne(ends - performance.now());
      const run = () => rowsOf<Row>(client, statement, left);
      return await (writes ? runAlone(client, this.pool.bounds, left, run) : run());
    } catch (error) {
      if (!isStatementError(error)) {
        lease.failed = true;
        this.detach(lease);
      }
      throw error;
    } finally {
      lease.firstSince = performance.now();
      lease.statements -= 1;
      if (lease.statements === 0) this.release(lease);
    }
  }

  /** Makes the next statement take another connection. */
  private detach(lease: Lease): void {
    if (this.lease === lease) this.lease = undefined;
  }

  private release(lease: Lease): void {
    this.detach(lease);
    lease.client.then(
      (client) => client.release(lease.failed),
      () => undefined,
    );
  }
}

/**
 * Whether only the statement failed, by its values or by another transaction (SQLSTATE classes 22, 23 and 40). After any
 * other error the connection is closed.
 */
function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && /^(22|23|40)/.test(error.code ?? '');
}

/** pg uses a `Query` as it is. It copies any other object property by property, which takes 5 % of a request. */
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
