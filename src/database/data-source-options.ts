import type { DataSourceOptions } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { MIGRATIONS } from './migrations/index.js';
import { type Bounds, CONNECT_MS, SESSION_BOUNDS } from './statement-timeouts.js';
import { ConstraintNames } from './constraint-names.js';
import { driver } from './pool.js';
import { APPLICATION_NAME } from './embedded/wire-session.js';

/** Where PostgreSQL is: a URL, or the folder of the embedded one's socket. */
export type Connection = { url: string } | { socket_dir: string };

/**
 * The one configuration of TypeORM: for the server, the CLI, the tests and `ormconfig.ts`.
 * @param poolSize connections at the most
 * @param bounds who keeps statements within their time
 * @param entities those that modules register with `TypeOrmModule.forFeature`; migrations need none
 */
export function dataSourceOptions(
  connection: Connection,
  poolSize: number,
  bounds: Bounds = 'session',
  entities: DataSourceOptions['entities'] = [],
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    driver,
    ...('url' in connection
      ? { url: connection.url }
      : { host: connection.socket_dir, port: 5432, username: 'postgres', database: 'postgres' }),
    applicationName: APPLICATION_NAME,
    poolSize,
    connectTimeoutMS: CONNECT_MS,
    extra: {
      bounds,
      keepAlive: true,
      pipeline: true, // see Lane; a statement that gets no answer in time closes its connection
      ...(bounds === 'session' && 'url' in connection && SESSION_BOUNDS),
    },
    entities,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'all',
    synchronize: false,
    // UUIDs are made by the application: no extension is needed, on any PostgreSQL.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    namingStrategy: new ConstraintNames(),
    logging: false,
    logger: 'debug', // TypeORM's other loggers print that a migration failed, even so
  };
}
