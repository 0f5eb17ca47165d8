import { Client, type ClientBase, type QueryConfig, type QueryResult } from 'pg';
import type { EntityManager } from 'typeorm';

/** From asking for a connection to the answer of its first statement, and for each further statement of a transaction. */
export const REQUEST_MS = 5_000;
/** The part of it that a request may wait for a connection. */
export const CONNECT_MS = 4_000;
/**
 * When PostgreSQL ends a statement: before its client gives up, so that nothing is written after a 503. With less time left
 * than this and a little for the way, a statement that writes is committed only once its answer is there.
 */
const STATEMENT_MS = 4_000;
const ON_THE_WAY_MS = 500;
/** When PostgreSQL ends a transaction whose process is frozen: before those that wait for its locks give up. */
const IDLE_IN_TRANSACTION_MS = 3_000;

/** When PostgreSQL ends a statement of a transaction that may take long, and when its client gives up. */
const LONG_STATEMENT_MS = 10_000;
const LONG_MS = 11_000;

/**
 * Who keeps a statement within bounds:
 * - `session`: PostgreSQL, by parameters of the connection;
 * - `transaction`: PostgreSQL, by SET LOCAL, where a pooler such as PgBouncer refuses or ignores those parameters;
 * - `none`: nobody, for migrations.
 */
export type Bounds = 'session' | 'transaction' | 'none';

/** The parameters of a connection that bound its statements, in milliseconds. */
export const SESSION_BOUNDS = {
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

const SET_LOCAL = Object.entries(SESSION_BOUNDS)
  .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  .join('; ');

/** Text that begins a transaction. PostgreSQL takes it as one message. */
function beginOf(text: string, bounds: Bounds): string {
  return bounds === 'transaction' ? `${text}; ${SET_LOCAL}` : text;
}

/**
 * The result of a statement that may write and is no part of a transaction, within `left` milliseconds. A statement whose
 * client gives up is not applied later: PostgreSQL ends it before, or it is never committed.
 * @param run sends the statement, and gives up after `left` milliseconds
 */
export async function runAlone<Result>(
  client: ClientBase,
  bounds: Bounds,
  left: number,
  run: () => Promise<Result>,
): Promise<Result> {
  if (bounds !== 'transaction' && left >= STATEMENT_MS + ON_THE_WAY_MS) return run();
  const ends = performance.now() + left;
  // Sent in one go with the statement: it costs no round trip.
  const begun = send(client, { text: beginOf('BEGIN', bounds), query_timeout: left });
  let result: Result;
  try {
    [, result] = await Promise.all([begun, run()]);
  } catch (error) {
    await send(client, { text: 'ROLLBACK', query_timeout: left }).catch(() => undefined);
    throw error;
  }
  await send(client, { text: 'COMMIT', query_timeout: atLeastOne(ends - performance.now()) });
  return result;
}

const takesLong = new WeakSet<object>();

/** Gives each further statement of a transaction ten seconds: for one whose work grows with the data of the tenant. */
export async function allowLong(manager: EntityManager): Promise<void> {
  await manager.query(`SET LOCAL statement_timeout = ${LONG_STATEMENT_MS}`);
  const client: unknown = await manager.queryRunner?.connect();
  if (client instanceof Client) takesLong.add(client);
}

/**
 * Makes what TypeORM sends on a connection keep its bounds. TypeORM sends text and values; whoever sends a query of its own
 * (Lane) bounds it itself.
 * @param timeLeft milliseconds that the next statement has
 */
export function bound(client: ClientBase, bounds: Bounds, timeLeft: () => number): void {
  client.query = new Proxy(client.query, {
    apply(_query, _client, parameters: unknown[]) {
      const [text, values] = parameters;
      if (typeof text !== 'string') return Reflect.apply(Client.prototype.query, client, parameters);
      if (text === 'START TRANSACTION') takesLong.delete(client);
      const isInTransaction = client.getTransactionStatus() !== 'I';
      const left = isInTransaction && takesLong.has(client) ? LONG_MS : timeLeft();
      const run = (sql = text) =>
        send(client, { text: sql, ...(Array.isArray(values) && { values }), query_timeout: left });
      if (text === 'START TRANSACTION') return run(beginOf(text, bounds));
      const isAlone = !isInTransaction && !/^\s*SELECT\b/i.test(text);
      return isAlone ? runAlone(client, bounds, left, run) : run();
    },
  });
}

/** As `client.query`, but around {@link bound}. */
function send(client: ClientBase, statement: QueryConfig & { query_timeout: number }): Promise<QueryResult> {
  return Reflect.apply(Client.prototype.query, client, [statement]);
}

/** A timeout of 0 would be none. */
export function atLeastOne(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds));
}
