import pg, { Pool as PgPool, type PoolClient, type PoolConfig } from 'pg';
import { atLeastOne, bound, type Bounds, REQUEST_MS } from './statement-timeouts.js';
import { DatabaseUnavailableError } from './unavailable.js';

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/**
 * pg's pool, with one kind of error for "no connection": pg itself tells "timed out waiting for one" by its
 * message alone, and messages are not what we decide by.
 */
export class Pool extends PgPool {
  readonly bounds: Bounds;
  /** When a connection was asked for, until its first statement. */
  private readonly askedAt = new WeakMap<object, number>();

  /** @param config pg's; `bounds` says who bounds the statements, by default nobody */
  constructor(private readonly config: PoolConfig & { bounds?: Bounds } = {}) {
    super(config);
    const { bounds = 'none' } = config;
    this.bounds = bounds;
    if (bounds !== 'none') this.on('connect', (client) => bound(client, bounds, () => this.timeLeft(client)));
    // A connection that breaks is told by the statement that meets it. Between a statement and the pool's own listener
    // nobody hears it, and an error that nobody hears ends the process.
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const asked = performance.now();
    if (!callback) {
      return super.connect().catch((error: unknown) => {
        throw this.noConnection(error, asked);
      });
    }
    return super.connect((error, client, done) => {
      if (client) this.askedAt.set(client, asked);
      callback(error && this.noConnection(error, asked), client, done);
    });
  }

  /** Milliseconds that the next statement on a connection has: the first one less the wait for the connection. */
  private timeLeft(client: PoolClient): number {
    const asked = this.askedAt.get(client) ?? performance.now();
    this.askedAt.delete(client);
    return atLeastOne(asked + REQUEST_MS - performance.now());
  }

  /** pg gives a timeout no code, so the clock decides. */
  private noConnection(error: unknown, asked: number): DatabaseUnavailableError {
    const { connectionTimeoutMillis: limit, max } = this.config;
    const waited = performance.now() - asked;
    if (!limit || waited < limit - 10) return this.unavailable(error);
    const isFull = this.totalCount >= (max ?? 0);
    return this.unavailable(
      error,
      `${isFull ? `no connection of ${max} became free` : 'no answer'} within ${limit / 1000} s`,
    );
  }

  /** An error that names the database of this pool. */
  unavailable(cause: unknown, timedOut?: string): DatabaseUnavailableError {
    return new DatabaseUnavailableError(this.config, cause, timedOut);
  }

  /** A pool of its own on the same database; the caller ends it. */
  beside(config: PoolConfig): Pool {
    return new Pool({ ...this.config, ...config });
  }
}

/** The `pg` module as TypeORM's `driver` option takes it. */
export const driver = { ...pg, Pool };
