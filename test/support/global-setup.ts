import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import type { Connection } from '../../src/platform/database/data-source-options.js';
import { hasPgBouncer } from './pgbouncer-version.js';
import { V8_FLAGS } from './v8-flags.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated data directory to copy. Creating one takes seconds, copying it does not. */
    templateDataDir: string;
    /** A directory for the databases of this run, deleted at its end. */
    runDirectory: string;
    /** The prefix of the database names of this run. */
    databasePrefix: string;
    /** Host and port of the PgBouncer between the servers under test and PostgreSQL; empty: none. */
    pgBouncer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return prepare(project).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    // Vitest 4.1 would add "No test files found" and fail to print the stack: "code.charCodeAt is not a function".
    process.exit(1);
  });
}

async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_DATABASE_URL: url, BUILD: isBuilt } = project.config.env;
  if (url === 'missing') throw new Error('npm run test:postgres and test:pgbouncer need DATABASE_URL');
  if (await hasSpace(MEMORY)) process.env['TMPDIR'] = MEMORY; // before the workers start, which inherit it
  const directory = await mkdtemp(join(tmpdir(), 'status-pages-test-'));
  const prefix = `status_pages_test_${randomUUID().slice(0, 8)}_`;
  project.provide('runDirectory', directory);
  project.provide('databasePrefix', prefix);
  const pgBouncer = project.config.env['TEST_PGBOUNCER'] && url ? await pool(url) : undefined;
  project.provide('pgBouncer', pgBouncer ? new URL(pgBouncer.url).host : '');
  const [template] = await Promise.all([
    migratedTemplate(),
    isBuilt === 'false' ? undefined : build(),
    url && migrateOnServer(url, `${prefix}template`),
  ]);
  project.provide('templateDataDir', template);
  return async () => {
    await pgBouncer?.stop();
    // The databases of the servers that workers share.
    if (url) await dropDatabases(url, prefix);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** A file system in memory. Copying a database takes a tenth of the time on it. */
const MEMORY = '/dev/shm';

/** For the databases of a run. Containers often have only 64 MiB of shared memory. */
const NEEDED_BYTES = 4 * 2 ** 30;

async function hasSpace(directory: string): Promise<boolean> {
  const space = await statfs(directory).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= NEEDED_BYTES;
}

/**
 * A PgBouncer with its default settings in transaction mode, with enough connections for the clients of a test run.
 */
async function pool(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const { startPgBouncer } = await import('./pgbouncer.js');
  if (!hasPgBouncer) throw new Error("npm run test:pgbouncer needs Debian's package pgbouncer");
  return startPgBouncer(url, { pool_mode: 'transaction', max_client_conn: '1000' });
}

/** Written after a successful build. `dist/modules/.tsbuildinfo` also exists after a failed one. */
const STAMP = 'dist/.built-for-tests';
const CONFIGURATIONS = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.packages.json'];

/**
 * Builds the programs that some tests start, unless they were built after the latest change. Not the client: after `nest generate`,
 * it compiles only with the types that `npm run contract` writes.
 */
async function build(): Promise<void> {
  const folders = ['src', ...(await readdir('packages')).map((name) => join('packages', name, 'src'))];
  const sources = (await Promise.all(folders.map(filesIn))).flat();
  const others = [...folders, 'ormconfig.ts', 'package-lock.json', 'bin/bundle.mjs', ...CONFIGURATIONS];
  const times = await Promise.all([...sources, ...others].map(async (path) => (await stat(path)).mtimeMs));
  const built = await stat(STAMP).catch(() => undefined);
  if (built && times.every((time) => time < built.mtimeMs)) return;
  const started = new Date();
  await promisify(execFile)('npm', ['run', '--silent', 'build:service']).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`npm run build:service failed:\n${stdout}`);
    },
  );
  await writeFile(STAMP, '');
  await utimes(STAMP, started, started);
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).map((path) => join(folder, path));
}

/** Migrated embedded databases, by a hash of their sources. Migrating one takes seconds. */
const TEMPLATES = 'node_modules/.cache/status-pages/templates';

/** The directory of a migrated embedded database. A run creates it after a change of the migrations or of PGlite. */
async function migratedTemplate(): Promise<string> {
  const template = join(TEMPLATES, await hashOfSchema());
  if (await stat(template).catch(() => undefined)) return resolve(template);
  await rm(TEMPLATES, { recursive: true, force: true });
  await mkdir(TEMPLATES, { recursive: true });
  const unfinished = await mkdtemp(`${template}-`);
  await migrateEmbedded(unfinished);
  // Another run can have created it in the meantime.
  await rename(unfinished, template).catch(() => rm(unfinished, { recursive: true }));
  return resolve(template);
}

/** Covers the migrations, the code that runs them, and the code that opens the embedded PostgreSQL. */
async function hashOfSchema(): Promise<string> {
  const folders = ['src/platform/database', 'packages/embedded-postgres/src'];
  const sources = (await Promise.all(folders.map(filesIn))).flat().filter((path) => path.endsWith('.ts'));
  const hash = createHash('sha256');
  for (const path of [...sources.toSorted(), 'node_modules/@electric-sql/pglite/package.json'])
    hash.update(path).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

async function migrateEmbedded(directory: string): Promise<void> {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const { openEmbedded } = await import('../../src/platform/database/embedded-postgres.js');
  const embedded = await openEmbedded(directory, 'server');
  await migrateOn(embedded);
  await embedded.close();
  await rm(join(directory, 'run'), { recursive: true, force: true }); // cpSync of Node.js 24.21 copies no modes
}

/** Creates a migrated database on the server of a URL. Migrating one takes seconds, copying it does not. */
async function migrateOnServer(url: string, name: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  await migrateOn({ url: own.href });
}

/** Loads the sources of the database only here, because the template of the embedded PostgreSQL usually exists. */
async function migrateOn(connection: Connection): Promise<void> {
  const [{ DataSource }, { dataSourceOptions }, { migrate }] = await Promise.all([
    import('typeorm'),
    import('../../src/platform/database/data-source-options.js'),
    import('../../src/platform/database/migrate.js'),
  ]);
  const dataSource = new DataSource(dataSourceOptions(connection, 2));
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
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
