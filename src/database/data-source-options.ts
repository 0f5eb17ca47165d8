import type { DataSourceOptions } from 'typeorm';
import { ApiKey } from '../auth/api-key.entity.js';
import { Monitor } from '../monitors/monitor.entity.js';
import { Organization } from '../organizations/organization.entity.js';
import { Project } from '../projects/project.entity.js';
import { StatusPage } from '../status-pages/status-page.entity.js';
import { Foundation1763640000000 } from './migrations/1763640000000-foundation.js';
import { PagesOfAMonitor1763650000000 } from './migrations/1763650000000-pages-of-a-monitor.js';
import { ListProjects1763650100000 } from './migrations/1763650100000-list-projects.js';
import { ListMonitors1763650200000 } from './migrations/1763650200000-list-monitors.js';
import { ListApiKeys1763650300000 } from './migrations/1763650300000-list-api-keys.js';
import { ListApiKeysOfProjects1763650400000 } from './migrations/1763650400000-list-api-keys-of-projects.js';
import { type Bounds, CONNECT_MS, SESSION_BOUNDS } from './bounds.js';
import { driver } from './pool.js';
import { APPLICATION_NAME } from './wire-session.js';

/** Where PostgreSQL is: a URL, or the folder of the embedded one's socket. */
export type Connection = { url: string } | { socket_dir: string };

/**
 * The one configuration of TypeORM: for the server, the CLI, the tests and `ormconfig.ts`.
 * @param poolSize connections at the most
 * @param bounds who keeps statements within their time
 */
export function dataSourceOptions(
  connection: Connection,
  poolSize: number,
  bounds: Bounds = 'session',
): DataSourceOptions {
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
    entities: [Organization, Project, Monitor, ApiKey, StatusPage],
    migrations: [
      Foundation1763640000000,
      PagesOfAMonitor1763650000000,
      ListProjects1763650100000,
      ListMonitors1763650200000,
      ListApiKeys1763650300000,
      ListApiKeysOfProjects1763650400000,
    ],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'all',
    synchronize: false,
    // UUIDs are made by the application: no extension is needed, on any PostgreSQL.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: false,
  };
}
