import { AsyncLocalStorage } from 'node:async_hooks';
import { Client, Query } from 'pg';

/** A statement of the observed work, with the values of its parameters as JSON. */
export interface SentStatement {
  text: string;
  values: string;
}

/** Fails like a statement that PostgreSQL cancels after `statement_timeout`. */
const TIMEOUT = `DO $$ BEGIN
  RAISE SQLSTATE '57014' USING MESSAGE = 'canceling statement due to statement timeout';
END $$`;

/** Beginning and end of transactions, and settings of sessions. */
const CONTROL = /^\s*(?:BEGIN|START|COMMIT|ROLLBACK|SET|RESET|SAVEPOINT|RELEASE)\b/i;

/**
 * Makes statements of some work time out in PostgreSQL. Install it before the work connects.
 *
 *     const statements = FailingStatements.install();
 *     const worker = await statements.observe(() => start());
 *     statements.fails = ({ text }) => text.includes('UPDATE deliveries');
 */
export class FailingStatements {
  /** Statements of the work, without {@link CONTROL}. */
  readonly sent: SentStatement[] = [];
  /** Number of statements that have timed out. */
  failed = 0;
  fails: (statement: SentStatement) => boolean = () => false;
  private readonly work = new AsyncLocalStorage<true>();
  private readonly query = Client.prototype.query;

  static install(): FailingStatements {
    const statements = new FailingStatements();
    Client.prototype.query = new Proxy(statements.query, {
      apply: (query, client, parameters: unknown[]) =>
        Reflect.apply(query, client, statements.replace(parameters)),
    });
    return statements;
  }

  uninstall(): void {
    Client.prototype.query = this.query;
  }

  /** Observes what `work` does, also later in its timers. */
  observe<Result>(work: () => Result): Result {
    return this.work.run(true, work);
  }

  private replace(parameters: unknown[]): unknown[] {
    const [first] = parameters;
    const isObject = typeof first === 'object' && first !== null;
    const text: unknown = isObject ? Reflect.get(first, 'text') : first;
    if (!this.work.getStore() || typeof text !== 'string' || CONTROL.test(text)) return parameters;
    const values = JSON.stringify((isObject ? Reflect.get(first, 'values') : parameters[1]) ?? []);
    const statement = { text, values };
    this.sent.push(statement);
    if (!this.fails(statement)) return parameters;
    this.failed += 1;
    if (!(first instanceof Query)) return [{ text: TIMEOUT }];
    return [Object.assign(new Query(TIMEOUT), { callback: Reflect.get(first, 'callback') })];
  }
}
