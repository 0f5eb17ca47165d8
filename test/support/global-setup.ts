import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { TestProject } from 'vitest/node';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { openEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { hasPgBouncer } from './pgbouncer-version.js';
import { V8_FLAGS } from './v8-flags.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated data directory to copy; making one takes seconds, copying it does not. */
    templateDataDir: string;
    /** What the names of the databases of this run begin with. */
    databasePrefix: string;
    /** The PgBouncer between the servers under test and PostgreSQL as host and port; empty: none. */
    pgBouncer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_DATABASE_URL: url, BUILD: isBuilt } = project.config.env;
  if (url === 'missing') throw new Error('npm run test:postgres and test:pgbouncer need DATABASE_URL');
  const directory = await mkdtemp(join(tmpdir(), 'status-pages-test-'));
  const template = join(directory, 'template');
  await mkdir(template);
  const prefix = `status_pages_test_${randomUUID().slice(0, 8)}_`;
  project.provide('templateDataDir', template);
  project.provide('databasePrefix', prefix);
  const pgBouncer = project.config.env['TEST_PGBOUNCER'] && url ? await pool(url) : undefined;
  project.provide('pgBouncer', pgBouncer ? new URL(pgBouncer.url).host : '');
  await Promise.all([isBuilt === 'false' ? undefined : build(), migrateEmbedded(template)]);
  return async () => {
    await pgBouncer?.stop();
    // The databases of the servers that workers share.
    if (url) await dropDatabases(url, prefix);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** A PgBouncer as it comes, in transaction mode, with room for the clients of a test run. */
async function pool(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { startPgBouncer } = await import('./pgbouncer.js');
  if (!hasPgBouncer) throw new Error("npm run test:pgbouncer needs Debian's package pgbouncer");
  return startPgBouncer(url, { pool_mode: 'transaction', max_client_conn: '1000' });
}

/** Written after a build that worked; `dist/.tsbuildinfo` is there after one that failed, too. */
const STAMP = 'dist/.built-for-tests';

/** Builds what some tests start as a user does, unless it was built after the last change. */
async function build(): Promise<void> {
  const sources = (await readdir('src', { recursive: true })).map((path) => join('src', path));
  const others = ['src', 'ormconfig.ts', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const times = await Promise.all([...sources, ...others].map(async (path) => (await stat(path)).mtimeMs));
  const built = await stat(STAMP).catch(() => undefined);
  if (built && times.every((time) => time < built.mtimeMs)) return;
  const started = new Date();
  await promisify(execFile)('npm', ['run', '--silent', 'build']).catch(({ stdout }: { stdout: string }) => {
    throw new Error(`npm run build failed:\n${stdout}`);
  });
  await writeFile(STAMP, '');
  await utimes(STAMP, started, started);
}

async function migrateEmbedded(directory: string): Promise<void> {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const embedded = await openEmbeddedPostgres(directory, 'server');
  const dataSource = new DataSource(dataSourceOptions(embedded, 2));
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  await embedded.close();
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  );
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  await client.end();
}
