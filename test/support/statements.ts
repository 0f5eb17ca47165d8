import { Client } from 'pg';

/** The statements that reach the database while `action` runs. */
export async function statementsOf(action: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const query = Client.prototype.query;
  Client.prototype.query = new Proxy(query, {
    apply(target, client, parameters: unknown[]) {
      const [text] = parameters;
      const statement: unknown = typeof text === 'object' && text !== null ? Reflect.get(text, 'text') : text;
      if (typeof statement === 'string') statements.push(statement.trim());
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

/** The same, without those about keys: looking them up, or not, and noting when they were used, come whenever they come. */
export async function requestStatementsOf(action: () => Promise<unknown>): Promise<string[]> {
  return (await statementsOf(action)).filter((text) => !/key_hash|SET last_used_at/.test(text));
}
