import type { DataSourceOptions } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import {
  type Bounds,
  CONNECT_MS,
  driver,
  Hosts,
  parsePostgresUrl,
  type PoolSettings,
  SESSION_BOUNDS,
} from '@status-pages/resilient-pg';
import { MIGRATIONS } from './migrations/index.js';
import { ConstraintNames } from './constraint-names.js';

/** `application_name` of this service's connections. */
export const APPLICATION_NAME = 'status-pages';

/** URL of PostgreSQL, or socket directory of the embedded PostgreSQL. */
export type Connection = { url: string } | { socketDir: string };

/**
 * Returns the TypeORM configuration for the server, the CLI, the tests and `ormconfig.ts`.
 * @param poolSize the maximum number of connections
 * @param entities the entities that modules register with `TypeOrmModule.forFeature`; not needed by migrations
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
    ...('socketDir' in connection && {
      host: connection.socketDir,
      port: 5432,
      username: 'postgres',
      database: 'postgres',
    }),
    applicationName: APPLICATION_NAME,
    poolSize,
    connectTimeoutMS: CONNECT_MS,
    extra: {
      ...('url' in connection && poolOptions(connection.url)),
      bounds,
      keepAlive: true,
      pipeline: true, // for PipelinedConnection, and BEGIN with the next statement; a timeout closes the connection
      ...(bounds === 'session' && 'url' in connection && SESSION_BOUNDS),
    },
    entities,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    // The application generates UUIDs, so PostgreSQL requires no extension.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    namingStrategy: new ConstraintNames(),
    logging: false,
    logger: 'debug', // other loggers print failed migrations even with `logging: false`
  };
}

/** Returns the pool options for a URL. TypeORM's own `url` supports only one host. */
export function poolOptions(url: string): PoolSettings {
  const { urls } = parsePostgresUrl(url);
  return { connectionString: urls[0], hosts: Hosts.of(url) };
}
