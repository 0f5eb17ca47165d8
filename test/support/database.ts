import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { DEFAULT_ORGANIZATION_ID } from '../../src/platform/database/default-organization.js';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';

/** A separate database for a test, as environment variables. */
export interface TestDatabase {
  env: { DATABASE_URL: string; EMBEDDED: string; DATA_DIR: string };
  drop(): Promise<void>;
}

/** Whether the tests run on PostgreSQL rather than on the embedded one. */
export const onPostgres = process.env['TEST_DATABASE_URL'] !== '';

/** Whether PgBouncer is between the servers under test and PostgreSQL. */
export const throughPgBouncer = process.env['TEST_PGBOUNCER'] === 'true';

/**
 * The URL of a database without PgBouncer, for tests of sessions: their settings, their locks, and their termination.
 * @param url DATABASE_URL of a server under test
 */
export function directly(url = ''): string {
  const direct = new URL(url);
  if (throughPgBouncer) direct.host = new URL(String(process.env['TEST_DATABASE_URL'])).host;
  return direct.href;
}

/** A connection outside of the server to its database, without PgBouncer. */
export async function connectTo({ env }: TestDatabase): Promise<Client> {
  const client =
    env.DATABASE_URL === ''
      ? clientOf((await openEmbedded(env.DATA_DIR, 'client')).socketDir)
      : new Client(onPostgres ? directly(env.DATABASE_URL) : env.DATABASE_URL);
  await client.connect();
  return client;
}

function clientOf(socketDir: string): Client {
  return new Client({ host: socketDir, user: 'postgres', database: 'postgres' });
}

/** Runs `work` while a transaction holds a lock that all reads of a table wait for. */
export async function whileLocked<Result>(
  database: TestDatabase,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await connectTo(database);
  try {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

/**
 * Creates a database: a copy of the template, on the server of DATABASE_URL or embedded.
 * @param migrated false: an empty one
 */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  return onPostgres
    ? createOnServer(String(process.env['TEST_DATABASE_URL']), migrated)
    : createEmbedded(migrated);
}

async function createOnServer(url: string, migrated: boolean): Promise<TestDatabase> {
  const prefix = inject('databasePrefix');
  const name = `${prefix}${randomUUID().replaceAll('-', '')}`;
  await administer(
    url,
    `CREATE DATABASE ${name} TEMPLATE ${migrated ? `${prefix}template` : 'template1'}`,
    `ALTER DATABASE ${name} SET synchronous_commit = off`, // no test stops this PostgreSQL
  );
  const own = new URL(url);
  own.pathname = `/${name}`;
  own.host = inject('pgBouncer') || own.host;
  const directory = await mkdtemp(join(inject('runDirectory'), 'test-'));
  return {
    env: { DATABASE_URL: own.href, EMBEDDED: '', DATA_DIR: directory },
    drop: async () => {
      await administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function createEmbedded(migrated: boolean): Promise<TestDatabase> {
  const directory = await mkdtemp(join(inject('runDirectory'), 'test-'));
  if (migrated) cpSync(inject('templateDataDir'), directory, { recursive: true }); // a sixth of the time of `cp`
  return {
    env: { DATABASE_URL: '', EMBEDDED: 'true', DATA_DIR: directory },
    drop: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** An embedded database that servers of this process use one after another, by its socket. */
interface OpenDatabase {
  socketDir: string;
  /** Tables after the migrations. A file can add others. */
  tables: string[];
  close(): Promise<void>;
}

/** Open databases that no server uses. Opening one takes half a second of CPU time, emptying it a few milliseconds. */
const idle: OpenDatabase[] = [];

const MAX_IDLE = 2;

/** Returns an empty database for a server of this process. Embedded databases are used again. */
export async function borrowDatabase(): Promise<TestDatabase> {
  if (onPostgres) return createDatabase();
  const database = idle.pop() ?? (await openDatabase());
  const directory = await mkdtemp(join(inject('runDirectory'), 'test-'));
  return {
    env: { ...socketEnv(database.socketDir), DATA_DIR: directory },
    drop: async () => {
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      if (idle.length < MAX_IDLE && (await empty(database))) idle.push(database);
      else await database.close();
    },
  };
}

/** The environment of a server or program that connects to an embedded database of another one. */
export function socketEnv(socketDir: string): {
  DATABASE_URL: string;
  EMBEDDED: '';
  PREPARED_STATEMENTS: 'false';
} {
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(socketDir)}`;
  return { DATABASE_URL: url, EMBEDDED: '', PREPARED_STATEMENTS: 'false' };
}

async function openDatabase(): Promise<OpenDatabase> {
  const { env, drop } = await createEmbedded(true);
  const { socketDir, close } = await openEmbedded(env.DATA_DIR, 'server');
  const client = clientOf(socketDir);
  await client.connect();
  const tables = await tablesOf(client).finally(() => client.end());
  return { socketDir, tables, close: () => close().finally(drop) };
}

/** A larger table is vacuumed after its rows were deleted. */
const SMALL_BYTES = 64 * 1024;

/** Deletes all rows except for the rows of migrations. Returns false if a file has changed the tables. */
async function empty({ socketDir, tables }: OpenDatabase): Promise<boolean> {
  const client = clientOf(socketDir);
  await client.connect();
  try {
    if (`${await tablesOf(client)}` !== `${tables}`) return false;
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM unnest($1::text[]) AS name WHERE pg_relation_size(name::regclass) > $2',
      [tables, SMALL_BYTES],
    );
    await client.query(
      [
        'BEGIN',
        'SET LOCAL session_replication_role = replica', // without triggers and foreign keys
        ...tables.map((name) => `DELETE FROM ${name}`),
        `INSERT INTO organizations (id, name) VALUES ('${DEFAULT_ORGANIZATION_ID}', 'Default')`,
        'COMMIT',
      ].join(';'),
    );
    if (rows.length > 0) await client.query(`VACUUM ANALYZE ${rows.map(({ name }) => name).join(', ')}`);
    await client.query('SELECT pg_stat_force_next_flush()'); // see emptyTables in server.ts
    return true;
  } finally {
    await client.end();
  }
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
