import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { findUnknownMigration } from '../database/newer-schema.js';
import {
  asHeader,
  asRow,
  asTableLine,
  asTrailer,
  FORMAT,
  type Header,
  type Row,
  type Summary,
  type TableLine,
} from './backup-format.js';

/** Maximum size in bytes and maximum number of the rows that one statement inserts. */
const BATCH_BYTES = 1024 * 1024;
const MAX_BATCH_ROWS = 1_000;
/** Maximum length of a line. A row has at most a few mebibytes; the embedded PostgreSQL accepts 16. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEW_LINE = 10;

/** Rows of a table. The first batch of a table can be empty. */
export interface Batch {
  table: TableLine;
  rows: Row[];
}

const DAMAGED = 'The backup file is truncated or corrupt';

/**
 * Reads a backup as a stream:
 *
 *     const backup = await BackupReader.open(createReadStream(path));
 *     for await (const { table, rows } of backup.batches()) …;
 *
 * Do not commit before the end, because `batches` throws there if the backup is truncated or corrupt.
 */
export class BackupReader {
  readonly summary: Summary;
  private readonly hash = createHash('sha256');

  private constructor(
    readonly header: Header,
    private readonly lines: AsyncGenerator<Buffer>,
    firstLine: Buffer,
  ) {
    const { created_at, migrations } = header;
    this.summary = { created_at, migration: migrations.at(-1) ?? '', tables: 0, rows: 0 };
    this.hash.update(firstLine);
  }

  /**
   * Reads the header.
   * @throws Error if the file is not a backup, or if a newer version of Status Pages has written it
   */
  static async open(input: Readable): Promise<BackupReader> {
    const lines = linesOf(input);
    const first = await lines.next();
    const header = first.done ? undefined : asHeader(parse(first.value));
    if (first.done || !header) throw new Error('The file is not a Status Pages backup');
    const unknown = findUnknownMigration(header.migrations);
    const newer = header.status_pages_backup > FORMAT ? `format ${header.status_pages_backup}` : unknown;
    if (newer !== undefined)
      throw new Error(
        `The backup was created by a newer version of Status Pages (${unknown === undefined ? newer : `migration ${unknown}`}). Upgrade Status Pages`,
      );
    return new BackupReader(header, lines, first.value);
  }

  /**
   * Yields the rows in batches, in an order in which they can be inserted. Counts them in `summary`.
   * @throws Error at the end if a part is missing or altered
   */
  async *batches(): AsyncGenerator<Batch> {
    let batch: Batch | undefined;
    let bytes = 0;
    for await (const line of this.lines) {
      const value = parse(line);
      const trailer = asTrailer(value);
      if (trailer) {
        const sha256 = this.hash.digest('hex');
        if (!batch || trailer.rows !== this.summary.rows || trailer.sha256 !== sha256) break;
        if (!(await this.lines.next()).done) break;
        yield batch;
        return;
      }
      this.hash.update(line);
      const table = asTableLine(value);
      const row = asRow(value);
      if (table) {
        if (batch) yield batch;
        [batch, bytes] = [{ table, rows: [] }, 0];
        this.summary.tables += 1;
      } else if (row && batch && row.length === batch.table.columns.length) {
        if (batch.rows.length === MAX_BATCH_ROWS || bytes + line.length > BATCH_BYTES) {
          yield batch;
          [batch, bytes] = [{ table: batch.table, rows: [] }, 0];
        }
        batch.rows.push(row);
        bytes += line.length;
        this.summary.rows += 1;
      } else break;
    }
    throw new Error(DAMAGED);
  }
}

/**
 * Reads a whole backup.
 * @throws Error if it is truncated, corrupt, or not a backup
 */
export async function verifyBackup(input: Readable): Promise<Summary> {
  const backup = await BackupReader.open(input);
  for await (const _ of backup.batches()); // counts the rows
  return backup.summary;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Yields the lines of a compressed stream, with their line feeds. */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decompressed(input)) {
    let rest = chunk;
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      yield Buffer.concat([...chunks.splice(0), rest.subarray(0, end + 1)]);
      rest = rest.subarray(end + 1);
      length = 0;
    }
    chunks.push(rest);
    length += rest.length;
    if (length > MAX_LINE_BYTES) throw new Error(DAMAGED);
  }
  if (length > 0) throw new Error(DAMAGED);
}

/** @throws Error of the input, or an error for operators if the compressed data are corrupt */
async function* decompressed(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  input.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of input.pipe(gunzip)) yield Buffer.from(chunk);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    const isNone = gunzip.bytesWritten < 64 * 1024 && error instanceof Error && /header/.test(error.message);
    throw new Error(isNone ? 'The file is not a Status Pages backup' : DAMAGED, { cause: error });
  } finally {
    input.destroy();
  }
}
