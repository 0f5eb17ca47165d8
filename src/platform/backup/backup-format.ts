/*
 * A backup is a gzip file of lines:
 *
 *     {"status_pages_backup":1,"created_at":"2026-11-22T06:00:00.000Z","migrations":["Foundation1763640000000",…]}
 *     {"table":"organizations","columns":["id","name",…],"sequences":{}}
 *     ["00000000-0000-7000-8000-000000000001","Default",…]
 *     …
 *     {"rows":61,"sha256":"…"}
 *
 * Each value is PostgreSQL's text format of the value, or null. Tables are in an order in which they can be inserted. The last line
 * contains the number of rows, and the SHA-256 of all bytes before it. Increase FORMAT if older versions cannot read a change.
 */

/** Version of the format. */
export const FORMAT = 1;

/** First line of a backup. */
export interface Header {
  status_pages_backup: number;
  /** Start of the backup, RFC 3339. */
  created_at: string;
  /** Migrations of the schema, oldest first. */
  migrations: string[];
}

/** Line before the rows of a table. */
export interface TableLine {
  table: string;
  columns: string[];
  /** State of the sequences of columns. */
  sequences: Record<string, SequenceState>;
}

/** Last number of a sequence as text, and whether it has been used. */
export interface SequenceState {
  last_value: string;
  is_called: boolean;
}

/** Last line of a backup. */
export interface Trailer {
  rows: number;
  sha256: string;
}

/** A row: PostgreSQL's text of each value. */
export type Row = (string | null)[];

/** Contents of a backup. */
export interface Summary {
  created_at: string;
  /** Last migration of its schema. */
  migration: string;
  tables: number;
  rows: number;
}

type Fields = Partial<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isState = (value: unknown): value is SequenceState =>
  isObject(value) && typeof value['last_value'] === 'string' && typeof value['is_called'] === 'boolean';

/** Parses a header line. Returns undefined if the line is not a header. `status_pages_backup` can be any number. */
export function asHeader(value: unknown): Header | undefined {
  if (!isObject(value)) return undefined;
  const { status_pages_backup, created_at, migrations } = value;
  if (typeof status_pages_backup !== 'number' || typeof created_at !== 'string') return undefined;
  if (!isTexts(migrations) || migrations.length === 0) return undefined;
  return { status_pages_backup, created_at, migrations };
}

/** Parses the line of a table. Returns undefined if the line is not of this kind. */
export function asTableLine(value: unknown): TableLine | undefined {
  if (!isObject(value)) return undefined;
  const { table, columns, sequences } = value;
  if (typeof table !== 'string' || !isTexts(columns) || !isObject(sequences)) return undefined;
  const states = Object.entries(sequences).flatMap(([name, state]) =>
    isState(state) ? [[name, state]] : [],
  );
  return { table, columns, sequences: Object.fromEntries(states) };
}

/** Parses the last line. Returns undefined if the line is not of this kind. */
export function asTrailer(value: unknown): Trailer | undefined {
  if (!isObject(value)) return undefined;
  const { rows, sha256 } = value;
  return typeof rows === 'number' && typeof sha256 === 'string' ? { rows, sha256 } : undefined;
}

/** Parses a row. Returns undefined if the line is not a row. */
export function asRow(value: unknown): Row | undefined {
  const isRow = (one: unknown): one is Row =>
    Array.isArray(one) && one.every((cell) => cell === null || typeof cell === 'string');
  return isRow(value) ? value : undefined;
}
