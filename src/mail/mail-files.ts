import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of files that are kept. */
const MAX_FILES = 1_000;

const MAIL_FILE = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.eml$/;

/** Writes messages to a directory as `<time>-<short id>.eml`, and keeps the newest 1,000. */
export class MailFiles {
  constructor(private readonly directory: string) {}

  /** Writes a message, and returns the path of its file. Others see either the whole file or none. */
  async write(message: Buffer): Promise<string> {
    await mkdir(this.directory, { recursive: true });
    const time = new Date().toISOString().replaceAll(/[-:.]/g, '');
    const path = join(this.directory, `${time}-${randomBytes(4).toString('hex')}.eml`);
    const unfinished = `${path}.part`;
    try {
      const file = await open(unfinished, 'wx', 0o600);
      try {
        await file.writeFile(message);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await this.deleteOld();
    return path;
  }

  private async deleteOld(): Promise<void> {
    const names = (await readdir(this.directory)).filter((name) => MAIL_FILE.test(name)).toSorted();
    const old = names.slice(0, Math.max(0, names.length - MAX_FILES));
    await Promise.all(old.map((name) => rm(join(this.directory, name), { force: true })));
  }
}
