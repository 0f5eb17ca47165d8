import { Client, type ClientBase, Query } from 'pg';

/** The end of a statement. */
export interface StatementEnd {
  /** Milliseconds from its start until its result. A pipelined statement starts with the end of the one before it. */
  duration_ms: number;
  /** Milliseconds from sending it until its result, with the wait for pipelined statements before it. */
  waited_ms: number;
  error: Error | undefined;
}

/** Receives the text of each statement when it is sent, never its values. Returns what receives its end. */
type StatementListener = (text: string) => ((end: StatementEnd) => void) | undefined;

/**
 * Announces the statements of a pool, whoever sends them. Without listeners, it costs nothing.
 *
 *     pool.statements.listen((text) => ({ duration_ms }) => log(text, duration_ms));
 */
export class StatementEvents {
  private readonly listeners: StatementListener[] = [];

  /** Adds a listener, which must not throw. */
  listen(listener: StatementListener): void {
    this.listeners.push(listener);
  }

  /** Makes a connection announce its statements. */
  observe(client: ClientBase): void {
    let freeSince = 0;
    client.query = new Proxy(client.query, {
      apply: (_query, _client, parameters: unknown[]) => {
        const [statement] = parameters;
        if (this.listeners.length === 0) return Reflect.apply(Client.prototype.query, client, parameters);
        const text = textOf(statement);
        const ends = this.listeners.flatMap((listener) => listener(text) ?? []);
        const sent = performance.now();
        const end = (failure: unknown) => {
          const now = performance.now();
          const duration_ms = now - Math.max(sent, freeSince);
          freeSince = now;
          const error = failure instanceof Error ? failure : undefined;
          for (const announce of ends) announce({ duration_ms, waited_ms: now - sent, error });
        };
        if (statement instanceof Query) onResult(statement, end);
        const result: unknown = Reflect.apply(Client.prototype.query, client, parameters);
        if (result instanceof Promise) result.then(() => end(undefined), end);
        return result;
      },
    });
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const hasText = typeof statement === 'object' && statement !== null && 'text' in statement;
  return hasText ? String(statement.text) : '';
}

/** Calls `end` before the callback of a query. */
function onResult(query: Query, end: (error: unknown) => void): void {
  const callback: unknown = Reflect.get(query, 'callback');
  const withEnd = (error: unknown, result: unknown) => {
    end(error);
    if (typeof callback === 'function') callback(error, result);
  };
  Object.assign(query, { callback: withEnd });
}
