import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { databaseLabel } from '@status-pages/resilient-pg';
import type { Env } from '../platform/config/env.js';
import { DomainMap, type KnownDomain } from './domain-map.js';

/** Age after which the file is not read any more. A domain without a record is also served for 7 days. */
const MAX_AGE_MS = 7 * 86_400_000;

/** Number of lines in a write. */
const BATCH_SIZE = 2_000;

/** A line of the file: the domain, its page, and the slug of a public page. Nothing else of a private page is stored. */
type Line = [domain: string, page_id: string, slug: string | null];

/**
 * The verified domains in `DATA_DIR`, for a startup while the database is unavailable. Processes with the same database
 * can share the file, because it is replaced as a whole.
 *
 *     const domains = await new DomainFile(env).read();
 *     domains.get('status.acme.com')?.slug; // '' if the page is private
 */
export class DomainFile {
  private readonly path: string;

  constructor({ DATA_DIR, DATABASE_URL }: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>) {
    // Domains of another database, such as the embedded one, are not served.
    const database = DATABASE_URL === undefined ? 'embedded' : databaseLabel(DATABASE_URL);
    const origin = createHash('sha256').update(database).digest('hex').slice(0, 16);
    this.path = join(DATA_DIR, `domains-${origin}.jsonl`);
  }

  /** Returns the domains of the last 7 days. Empty if there is no file, or one that others could have written. */
  async read(): Promise<DomainMap> {
    const domains = new DomainMap();
    const found = await this.find();
    const text = found === undefined ? '' : await readFile(this.path, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const entry = parseLine(line);
      if (!entry) continue;
      const [domain, page_id, slug] = entry;
      domains.set(domain, { domain, page_id, slug: slug ?? '', is_public: slug !== null });
    }
    return domains;
  }

  /** Returns when the file was last confirmed, in milliseconds, or undefined if no file can be read. */
  async find(): Promise<number | undefined> {
    const found = await stat(this.path).catch(() => undefined);
    if (!found) return undefined;
    const { uid, mode, mtimeMs } = found;
    const isSafe = uid === process.getuid?.() && (mode & 0o022) === 0;
    return isSafe && Date.now() - mtimeMs < MAX_AGE_MS ? mtimeMs : undefined;
  }

  /** Confirms that the file is up to date. */
  async touch(): Promise<void> {
    const now = new Date();
    await utimes(this.path, now, now);
  }

  /** Replaces the file. Does not block the event loop for long. */
  async write(domains: Iterable<KnownDomain>): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    const unfinished = `${this.path}.${process.pid}`;
    try {
      const file = await open(unfinished, 'w', 0o600);
      try {
        let lines: string[] = [];
        for (const { domain, page_id, slug, is_public } of domains) {
          const line: Line = [domain, page_id, is_public ? slug : null];
          if (lines.push(JSON.stringify(line)) < BATCH_SIZE) continue;
          await file.write(`${lines.join('\n')}\n`);
          await nextTurn();
          lines = [];
        }
        await file.write(lines.map((line) => `${line}\n`).join(''));
      } finally {
        await file.close();
      }
      await rename(unfinished, this.path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

/** Returns the contents of a line, or undefined if it is damaged. */
function parseLine(text: string): Line | undefined {
  const parsed = parse(text);
  if (!Array.isArray(parsed)) return undefined;
  const [domain, page_id, slug]: unknown[] = parsed;
  if (typeof domain !== 'string' || typeof page_id !== 'string') return undefined;
  return typeof slug === 'string' || slug === null ? [domain, page_id, slug] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
