import { randomUUID } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';

/** Error codes of a write without free space. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Writes a file that only its owner can read (mode 0600). It gets its name only when it is complete and on disk, so that a
 * failure leaves no partial file, and an existing file unchanged.
 * @param options.force replaces an existing file
 * @throws Error if the file exists or cannot be written
 */
export async function writePrivateFile<Result>(
  path: string,
  { force }: { force: boolean },
  write: (output: Writable) => Promise<Result>,
): Promise<Result> {
  if (!force) await requireMissing(path);
  const partial = `${path}.partial-${randomUUID()}`;
  try {
    const file = await open(partial, 'wx', 0o600);
    const result = await write(file.createWriteStream({ flush: true })).finally(() => file.close());
    if (!force) await requireMissing(path);
    await rename(partial, path);
    const folder = await open(dirname(path));
    await folder.sync().finally(() => folder.close());
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof Error && 'code' in error && ('path' in error || FULL.has(String(error.code))))
      throw new Error(`${path} cannot be written: ${String(error.code)}`, { cause: error });
    throw error;
  }
}

async function requireMissing(path: string): Promise<void> {
  if (await lstat(path).catch(() => undefined))
    throw new Error(`${path} already exists. Choose another name, or replace it with --force`);
}
