import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { escapeIdentifier } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../database/migrations/index.js';
import { executedMigrations, requireKnownSchema } from '../database/newer-schema.js';
import { FORMAT, type Header, type SequenceState, type Summary, type TableLine } from './backup-format.js';
import { findTables, keepAlive, listed, setLocalSettings, type Table } from './tables.js';

/** Maximum length in characters and maximum number of the rows that one statement reads. */
const BATCH_LENGTH = 1024 * 1024;
const MAX_BATCH_ROWS = 1_000;

/** Returns the names in the statements of the migrations. */
function ownTables(): Set<string | undefined> {
  const created = /CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g;
  const names = MIGRATIONS.map(({ prototype: { up } }) => [...String(up).matchAll(created)]);
  return new Set(names.flat().map(([, name]) => name));
}

/** @throws Error if there are tables that no migration creates, which `restore` would reject */
function requireOwn(tables: Table[]): void {
  const own = ownTables();
  const others = tables.map(({ name }) => name).filter((name) => !own.has(name));
  if (others.length > 0)
    throw new Error(
      `The schema contains tables of other programs, which a backup cannot contain: ${others.join(', ')}. Move them to another schema`,
    );
}

/**
 * Writes a compressed backup of one snapshot of the database. Reads each batch of rows after the output has taken the previous
 * one.
 * @param signal aborts it
 * @throws Error if the database has no schema, a newer one than this version, or tables of other programs
 */
export async function writeBackup(
  dataSource: DataSource,
  output: Writable,
  signal?: AbortSignal,
): Promise<Summary> {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction('REPEATABLE READ');
  const stopKeepingAlive = keepAlive(runner);
  try {
    await runner.query('SET TRANSACTION READ ONLY');
    await setLocalSettings(runner);
    await requireKnownSchema(runner);
    const migrations = await executedMigrations(runner);
    const migration = migrations.at(-1);
    if (migration === undefined)
      throw new Error('The database has no Status Pages schema, so there is nothing to back up');
    const tables = await findTables(runner);
    requireOwn(tables);
    const created_at = new Date().toISOString();
    const header: Header = { status_pages_backup: FORMAT, created_at, migrations };
    const summary: Summary = { created_at, migration, tables: tables.length, rows: 0 };
    const lines = linesOf(runner, header, tables, summary);
    await pipeline(Readable.from(lines, { highWaterMark: 1 }), createGzip(), output, { signal });
    return summary;
  } finally {
    stopKeepingAlive();
    await runner.rollbackTransaction().catch(() => undefined); // nothing was written
    await runner.release();
  }
}

/** Yields the lines of a backup, several at a time. Counts the rows in `summary`. */
async function* linesOf(
  runner: QueryRunner,
  header: Header,
  tables: Table[],
  summary: Summary,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const text of contentOf(runner, header, tables, summary)) {
    hash.update(text);
    yield text;
  }
  yield `${JSON.stringify({ rows: summary.rows, sha256: hash.digest('hex') })}\n`;
}

async function* contentOf(
  runner: QueryRunner,
  header: Header,
  tables: Table[],
  summary: Summary,
): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`;
  for (const table of tables) {
    yield `${JSON.stringify(await tableLine(runner, table))}\n`;
    for await (const rows of rowsOf(runner, table)) {
      summary.rows += rows.length;
      yield `${rows.join('\n')}\n`;
    }
  }
}

async function tableLine(runner: QueryRunner, { name, columns }: Table): Promise<TableLine> {
  const sequences: Record<string, SequenceState> = {};
  for (const column of columns) {
    if (column.sequence === null) continue;
    const [state]: SequenceState[] = await runner.query(
      `SELECT last_value::text, is_called FROM ${column.sequence}`,
    );
    if (state) sequences[column.name] = state;
  }
  return { table: name, columns: columns.map((column) => column.name), sequences };
}

/** Yields the rows of a table as JSON arrays of texts, in batches. */
async function* rowsOf(runner: QueryRunner, { name, columns }: Table): AsyncGenerator<string[]> {
  const texts = columns.map((column) => `${listed([column.name])}::text`).join(', ');
  await runner.query(
    `DECLARE backup NO SCROLL CURSOR FOR
       SELECT array_to_json(ARRAY[${texts}]::text[])::text AS line FROM ${escapeIdentifier(name)}`,
  );
  for (let count = 100; ;) {
    const rows: { line: string }[] = await runner.query(`FETCH ${count} FROM backup`);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    yield lines;
    const length = lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
    count = Math.min(MAX_BATCH_ROWS, Math.ceil(BATCH_LENGTH / length));
  }
  await runner.query('CLOSE backup');
}
