import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Engine, NoSpaceError } from './engine.js';

/**
 * Opens the database in `directory/postgres`, and makes it if that folder is missing or empty.
 *
 * Making it takes seconds, so that happens in `directory/postgres.new`, which then takes the final name: under that name a
 * database is complete, and is never removed. The caller holds the lock of `directory`.
 *
 * @throws Error with a reason for the operator
 */
export async function openDatabaseFiles(directory: string): Promise<Engine> {
  const files = join(directory, 'postgres');
  await setInterruptedAside(directory, files);
  if (!existsSync(files) || (await readdir(files)).length === 0) await make(files);
  if (!existsSync(join(files, 'PG_VERSION'))) {
    throw new Error(`DATA_DIR: ${files} is not a database folder`);
  }
  await claim(files);
  try {
    return await Engine.open(files);
  } catch (error) {
    if (error instanceof NoSpaceError || !(error instanceof Error)) throw error;
    const advice = 'the database files are damaged; restore a backup, or move the files away';
    throw new Error(`DATA_DIR: ${advice} (${error.message})`, { cause: error });
  }
}

/** Version 0.1.0 made the database in place, and left a note there until it was complete. */
async function setInterruptedAside(directory: string, files: string): Promise<void> {
  const note = join(directory, 'unfinished');
  if (!existsSync(note)) return;
  // PostgreSQL cannot open a folder without this file: whatever it is, it is no complete database.
  const isComplete = existsSync(join(files, 'global', 'pg_control'));
  if (existsSync(files) && !isComplete) await rename(files, `${files}.interrupted-${Date.now()}`);
  await rm(note);
}

async function make(files: string): Promise<void> {
  if (existsSync(files)) await claim(files);
  const unfinished = `${files}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await (await Engine.open(unfinished)).close();
    await makePrivate(unfinished);
    await rename(unfinished, files);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Refuses the folder of another user, and closes one of ours to others. */
async function claim(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid?.()) throw new Error(`DATA_DIR: ${folder} belongs to another user`);
  if ((mode & 0o077) !== 0) await makePrivate(folder);
}

/**
 * Closes the folder to others, and all that is in it: PGlite makes the files of a new database with mode 0666. Later ones
 * have 0600, but for a cache (pg_internal.init, 0644) that PostgreSQL rewrites at will.
 */
async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o700);
    else if (entry.isFile()) await chmod(path, 0o600);
  }
}
