import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../../platform/config/env.js';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { databaseLabel } from '@status-pages/resilient-pg';
import { type Copy, isExtra, keyOf } from './copy.js';
import { fileNameOf, parseFile, readHead, toFile } from './saved-file.js';

/** Minimum interval between two writes of a copy, in milliseconds. */
const WRITE_EVERY_MS = 10_000;
/** Interval for finding copies of other processes that share the directory, in milliseconds. */
const SCAN_EVERY_MS = 10_000;

const MAX_FILES = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Files of copies, including copies that are being written. */
const OWN_FILE = /\.page(\.\d+)?$/;

/** Upper limit of the time to write a file, in milliseconds. */
const MAX_WRITE_MS = 60_000;

/** Address of a copy, and its page. */
type Saved = Pick<Copy, 'page_id' | 'slug' | 'host'>;

interface SavedFile extends Saved {
  size: number;
  /** Time of `performance.now()`; -Infinity if an earlier process has written it. */
  written_at: number;
  /** See {@link isExtra}. */
  isExtra: boolean;
}

/**
 * Saved copies of public pages in `DATA_DIR/pages`, which are served if a page cannot be rendered and has no copy in memory, for
 * example after a restart while the database is unavailable. Files are written after the response, one at a time. Only the first
 * disk error is logged. Copies that cannot be saved stay in memory only. Processes with the same database can share the directory,
 * because files are replaced as a whole, and each process that knows a file deletes it when its page becomes private.
 */
@Injectable()
export class SavedCopies {
  /** By file name, oldest first. */
  private readonly files = new Map<string, SavedFile>();
  private readonly changed = new Map<string, Copy>();
  /** Files of another database. */
  private readonly foreign = new Set<string>();
  private scannedAt = -Infinity;
  private readonly directory: string;
  private readonly origin: string;
  /** Resolves when all queued disk operations have ended. */
  private work: Promise<void> = Promise.resolve();
  private bytes = 0;
  private hasFailed = false;

  constructor(
    { DATA_DIR, DATABASE_URL }: Env,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.directory = join(DATA_DIR, 'pages');
    // Copies of another database, such as the embedded one, are not served.
    const database = DATABASE_URL === undefined ? 'embedded' : databaseLabel(DATABASE_URL);
    this.origin = createHash('sha256').update(database).digest('hex').slice(0, 16);
  }

  /** Number of copies on the disk. */
  get size(): number {
    return this.files.size;
  }

  /** Returns the pages on the disk. */
  pages(): { id: string; slug: string }[] {
    return [...this.files.values()].map(({ page_id, slug }) => ({ id: page_id, slug }));
  }

  /** Finds copies of earlier and of other processes. Deletes outdated and damaged ones. */
  async load(): Promise<void> {
    this.scannedAt = performance.now();
    return this.run(async () => {
      const names = await readdir(this.directory).catch(ignoreMissing);
      if (names.length > 0) await this.secureDirectory();
      const present = new Set(names);
      for (const name of this.files.keys()) if (!present.has(name)) this.forget(name);
      const found: [string, SavedFile, number][] = [];
      for (const name of names.filter((one) => this.isNew(one))) {
        const path = join(this.directory, name);
        const read = name.endsWith('.page') ? await readHead(path).catch(() => undefined) : undefined;
        if (!read?.head) await deleteUseless(path).catch(() => undefined);
        else if (read.head.origin === this.origin) {
          const { page_id, slug, host, part, rendered_at } = read.head;
          const file = { page_id, slug, host, size: read.size, written_at: -Infinity };
          found.push([name, { ...file, isExtra: isExtra(part) }, rendered_at]);
        } else this.foreign.add(name);
      }
      found.sort(([, , one], [, , other]) => one - other);
      for (const [name, file] of found) this.add(name, file);
      await this.evict();
    });
  }

  private isNew(name: string): boolean {
    return OWN_FILE.test(name) && !this.files.has(name) && !this.foreign.has(name);
  }

  /** Schedules a copy to be written, see {@link flush}. */
  save(copy: Copy): void {
    if (copy.content.body.length > MAX_FILE_BYTES) return;
    const name = fileNameOf(this.origin, keyOf(copy));
    // Bounds the queue in case the disk hangs: at most MAX_FILES copies wait to be written.
    if (this.changed.size < MAX_FILES || this.changed.has(name)) this.changed.set(name, copy);
  }

  /** Writes the copies that have changed, each at most once every ten seconds. */
  async flush(now = performance.now()): Promise<void> {
    await this.work; // if the disk hangs, writes must not accumulate
    if (performance.now() - this.scannedAt >= SCAN_EVERY_MS) void this.load();
    for (const [name, copy] of this.changed) {
      if (now - (this.files.get(name)?.written_at ?? -Infinity) < WRITE_EVERY_MS) continue;
      this.changed.delete(name);
      void this.run(() => this.write(name, copy));
    }
    await this.work;
  }

  /**
   * Returns the copy of a part of a page, or undefined.
   * @param key see {@link keyOf}
   */
  async find(key: string): Promise<Copy | undefined> {
    const name = fileNameOf(this.origin, key);
    if (!this.files.has(name)) return undefined;
    const file = await readFile(join(this.directory, name)).catch(() => undefined);
    return file && parseFile(file);
  }

  /** Returns whether a copy with this key exists. */
  has(key: string): boolean {
    return this.files.has(fileNameOf(this.origin, key));
  }

  /** Deletes the copy of a part that the page no longer shows. */
  async removePart(key: string): Promise<void> {
    const name = fileNameOf(this.origin, key);
    this.changed.delete(name);
    if (this.files.has(name)) await this.run(() => this.remove(name));
  }

  /** Returns whether there are such copies. */
  hasSome(isWanted: (copy: Saved) => boolean): boolean {
    return [...this.files.values(), ...this.changed.values()].some(isWanted);
  }

  /** Deletes such copies, including those that are being written. */
  async removeAll(isWanted: (copy: Saved) => boolean): Promise<void> {
    for (const [name, copy] of this.changed) if (isWanted(copy)) this.changed.delete(name);
    await this.run(async () => {
      for (const [name, file] of this.files) if (isWanted(file)) await this.remove(name);
    });
  }

  private async write(name: string, copy: Copy): Promise<void> {
    const file = toFile(this.origin, copy);
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await this.secureDirectory();
    const unfinished = join(this.directory, `${name}.${process.pid}`);
    try {
      await writeFile(unfinished, file, { mode: 0o600 });
      await rename(unfinished, join(this.directory, name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    const { page_id, slug, host, part } = copy;
    const written_at = performance.now();
    this.add(name, { page_id, slug, host, size: file.length, written_at, isExtra: isExtra(part) });
    await this.evict();
  }

  /** @throws Error if the directory belongs to another user, who could insert pages */
  private async secureDirectory(): Promise<void> {
    const { uid, mode } = await stat(this.directory);
    if (uid !== process.getuid?.()) throw new Error(`${this.directory} belongs to another user`);
    if ((mode & 0o077) !== 0) await chmod(this.directory, 0o700);
  }

  private add(name: string, file: SavedFile): void {
    this.forget(name);
    this.files.set(name, file);
    this.bytes += file.size;
  }

  private forget(name: string): void {
    this.bytes -= this.files.get(name)?.size ?? 0;
    this.files.delete(name);
  }

  private async remove(name: string): Promise<void> {
    this.forget(name);
    await rm(join(this.directory, name), { force: true });
  }

  /** Deletes the oldest files, first the extra ones, so that a crawler does not displace the pages themselves. */
  private async evict(): Promise<void> {
    for (const extra of [true, false])
      for (const [name, file] of this.files) {
        if (this.files.size <= MAX_FILES && this.bytes <= MAX_BYTES) return;
        if (file.isExtra === extra) await this.remove(name);
      }
  }

  /** Runs work on the disk after the previous work. */
  private run(work: () => Promise<void>): Promise<void> {
    this.work = this.work.then(work).catch((error: unknown) => this.logOnce(error));
    return this.work;
  }

  private logOnce(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(
      { reason },
      'could not use DATA_DIR for copies of public pages; copies that cannot be saved stay in memory only',
    );
  }
}

/** Deletes a file that is damaged, outdated or incomplete, unless another process may be writing it. */
async function deleteUseless(path: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs > MAX_WRITE_MS) await rm(path, { force: true });
}

function ignoreMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
