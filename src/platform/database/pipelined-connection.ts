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
   * @param lock a SELECT that locks what the statement changes, see {@link lockFirst}
   * @throws DatabaseUnavailableError; DatabaseError for an error of PostgreSQL
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

  /** Sends a `Query`, which pg uses as it is; it copies any other object. */
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
      Reflect.apply(Client.prototype.query, client, [query]); // without what `Pool` adds to the statements of TypeORM
    });
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
 * other error the connection is closed. So it is if a lock may have failed: `pg` then takes the statement behind it, which
 * PostgreSQL has skipped, for prepared.
 */
function isStatementError(error: unknown, hasLock: boolean): boolean {
  return error instanceof DatabaseError && (hasLock ? /^23/ : /^(22|23|40)/).test(error.code ?? '');
}

/**
 * A statement that takes large texts as `LargeText`. pg copies a config with `types` property by property, which takes 5 % of a
 * request. It takes a text as it is, and then reads the property of the new statement.
 */
class LargeTextQuery<Row extends QueryResultRow> extends Query<Row> {
  get types(): CustomTypesConfig {
    return keepLargeText;
  }

  set types(_: unknown) {
    // those of the config that pg does not get
  }
}

/**
 * Sends a lock before a statement, and one Sync behind both: PostgreSQL runs them in one transaction, without a round trip
 * more. The statement has a snapshot of its own, from after the lock, so it finds the locked version of the row. If one
 * statement locks a row and updates it, its snapshot can be older than the version that it has locked, and transactions with
 * `FOR KEY SHARE` on the row let such statements deadlock.
 * @param lock a SELECT, whose rows are not read
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

/** The connection for a statement whose rows are not read, with another one behind it. */
function withoutSync(connection: Connection): Connection {
  const known = connectionsWithoutSync.get(connection);
  if (known) return known;
  const nothing = { value: () => undefined };
  const created: Connection = Object.create(connection, { describe: nothing, sync: nothing });
  connectionsWithoutSync.set(connection, created);
  return created;
}
