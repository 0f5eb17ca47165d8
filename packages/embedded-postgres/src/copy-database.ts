import { constants, existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { lockOrFindServer } from './embedded-postgres.js';
import { type EmbeddedPostgresOptions, Settings } from './options.js';

/** Shorter than the timeout of idle transactions. */
const KEEP_ALIVE_MS = 2_000;

/**
 * Writes a consistent copy of the database files to a new directory in `dataDir`, which can be opened like `dataDir`. A running server
 * waits for the copy. PostgreSQL has one session and no background processes, so it does not write while another transaction uses the
 * session. The copy is in the state after a `kill -9`, from which PostgreSQL recovers.
 *
 * Reading the tables in a transaction instead would block a running server until the reader has received all rows.
 * @returns the new directory, which the caller deletes
 * @throws Error if `dataDir` does not contain a database
 */
export async function copyDatabase(dataDir: string, options: EmbeddedPostgresOptions = {}): Promise<string> {
  const settings = new Settings(options);
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new Error(`${settings.directoryName}: ${dataDir} does not contain a database`);
  const { directory, serverSocketDir, lock } = await lockOrFindServer(dataDir, settings);
  const copy = await mkdtemp(join(directory, 'backup-'));
  const copyFiles = () =>
    cp(join(directory, 'postgres'), join(copy, 'postgres'), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE, // file systems with reflinks copy without using time and space
    });
  try {
    if (lock) await copyFiles().finally(() => lock.close());
    else await inIdleTransaction(serverSocketDir, settings.applicationName, copyFiles);
    return copy;
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}

/** Runs `work` while an idle transaction blocks the session of the running server. */
async function inIdleTransaction(
  socketDir: string,
  applicationName: string,
  work: () => Promise<void>,
): Promise<void> {
  const client = new Client({
    host: socketDir,
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    application_name: applicationName,
  });
  client.on('error', () => undefined); // the next statement fails
  await client.connect();
  const timer = setInterval(() => void client.query('SELECT 1').catch(() => undefined), KEEP_ALIVE_MS);
  try {
    await client.query('BEGIN');
    await work();
    await client.query('COMMIT'); // fails if the transaction has been rolled back
  } finally {
    clearInterval(timer);
    await client.end();
  }
}
