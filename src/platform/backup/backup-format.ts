/*
 * A backup is a gzip file of lines:
 *
 *     {"status_pages_backup":1,"created_at":"2026-11-22T06:00:00.000Z","migrations":["Foundation1763640000000",…]}
 *     {"table":"organizations","columns":["id","name",…],"sequences":{}}
 *     ["00000000-0000-7000-8000-000000000001","Default",…]
 *     …
 *     {"rows":61,"sha256":"…"}
 *
 * Values are PostgreSQL's text of a value, or null. Tables come in an order in which they can be inserted. The last line counts
 * the rows, and has the SHA-256 of all bytes before it. A change that an older program cannot read raises FORMAT.
 */

/** The version of the format. */
export const FORMAT = 1;

/** The first line. */
export interface Header {
  status_pages_backup: number;
  /** When the backup began, RFC 3339. */
  created_at: string;
  /** The migrations of the schema, oldest first. */
  migrations: string[];
}

/** The line before the rows of a table. */
export interface TableLine {
  table: string;
  columns: string[];
  /** The state of the sequences of columns. */
  sequences: Record<string, SequenceState>;
}

/** The last number of a sequence as text, and whether it has been used. */
export interface SequenceState {
  last_value: string;
  is_called: boolean;
}

/** The last line. */
export interface Trailer {
  rows: number;
  sha256: string;
}

/** A row: PostgreSQL's text of each value. */
export type Row = (string | null)[];

/** What a backup contains. */
export interface Summary {
  created_at: string;
  /** The last migration of its schema. */
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

/** Returns the header, or undefined if the line is none. `status_pages_backup` can be any number. */
export function asHeader(value: unknown): Header | undefined {
  if (!isObject(value)) return undefined;
  const { status_pages_backup, created_at, migrations } = value;
  if (typeof status_pages_backup !== 'number' || typeof created_at !== 'string' || !isTexts(migrations))
    return undefined;
  return { status_pages_backup, created_at, migrations };
}

/** Returns the line of a table, or undefined if it is none. */
export function asTableLine(value: unknown): TableLine | undefined {
  if (!isObject(value)) return undefined;
  const { table, columns, sequences } = value;
  if (typeof table !== 'string' || !isTexts(columns) || !isObject(sequences)) return undefined;
  const states = Object.entries(sequences).flatMap(([name, state]) =>
    isState(state) ? [[name, state]] : [],
  );
  return { table, columns, sequences: Object.fromEntries(states) };
}

/** Returns the last line, or undefined if it is none. */
export function asTrailer(value: unknown): Trailer | undefined {
  if (!isObject(value)) return undefined;
  const { rows, sha256 } = value;
  return typeof rows === 'number' && typeof sha256 === 'string' ? { rows, sha256 } : undefined;
}

/** Returns the row, or undefined if the line is none. */
export function asRow(value: unknown): Row | undefined {
  const isRow = (one: unknown): one is Row =>
    Array.isArray(one) && one.every((cell) => cell === null || typeof cell === 'string');
  return isRow(value) ? value : undefined;
}
