import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Engine, NoSpaceError, POSTGRES_VERSION } from './engine.js';
import type { Settings } from './options.js';

/**
 * Opens the database in `directory/postgres`, and creates it if that directory is missing or empty.
 *
 * Creation takes seconds and can be interrupted. It therefore uses `directory/postgres.new`, and renames it when it is complete, so
 * that `directory/postgres` is always a complete database. The caller holds the lock of `directory`.
 *
 * @throws Error with a message for operators
 */
export async function openDatabaseFiles(directory: string, settings: Settings): Promise<Engine> {
  const { directoryName } = settings;
  const files = join(directory, 'postgres');
  await moveInterruptedDatabase(directory, files);
  if (!existsSync(files) || (await isEmptyFolder(files, directoryName)))
    await createDatabase(files, settings);
  await requireVersion(files, directoryName);
  await secureFolder(files, directoryName);
  try {
    return await Engine.open(files, settings);
  } catch (error) {
    if (error instanceof NoSpaceError || !(error instanceof Error)) throw error;
    const advice =
      'the database files are corrupt. Restore a backup, or move the files to start with an empty database';
    throw new Error(`${directoryName}: ${advice} (${error.message})`, { cause: error });
  }
}

/** @throws Error if the path is not a directory */
async function isEmptyFolder(path: string, directoryName: string): Promise<boolean> {
  if (!(await stat(path)).isDirectory()) throw new Error(`${directoryName}: ${path} is not a directory`);
  return (await readdir(path)).length === 0;
}

/** @throws Error if the directory does not contain a database of this major version of PostgreSQL */
async function requireVersion(files: string, directoryName: string): Promise<void> {
  const path = join(files, 'PG_VERSION');
  if (!existsSync(path)) throw new Error(`${directoryName}: ${files} is not a database directory`);
  const version = (await readFile(path, 'latin1')).trim();
  if (version === POSTGRES_VERSION) return;
  const found = /^\d{1,3}$/.test(version) ? `PostgreSQL ${version}` : 'an unknown version';
  throw new Error(
    `${directoryName}: ${files} is a database of ${found}, but this version requires PostgreSQL ${POSTGRES_VERSION}`,
  );
}

/** Renames an incomplete database of an earlier version of this package, which created it in place with a marker file. */
async function moveInterruptedDatabase(directory: string, files: string): Promise<void> {
  const note = join(directory, 'unfinished');
  if (!existsSync(note)) return;
  // Every complete database contains this file.
  const isComplete = existsSync(join(files, 'global', 'pg_control'));
  if (existsSync(files) && !isComplete) await rename(files, `${files}.interrupted-${Date.now()}`);
  await rm(note);
}

async function createDatabase(files: string, settings: Settings): Promise<void> {
  if (existsSync(files)) await secureFolder(files, settings.directoryName);
  const unfinished = `${files}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await (await Engine.open(unfinished, settings)).close();
    await makePrivate(unfinished);
    await rename(unfinished, files);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Makes a directory private. @throws Error if it belongs to another user */
async function secureFolder(folder: string, directoryName: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid?.()) throw new Error(`${directoryName}: ${folder} belongs to another user`);
  if ((mode & 0o077) !== 0) await makePrivate(folder);
}

/**
 * Makes a directory and all its files private, because PGlite creates the files of a new database with mode 0666. It creates later files
 * with 0600, except for a cache (pg_internal.init, 0644) that PostgreSQL rewrites.
 */
async function makePrivate(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o700);
    else if (entry.isFile()) await chmod(path, 0o600);
  }
}
