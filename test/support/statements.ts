import { Client } from 'pg';

/** The statements that reach the database while `action` runs, except notes of when keys were used. */
export async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const query = Client.prototype.query;
  Client.prototype.query = new Proxy(query, {
    apply(target, client, parameters: unknown[]) {
      const [text] = parameters;
      if (typeof text === 'string' && !text.includes('last_used_at')) statements.push(text.trim());
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
