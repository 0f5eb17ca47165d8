import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { DataSource } from 'typeorm';
import { PROJECT_DIR } from '../config/project-files.js';
import type { Env } from '../config/env.js';
import { type Connection, dataSourceOptions } from '../database/data-source-options.js';
import { copyEmbedded, openEmbedded } from '../database/embedded-postgres.js';
import type { Summary } from './backup-format.js';
import { BackupReader } from './read-backup.js';
import { type AfterLoad, restoreBackup } from './restore-backup.js';
import { writeBackup } from './write-backup.js';

/**
 * Writes a consistent backup of the configured database, even while servers use it. Does not change the database, even if its
 * schema is older than this version.
 * @param signal aborts it
 */
export async function backUp(env: Env, output: Writable, signal: AbortSignal): Promise<Summary> {
  if (env.DATABASE_URL !== undefined) return writeFrom({ url: env.DATABASE_URL }, output, signal);
  const copy = await copyEmbedded(dataDirectory(env));
  try {
    const embedded = await openEmbedded(copy, 'client');
    return await writeFrom(embedded, output, signal).finally(() => embedded.close());
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function writeFrom(connection: Connection, output: Writable, signal: AbortSignal): Promise<Summary> {
  const dataSource = await new DataSource(dataSourceOptions(connection, 1, 'none')).initialize();
  return writeBackup(dataSource, output, signal).finally(() => dataSource.destroy());
}

/**
 * Restores a backup into the configured database, which must be empty. An embedded database must not be in use.
 * @param afterLoad changes the restored rows in the same transaction
 * @throws Error with a reason for operators; the database is then empty
 */
export async function restore(env: Env, input: Readable, afterLoad: AfterLoad): Promise<Summary> {
  const backup = await BackupReader.open(input);
  if (env.DATABASE_URL !== undefined) return restoreBackup({ url: env.DATABASE_URL }, backup, afterLoad);
  const embedded = await openEmbedded(dataDirectory(env), 'server');
  return restoreBackup(embedded, backup, afterLoad).finally(() => embedded.close());
}

function dataDirectory({ DATA_DIR }: Env): string {
  return resolve(PROJECT_DIR, DATA_DIR);
}
