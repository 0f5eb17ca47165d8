import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
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
  const client = onPostgres
    ? new Client(directly(env.DATABASE_URL))
    : new Client({
        host: (await openEmbedded(env.DATA_DIR, 'client')).socketDir,
        user: 'postgres',
        database: 'postgres',
      });
  await client.connect();
  return client;
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
