import pg, { Pool as PgPool, type PoolClient, type PoolConfig } from 'pg';

/** No connection to the database could be had: it is away, refuses us, or the pool is exhausted. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super('no connection to the database could be had: check DATABASE_URL', { cause });
  }
}

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
  constructor(config?: PoolConfig) {
    super(config);
    // A connection that breaks is told by the statement that meets it. Between a statement and the pool's own listener
    // nobody hears it, and an error that nobody hears ends the process.
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (!callback) {
      return super.connect().catch((error: unknown) => {
        throw new DatabaseUnavailableError(error);
      });
    }
    return super.connect((error, client, done) =>
      callback(error && new DatabaseUnavailableError(error), client, done),
    );
  }
}

/** The `pg` module as TypeORM's `driver` option takes it. */
export const driver = { ...pg, Pool };
