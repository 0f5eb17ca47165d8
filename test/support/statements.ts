import { Client } from 'pg';

/** The statements that reach the database while `action` runs. */
export async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const query = Client.prototype.query;
  Client.prototype.query = new Proxy(query, {
    apply(target, client, parameters: unknown[]) {
      const [text] = parameters;
      if (typeof text === 'string') statements.push(text.trim());
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

/** The same, without the notes of when keys were used, which come whenever they come. */
export async function requestStatementsOf(action: () => Promise<unknown>): Promise<string[]> {
  return (await statementsOf(action)).filter((text) => !text.includes('SET last_used_at'));
}
