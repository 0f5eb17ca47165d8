import { escapeIdentifier } from 'pg';
import type { QueryRunner } from 'typeorm';

/** A stored column, which is not generated from others. */
export interface Column {
  name: string;
  /** SQL type, such as `timestamp(3) with time zone`. */
  type: string;
  /** Sequence of its default, in SQL, or null. */
  sequence: string | null;
}

/** A table of the schema. */
export interface Table {
  name: string;
  columns: Column[];
  /** Names of the tables that its foreign keys reference. */
  refers_to: string[];
}

// The catalog contains every table, including tables that are added later. Migrations write `migrations` themselves.
const TABLES = `
  SELECT relname AS name,
         COALESCE((SELECT json_agg(json_build_object(
                     'name', attname,
                     'type', format_type(atttypid, atttypmod),
                     'sequence', pg_get_serial_sequence(attrelid::regclass::text, attname)
                   ) ORDER BY attnum)
                     FROM pg_attribute
                    WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''), '[]') AS columns,
         COALESCE((SELECT json_agg(DISTINCT target.relname)
                     FROM pg_constraint JOIN pg_class AS target ON target.oid = confrelid
                    WHERE conrelid = tables.oid AND contype = 'f'), '[]') AS refers_to
    FROM pg_class AS tables
   WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
     AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migrations'
     AND NOT EXISTS (SELECT FROM pg_depend
                      WHERE classid = 'pg_class'::regclass AND objid = tables.oid AND deptype = 'e')
   ORDER BY relname`;

/**
 * Returns all tables of the schema except `migrations`, in an order in which their rows can be inserted: each table after the
 * tables that its foreign keys reference. Omits tables of extensions.
 * @throws Error if there is no such order
 */
export async function findTables(runner: QueryRunner): Promise<Table[]> {
  const rest: Table[] = await runner.query(TABLES);
  const ordered: Table[] = [];
  while (rest.length > 0) {
    const next = rest.findIndex(({ refers_to }) => !rest.some(({ name }) => refers_to.includes(name)));
    const [table] = next < 0 ? [] : rest.splice(next, 1);
    if (!table)
      throw new Error(`The foreign keys of ${rest.map(({ name }) => name).join(', ')} form a cycle`);
    ordered.push(table);
  }
  return ordered;
}

/** Returns names as an SQL list. */
export function listed(names: string[]): string {
  return names.map((name) => escapeIdentifier(name)).join(', ');
}

/**
 * Sets a transaction up to read or write values as text in PostgreSQL's own formats, regardless of the database's defaults.
 * Backups can take any time, so it disables time limits, except for locks.
 */
export async function setLocalSettings(runner: QueryRunner): Promise<void> {
  const settings = {
    DateStyle: 'ISO, YMD',
    IntervalStyle: 'postgres',
    TimeZone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    transaction_timeout: '0', // PostgreSQL 17
    lock_timeout: '10s',
  };
  await runner.query(
    `SELECT set_config(name, value, true) FROM json_each_text($1) AS wanted (name, value)
      WHERE EXISTS (SELECT FROM pg_settings WHERE lower(pg_settings.name) = lower(wanted.name))`,
    [JSON.stringify(settings)],
  );
}

const KEEP_ALIVE_MS = 3_000;

/**
 * Sends a statement every three seconds while a transaction waits for its input or output, because the embedded PostgreSQL ends
 * a transaction that is idle for ten seconds. Returns a function that stops this.
 */
export function keepAlive(runner: Pick<QueryRunner, 'query'>): () => void {
  // A broken connection fails the next statement of the transaction.
  const timer = setInterval(() => void runner.query('SELECT 1').catch(() => undefined), KEEP_ALIVE_MS);
  return () => clearInterval(timer);
}
