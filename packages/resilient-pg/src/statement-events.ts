import { Client, type ClientBase } from 'pg';
import { isSentWithNext } from './one-packet.js';

/** The end of a statement. */
export interface StatementEnd {
  /** Milliseconds from its start until its result. A pipelined statement starts when the statement before it ends. */
  duration_ms: number;
  /** Milliseconds from sending until its result, including the wait for earlier pipelined statements. */
  waited_ms: number;
  error: Error | undefined;
}

type EndListener = (end: StatementEnd) => void;

/** Receives the text of each statement when it is sent, never its values. Returns a function that receives its end. */
type StatementListener = (text: string) => EndListener | undefined;

/**
 * Reports all statements of a pool.
 *
 *     pool.statements.listen((text) => ({ duration_ms }) => log(text, duration_ms));
 */
export class StatementEvents {
  private readonly listeners: StatementListener[] = [];
  /** Time at which the last statement of each connection ended. */
  private readonly ended = new WeakMap<ClientBase, number>();

  /** Adds a listener, which must not throw. */
  listen(listener: StatementListener): void {
    this.listeners.push(listener);
  }

  /** Reports a statement that is being sent. Returns a function that reports its end. */
  begin(client: ClientBase, text: string): (failure?: unknown) => void {
    const sent = performance.now();
    const listeners: EndListener[] = [];
    for (const listener of this.listeners) {
      const end = listener(text);
      if (end) listeners.push(end);
    }
    return (failure) => {
      const now = performance.now();
      const waited_ms = now - sent;
      const duration_ms = Math.min(waited_ms, now - (this.ended.get(client) ?? 0));
      this.ended.set(client, now);
      const error = failure instanceof Error ? failure : undefined;
      for (const end of listeners) end({ duration_ms, waited_ms, error });
    };
  }

  /**
   * Makes a connection report the statements that TypeORM sends: texts and configurations, not `Query` objects. BEGIN and savepoints
   * end when they are sent, because the next statement, which includes their time, reports their error.
   */
  observe(client: Client): void {
    client.query = new Proxy(client.query, {
      apply: (_query, _client, parameters: unknown[]) => {
        const end = this.begin(client, textOf(parameters[0]));
        const result: unknown = Reflect.apply(Client.prototype.query, client, parameters);
        if (isSentWithNext(client, textOf(parameters[0]))) end();
        else if (result instanceof Promise) result.then(() => end(), end);
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
