import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Client } from 'pg';
import { throughPgBouncer } from './database.js';

/** A statement as sent, with the values of its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
  /** Client of `pg` that sent it. */
  connection: object;
}

/**
 * The request, or the call of a test, that a statement belongs to. Statements of the server's timers belong to none.
 */
const causes = new AsyncLocalStorage<object>();

/** Whether a statement always counts, because requests share it. */
type IsShared = (text: string) => boolean;

/** The statements of `action` and of requests that begin while it runs, without other work of the server. */
export async function statementsOf(action: () => Promise<unknown>, isShared?: IsShared): Promise<string[]> {
  return (await statementsWithValuesOf(action, isShared)).map(({ text }) => text);
}

/** The same, with their values. */
export async function statementsWithValuesOf(
  action: () => Promise<unknown>,
  isShared: IsShared = () => false,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const call = causes.getStore() ?? {};
  const own = new WeakSet([call]);
  const onRequest = (message: unknown): void => {
    const request: unknown = Reflect.get(Object(message), 'request');
    if (typeof request !== 'object' || request === null) throw new Error('the channel has no request');
    own.add(request);
    causes.enterWith(request);
  };
  const query = Client.prototype.query;
  Client.prototype.query = new Proxy(query, {
    apply(target, client: object, parameters: unknown[]) {
      const cause = causes.getStore();
      const isOwn = cause !== undefined && own.has(cause);
      statements.push(...statementIn(client, parameters).filter(({ text }) => isOwn || isShared(text)));
      return Reflect.apply(target, client, parameters);
    },
  });
  subscribe('http.server.request.start', onRequest);
  try {
    await causes.run(call, action);
  } finally {
    unsubscribe('http.server.request.start', onRequest);
    Client.prototype.query = query;
  }
  return statements;
}

function statementIn(connection: object, [first, second]: unknown[]): Statement[] {
  const isObject = typeof first === 'object' && first !== null;
  const text: unknown = isObject ? Reflect.get(first, 'text') : first;
  const values: unknown = isObject ? Reflect.get(first, 'values') : second;
  return typeof text === 'string'
    ? [{ text: text.trim(), values: Array.isArray(values) ? values : [], connection }]
    : [];
}

/**
 * The same, without statements about keys (lookups and last uses), which occur at any time.
 * Through PgBouncer, also without the transaction around a single statement, which sets its limits.
 */
export async function requestStatementsOf(
  action: () => Promise<unknown>,
  isShared?: IsShared,
): Promise<string[]> {
  let open = 0;
  const isOfRequest = (text: string) => {
    if (/key_hash|SET last_used_at/.test(text)) return false;
    if (!throughPgBouncer) return true;
    if (text.startsWith('START TRANSACTION')) open += 1;
    if (text !== 'COMMIT') return !text.startsWith('BEGIN; SET LOCAL');
    if (open === 0) return false;
    open -= 1;
    return true;
  };
  return (await statementsOf(action, isShared)).filter(isOfRequest);
}
