import {
  Client,
  type Connection,
  type CustomTypesConfig,
  DatabaseError,
  type PoolClient,
  Query,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { keepLargeText } from './large-text.js';
import { atLeastOne, limitNext, REQUEST_MS, runAlone } from './statement-timeouts.js';
import type { Pool } from './pool.js';

/** Maximum number of concurrent statements per connection. Eight doubled the p99 of reads of 25 large rows. */
const MAX_STATEMENTS = 4;
/** A connection whose first statement has been in flight for this long takes no further statements. */
export const SLOW_MS = 100;

interface Lease {
  client: Promise<PoolClient>;
  statements: number;
  /** Time since which the next statement to return a result has been the first. */
  firstSince: number;
  failed: boolean;
}

/**
 * A connection that several statements share in PostgreSQL's pipeline mode. Each statement is sent without waiting for earlier results,
 * and runs in its own transaction. Results arrive in order, so a slow statement delays the statements behind it. If a statement breaks
 * the connection or times out, the other statements also fail. After the last statement, the connection returns to the pool.
 */
export class PipelinedConnection {
  private lease: Lease | undefined;

  constructor(private readonly pool: Pool) {}

  /** Number of statements without a result. */
  get load(): number {
    return this.lease?.statements ?? 0;
  }

  /** Whether the next statement requires another connection. */
  get isFull(): boolean {
    const { lease } = this;
    if (!lease) return false;
    return lease.statements >= MAX_STATEMENTS || performance.now() - lease.firstSince > SLOW_MS;
  }

  /**
   * Runs a statement and returns its rows.
   * @param writes whether the statement may write. It then has the connection to itself
   * @param limit time for getting a connection and running the statement, in milliseconds
   * @param lock a SELECT that locks the rows that the statement changes, see {@link lockFirst}
   * @throws DatabaseUnavailableError, or DatabaseError for an error of PostgreSQL
   */
  async query<Row extends QueryResultRow>(
    statement: QueryConfig,
    writes = false,
    limit = REQUEST_MS,
    lock?: QueryConfig,
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
      const run = () => this.rowsOf<Row>(client, statement, left, lock);
      return await (writes ? runAlone(client, this.pool.bounds, left, run) : run());
    } catch (error) {
      if (!isStatementError(error, lock !== undefined)) {
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

  /** Sends a `Query`, because `pg` copies any other object. */
  private rowsOf<Row extends QueryResultRow>(
    client: PoolClient,
    { text, values, name }: QueryConfig,
    query_timeout: number,
    lock?: QueryConfig,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const end = this.pool.statements.begin(client, text);
      const callback = (error: Error | null, result?: QueryResult<Row> | QueryResult<Row>[]) => {
        const last = Array.isArray(result) ? result.at(-1) : result;
        end(error);
        if (error || !last) reject(error);
        else resolve(last.rows);
      };
      const query = Object.assign(new LargeTextQuery<Row>(text, values), { name, callback, query_timeout });
      if (lock) lockFirst(query, lock);
      Reflect.apply(Client.prototype.query, client, [query]); // skips the limits and events that `Pool` adds for TypeORM
    });
  }

  /** Makes the next statement use another connection. */
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
 * Returns whether only the statement failed, because of its values or another transaction (SQLSTATE classes 22, 23 and 40). After any
 * other error, the connection is closed. It is also closed if a lock may have failed, because `pg` would then treat the statement after
 * the lock, which PostgreSQL has skipped, as prepared.
 */
function isStatementError(error: unknown, hasLock: boolean): boolean {
  return error instanceof DatabaseError && (hasLock ? /^23/ : /^(22|23|40)/).test(error.code ?? '');
}

/**
 * A statement that returns large texts as `LargeText`. If the config contained `types`, `pg` would copy it property by property, which
 * takes 5 % of a request. `pg` does not copy a text, and then reads `types` from the statement.
 */
class LargeTextQuery<Row extends QueryResultRow> extends Query<Row> {
  get types(): CustomTypesConfig {
    return keepLargeText;
  }

  set types(_: unknown) {
    // `pg` assigns undefined, because the config does not contain types
  }
}

/**
 * Sends a lock before a statement, and one Sync after both, so that PostgreSQL runs them in one transaction without an additional round
 * trip. The snapshot of the statement is taken after the lock, so the statement finds the locked version of the row. If one statement
 * locked and updated the row, its snapshot could be older than the locked version, and could deadlock with transactions that hold
 * `FOR KEY SHARE` on the row.
 * @param lock a SELECT whose rows are not read
 */
function lockFirst(query: Query, { text, values, name }: QueryConfig): void {
  const { submit } = query;
  const lock = Object.assign(new Query(limitNext(text), values), { name });
  query.submit = (connection) => {
    connection.stream.cork(); // one packet
    try {
      lock.submit(withoutSync(connection));
      return submit.call(query, connection);
    } finally {
      connection.stream.uncork();
    }
  };
}

const connectionsWithoutSync = new WeakMap<Connection, Connection>();

/** Returns the connection without `describe` and `sync`, for a statement whose rows are not read and that another one follows. */
function withoutSync(connection: Connection): Connection {
  const known = connectionsWithoutSync.get(connection);
  if (known) return known;
  const nothing = { value: () => undefined };
  const created: Connection = Object.create(connection, { describe: nothing, sync: nothing });
  connectionsWithoutSync.set(connection, created);
  return created;
}
