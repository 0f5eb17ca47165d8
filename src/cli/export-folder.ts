import { randomUUID } from 'node:crypto';
import {
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { CliError } from './cli-error.js';

/** Name of the file that marks a directory as an export, and lists its files. */
const MARKER = '.status-pages-export.json';

/** A file to write. */
interface NewFile {
  /** Relative, with `/` between directories. */
  path: string;
  content: string | Buffer;
}

/**
 * Writes files to a directory that does not exist, is empty, or contains a previous export. The files are written to a new
 * directory beside it, which then replaces it, so that a failure leaves the previous export unchanged. Deletes only files of
 * the previous export.
 * @returns the number of files and their bytes, without the marker, and the absolute path of the directory
 * @throws CliError if the directory contains other files or cannot be written
 */
export async function writeExport(
  out: string,
  files: AsyncIterable<NewFile>,
): Promise<{ files: number; bytes: number; out: string }> {
  try {
    const folder = await realpath(out).catch(() => resolve(out)); // keeps a symlink as the output path
    await requireExport(folder);
    await mkdir(dirname(folder), { recursive: true });
    const written = `${folder}.export-${randomUUID()}`;
    try {
      const counts = await writeAll(written, files);
      await replace(folder, written);
      return { ...counts, out: folder };
    } finally {
      await rm(written, { recursive: true, force: true }); // exists only after a failure
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && 'code' in error)
      throw new CliError(`${out} cannot be written: ${String(error.code)} (${String(error.syscall)})`);
    throw error;
  }
}

/** @throws CliError if a directory exists and contains files or directories that no export has written */
async function requireExport(folder: string): Promise<void> {
  const known = new Set((await filesOfExport(folder)).flatMap(withFolders));
  const { files, folders } = await contentsOf(folder);
  const [foreign] = [...files, ...folders].filter((path) => !known.has(path)).toSorted();
  if (foreign === undefined) return;
  throw new CliError(
    `${folder} contains ${foreign}, which is not part of an export. Choose an empty directory`,
  );
}

/** Returns the files of the export in a directory, with the marker, or an empty list if it is not an export. */
async function filesOfExport(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, MARKER), 'utf8').catch(() => '{}');
  try {
    const { files }: { files?: unknown } = JSON.parse(text);
    return Array.isArray(files) ? [MARKER, ...files.filter((path) => typeof path === 'string')] : [];
  } catch {
    return [];
  }
}

/** Returns a file and its parent directories: `a/b/c`, `a/b`, `a`. */
function withFolders(path: string): string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Lists files recursively as relative paths. Does not follow symlinks. Returns an empty list if the directory does not exist.
 */
async function contentsOf(folder: string): Promise<{ files: string[]; folders: string[] }> {
  if (!(await stat(folder).catch(() => undefined))) return { files: [], folders: [] };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pathsOf = (areFolders: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === areFolders)
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  return { files: pathsOf(false), folders: pathsOf(true) };
}

async function writeAll(
  folder: string,
  files: AsyncIterable<NewFile>,
): Promise<{ files: number; bytes: number }> {
  await mkdir(folder);
  const paths: string[] = [];
  let bytes = 0;
  for await (const { path, content } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { flag: 'wx' });
    paths.push(path);
    bytes += Buffer.byteLength(content);
  }
  await writeFile(join(folder, MARKER), `${JSON.stringify({ files: paths })}\n`);
  return { files: paths.length, bytes };
}

/** Replaces the previous export with a new directory, and deletes the previous export. */
async function replace(folder: string, written: string): Promise<void> {
  const former = `${folder}.former-${randomUUID()}`;
  const isThere = await rename(folder, former).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    if (isThere) await requireExport(former); // a user may have added a file in the meantime
    await rename(written, folder);
  } catch (error) {
    if (isThere) await rename(former, folder);
    throw error;
  }
  if (isThere) await deleteExport(former);
}

/** Deletes the files that an export has written, and their directories. */
async function deleteExport(folder: string): Promise<void> {
  const known = new Set(await filesOfExport(folder));
  const { files, folders } = await contentsOf(folder);
  for (const path of files) if (known.has(path)) await unlink(join(folder, path));
  const deepestFirst = folders.toSorted((one, other) => other.length - one.length);
  for (const path of [...deepestFirst, '']) await rmdir(join(folder, path));
}
