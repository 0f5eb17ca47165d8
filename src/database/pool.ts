import pg, { Pool as PgPool, type PoolClient, type PoolConfig } from 'pg';
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
  private readonly config: PoolConfig;

  constructor(config: PoolConfig = {}) {
    super(config);
    this.config = config;
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
        throw this.unavailable(error, asked);
      });
    }
    return super.connect((error, client, done) =>
      callback(error && this.unavailable(error, asked), client, done),
    );
  }

  /** pg gives a timeout no code, so the clock decides. */
  private unavailable(error: unknown, asked: number): DatabaseUnavailableError {
    const { connectionTimeoutMillis: limit, max } = this.config;
    const waited = performance.now() - asked;
    if (!limit || waited < limit - 10) return new DatabaseUnavailableError(this.config, error);
    const isFull = this.totalCount >= (max ?? 0);
    const timedOut = `${isFull ? `no connection of ${max} became free` : 'no answer'} within ${limit / 1000} s`;
    return new DatabaseUnavailableError(this.config, error, timedOut);
  }
}

/** The `pg` module as TypeORM's `driver` option takes it. */
export const driver = { ...pg, Pool };
