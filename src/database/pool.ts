import pg, { Pool as PgPool, type PoolClient, type PoolConfig } from 'pg';
import { StatementEvents } from './statement-events.js';
import { atLeastOne, bound, type Bounds, REQUEST_MS } from './statement-timeouts.js';
import { DatabaseUnavailableError } from './unavailable.js';

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/**
 * The pool of `pg`, which limits the time of statements, and throws {@link DatabaseUnavailableError} if it cannot connect.
 * `pg` itself reports a timeout only by its message.
 */
export class Pool extends PgPool {
  readonly bounds: Bounds;
  readonly statements = new StatementEvents();
  /** The time of the request for a connection, until its first statement. */
  private readonly requestTimes = new WeakMap<object, number>();

  /** @param config the configuration of `pg`, and `bounds`, by default `none` */
  constructor(private readonly config: PoolConfig & { bounds?: Bounds } = {}) {
    super(config);
    const { bounds = 'none' } = config;
    this.bounds = bounds;
    this.on('connect', (client) => this.statements.observe(client)); // before `bound`, which adds statements of its own
    if (bounds !== 'none') this.on('connect', (client) => bound(client, bounds, () => this.timeLeft(client)));
    // The next statement reports a broken connection. Between a statement and its return to the pool, a connection has no
    // other error listener, and an error event without a listener ends the process.
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const start = performance.now();
    if (!callback) {
      return super.connect().catch((error: unknown) => {
        throw this.toUnavailable(error, start);
      });
    }
    return super.connect((error, client, done) => {
      if (client) this.requestTimes.set(client, start);
      callback(error && this.toUnavailable(error, start), client, done);
    });
  }

  /** The limit of the next statement in milliseconds. The wait for the connection counts for the first one. */
  private timeLeft(client: PoolClient): number {
    const start = this.requestTimes.get(client) ?? performance.now();
    this.requestTimes.delete(client);
    return atLeastOne(start + REQUEST_MS - performance.now());
  }

  /** Detects a timeout by the clock, because the error of `pg` has no code. */
  private toUnavailable(error: unknown, start: number): DatabaseUnavailableError {
    const { connectionTimeoutMillis: limit, max } = this.config;
    const waited = performance.now() - start;
    if (!limit || waited < limit - 10) return this.unavailable(error);
    const isFull = this.totalCount >= (max ?? 0);
    return this.unavailable(
      error,
      `${isFull ? `no connection of ${max} became free` : 'no answer'} within ${limit / 1000} s`,
    );
  }

  /** Creates an error with the name of this database. */
  unavailable(cause: unknown, timedOut?: string): DatabaseUnavailableError {
    return new DatabaseUnavailableError(this.config, cause, timedOut);
  }

  /** Creates a separate pool for the same database. The caller ends it. */
  separate(config: PoolConfig): Pool {
    return new Pool({ ...this.config, ...config });
  }
}

/** The `pg` module with this pool, for TypeORM's `driver` option. */
export const driver = { ...pg, Pool };
