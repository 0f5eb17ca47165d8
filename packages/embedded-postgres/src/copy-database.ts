import { constants, existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { lockOrFindServer } from './embedded-postgres.js';
import { type EmbeddedPostgresOptions, Settings } from './options.js';

/** Shorter than the time after which an idle transaction is rolled back. */
const KEEP_ALIVE_MS = 2_000;

/**
 * Copies the files of the embedded database as of one moment to a new folder in `dataDir`, which can be opened like `dataDir`. A
 * running server waits meanwhile: PostgreSQL has one session and no background processes, so nothing is written while a
 * transaction has the session. The copy is what a `kill -9` would leave, which PostgreSQL recovers from.
 *
 * To read the tables in a transaction would stop a running server until the reader has taken all rows.
 * @returns the new folder, which the caller deletes
 * @throws Error if there is no database
 */
export async function copyDatabase(dataDir: string, options: EmbeddedPostgresOptions = {}): Promise<string> {
  const settings = new Settings(options);
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new Error(`${settings.directoryName}: there is no database in ${dataDir}`);
  const { directory, serverSocketDir, lock } = await lockOrFindServer(dataDir, settings);
  const copy = await mkdtemp(join(directory, 'backup-'));
  const copyFiles = () =>
    cp(join(directory, 'postgres'), join(copy, 'postgres'), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE, // where the file system can, a copy takes no time and space
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

/** Runs `work` while a transaction has the session of the running server. */
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
    await client.query('COMMIT'); // fails if the transaction has ended meanwhile
  } finally {
    clearInterval(timer);
    await client.end();
  }
}
