import { Client } from 'pg';
import { throughPgBouncer } from './database.js';

/** A statement as it was sent, with the values of its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that reach the database while `action` runs. */
export async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  return (await statementsWithValuesOf(action)).map(({ text }) => text);
}

/** The same, with their values. */
export async function statementsWithValuesOf(action: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const query = Client.prototype.query;
  Client.prototype.query = new Proxy(query, {
    apply(target, client, parameters: unknown[]) {
      const [first, second] = parameters;
      const isObject = typeof first === 'object' && first !== null;
      const text: unknown = isObject ? Reflect.get(first, 'text') : first;
      const values: unknown = isObject ? Reflect.get(first, 'values') : second;
      if (typeof text === 'string')
        statements.push({ text: text.trim(), values: Array.isArray(values) ? values : [] });
      return Reflect.apply(target, client, parameters);
    },
  });
  try {
    await action();
  } finally {
    Client.prototype.query = query;
  }
  return statements;
}

/**
 * The same, without those about keys: looking them up, or not, and noting when they were used, come whenever they come.
 * Through PgBouncer, also without the transaction around a single statement, which sets its limits.
 */
export async function requestStatementsOf(action: () => Promise<unknown>): Promise<string[]> {
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
  return (await statementsOf(action)).filter(isOfRequest);
}
