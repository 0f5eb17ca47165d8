import type { Client, ClientBase, QueryConfig, QueryResult } from 'pg';
import { isSentWithNext, joinPackets } from './one-packet.js';

/** Limit for getting a connection and running its first statement, and for each further statement of a transaction. */
export const REQUEST_MS = 5_000;
/** Limit for getting a connection. */
export const CONNECT_MS = 4_000;
/**
 * `statement_timeout`. Shorter than the client timeout, so that PostgreSQL does not write after a 503. If less time is left than
 * STATEMENT_MS + NETWORK_MS, `runAlone` uses a transaction instead.
 */
const STATEMENT_MS = 4_000;
const NETWORK_MS = 500;
/** `idle_in_transaction_session_timeout`. Ends the transaction of a frozen process before requests for its locks time out. */
const IDLE_IN_TRANSACTION_MS = 3_000;

/** Limits in PostgreSQL and in the client for a statement after `allowLong`. */
const LONG_STATEMENT_MS = 10_000;
const LONG_MS = 11_000;

/**
 * Method by which PostgreSQL limits the time of statements:
 * - `session`: connection parameters;
 * - `transaction`: SET LOCAL, because a pooler such as PgBouncer rejects or ignores the parameters;
 * - `none`: no limits, for migrations.
 */
export type Bounds = 'session' | 'transaction' | 'none';

/** Connection parameters, in milliseconds. */
export const SESSION_BOUNDS = {
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

const SET_LOCAL = Object.entries(SESSION_BOUNDS)
  .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  .join('; ');

/** Adds the limits to the statement that begins a transaction, in one message. */
function withLimits(text: string, bounds: Bounds): string {
  return bounds === 'transaction' ? `${text}; ${SET_LOCAL}` : text;
}

/**
 * Runs a statement outside of a transaction within `left` milliseconds. A statement that times out in the client never takes effect,
 * because PostgreSQL cancels it earlier, or the transaction around it is not committed.
 * @param run sends the statement, with a timeout of `left` milliseconds
 */
export async function runAlone<Result>(
  client: ClientBase,
  bounds: Bounds,
  left: number,
  run: () => Promise<Result>,
): Promise<Result> {
  if (bounds !== 'transaction' && left >= STATEMENT_MS + NETWORK_MS) return run();
  const deadline = performance.now() + left;
  // Pipelined with the statement, to save a round trip.
  const begun = send(client, { text: withLimits('BEGIN', bounds), query_timeout: left });
  let result: Result;
  try {
    [, result] = await Promise.all([begun, run()]);
  } catch (error) {
    await send(client, { text: 'ROLLBACK', query_timeout: left }).catch(() => undefined);
    throw error;
  }
  await send(client, { text: 'COMMIT', query_timeout: atLeastOne(deadline - performance.now()) });
  return result;
}

/** Lock wait that does not count, because {@link REQUEST_MS} leaves more time. */
const SHORT_WAIT = `interval '100 milliseconds'`;

/**
 * Returns the SQL of a lock whose wait reduces the `statement_timeout` of the next statement. Otherwise both together could take
 * longer than the client waits. The SQL returns no rows.
 * @param lock a SELECT … FOR UPDATE or FOR NO KEY UPDATE
 */
export function limitNext(lock: string): string {
  const waited = 'clock_timestamp() - now()';
  const left = `greatest(1, ${STATEMENT_MS} - 1000 * date_part('epoch', ${waited}))::integer::text`;
  // Without OFFSET, PostgreSQL would evaluate the condition before it takes the lock.
  return `SELECT FROM (${lock} OFFSET 0) AS locked
           WHERE ${waited} > ${SHORT_WAIT} AND set_config('statement_timeout', ${left}, true) IS NULL`;
}

const longTransactions = new WeakSet<object>();

/** Extends the limit of each further statement of the client's transaction to ten seconds. */
export async function allowLong(client: ClientBase): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${LONG_STATEMENT_MS}`);
  longTransactions.add(client);
}

/**
 * Adds limits to the queries that TypeORM sends, which have a text and values. `PipelinedConnection` and `StatementRunner`
 * send query objects and add their own limits.
 * @param timeLeft returns the limit of the next statement, in milliseconds
 */
export function bound(client: Client, bounds: Bounds, timeLeft: () => number): void {
  client.query = new Proxy(client.query, {
    apply(query, _client, parameters: unknown[]) {
      const [text, values] = parameters;
      if (typeof text !== 'string') return Reflect.apply(query, client, parameters);
      if (text === 'START TRANSACTION') longTransactions.delete(client);
      const isInTransaction = beginning.has(client) || client.getTransactionStatus() !== 'I';
      const left = isInTransaction && longTransactions.has(client) ? LONG_MS : timeLeft();
      const run = (sql = text) =>
        send(client, { text: sql, ...(Array.isArray(values) && { values }), query_timeout: left });
      const begins = text === 'START TRANSACTION';
      const runLimited = () => run(begins ? withLimits(text, bounds) : text);
      if (isSentWithNext(client, text)) return sendWithNext(client, runLimited);
      if (begins) return runLimited();
      const isAlone = !isInTransaction && !/^\s*SELECT\b/i.test(text);
      return isAlone ? runAlone(client, bounds, left, run) : run();
    },
  });
}

/** Connections that have sent BEGIN. Their transaction status changes with its result. */
const beginning = new WeakSet<ClientBase>();

/**
 * Sends BEGIN or a savepoint in one packet with the next statement, without waiting for its result, which saves a round trip. It
 * fails only if the next statement also fails: because the connection is broken, or because an earlier statement has failed.
 */
async function sendWithNext(client: Client, run: () => Promise<QueryResult>): Promise<void> {
  joinPackets(client);
  beginning.add(client);
  run()
    .catch(() => undefined)
    .finally(() => beginning.delete(client));
}

/** Sends a statement as an object, which {@link bound} does not change. */
function send(client: ClientBase, statement: QueryConfig & { query_timeout: number }): Promise<QueryResult> {
  return client.query(statement);
}

/** A timeout in whole milliseconds, at least 1, because 0 disables it. */
export function atLeastOne(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds));
}
