import type { DataSourceOptions } from 'typeorm';
import { ApiKey } from '../auth/api-key.entity.js';
import { Monitor } from '../monitors/monitor.entity.js';
import { Organization } from '../organizations/organization.entity.js';
import { Project } from '../projects/project.entity.js';
import { StatusPage } from '../status-pages/status-page.entity.js';
import { Foundation1763640000000 } from './migrations/1763640000000-foundation.js';
import { driver } from './pool.js';

/** Where PostgreSQL is: a URL, or the folder of the embedded one's socket. */
export type Connection = { url: string } | { socket_dir: string };

/**
 * The one configuration of TypeORM: for the server, the CLI, the tests and `ormconfig.ts`.
 * @param poolSize connections at the most
 */
export function dataSourceOptions(connection: Connection, poolSize: number): DataSourceOptions {
  return {
    type: 'postgres',
    driver,
    ...('url' in connection
      ? { url: connection.url }
      : { host: connection.socket_dir, port: 5432, username: 'postgres', database: 'postgres' }),
    applicationName: 'status-pages',
    poolSize,
    connectTimeoutMS: 5_000,
    extra: {
      // A statement that runs this long is stuck; the client is told 503 rather than left waiting.
      ...('url' in connection && { statement_timeout: 10_000, keepAlive: true }),
    },
    entities: [Organization, Project, Monitor, ApiKey, StatusPage],
    migrations: [Foundation1763640000000],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'all',
    synchronize: false,
    // UUIDs are made by the application: no extension is needed, on any PostgreSQL.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: false,
  };
}
