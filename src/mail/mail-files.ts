import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Number of files that are kept. */
const MAX_FILES = 1_000;

const MAIL_FILE = /^\d{8}T\d{9}Z-(?:[a-z0-9@._+-]+-)?[0-9a-f]{8}\.eml$/;

/** Maximum length of the address in a file name, so that the name has at most 255 bytes. */
const MAX_ADDRESS = 200;

/** Writes messages to a directory as `<time>-<recipient>-<short id>.eml`, and keeps the newest 1,000. */
export class MailFiles {
  constructor(private readonly directory: string) {}

  /**
   * Writes a message. Others see either the whole file or none.
   * @param to address of the recipient. In the file name, `_` replaces other characters than ASCII letters, digits and `@._+-`.
   * @returns the path of the file with `*` in the place of the address, for the log
   */
  async write(message: Buffer, to: string): Promise<string> {
    await mkdir(this.directory, { recursive: true });
    const time = new Date().toISOString().replaceAll(/[-:.]/g, '');
    const id = randomBytes(4).toString('hex');
    const pathOf = (address: string) => join(this.directory, `${time}-${address}-${id}.eml`);
    const path = pathOf(
      to
        .toLowerCase()
        .slice(0, MAX_ADDRESS)
        .replaceAll(/[^a-z0-9@._+-]/g, '_'),
    );
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
    return pathOf('*');
  }

  private async deleteOld(): Promise<void> {
    const names = (await readdir(this.directory)).filter((name) => MAIL_FILE.test(name)).toSorted();
    const old = names.slice(0, Math.max(0, names.length - MAX_FILES));
    await Promise.all(old.map((name) => rm(join(this.directory, name), { force: true })));
  }
}
