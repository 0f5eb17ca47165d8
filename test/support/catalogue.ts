import { PAST } from './resources.js';
import type { TestServer } from './server.js';

// Data from PostgreSQL's catalogs about the tables, so that tests need no list of them.

export interface Column {
  table: string;
  column: string;
  /** As PostgreSQL writes it: `uuid[]`, `timestamp(3) with time zone`. */
  type: string;
  nullable: boolean;
  default: string | null;
}

export interface Constraint {
  name: string;
  table: string;
  /** From `pg_constraint`: p primary key, u unique, f foreign key, c check. */
  kind: 'p' | 'u' | 'f' | 'c';
  columns: string[];
  /** Of a foreign key: the referenced table. */
  target: string | null;
  target_columns: string[] | null;
  /** Of a foreign key: whether the rows are deleted with the referenced ones. */
  cascades: boolean;
  /** Of a check: its condition. */
  condition: string | null;
}

export interface Index {
  name: string;
  table: string;
  method: string;
  /** The columns, or expressions, in order. */
  columns: string[];
  constrains: boolean;
}

/** The columns of all tables, except for TypeORM's table of migrations. */
export function columnsOf(server: TestServer): Promise<Column[]> {
  return server.sql(
    `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
            NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS "default"
       FROM pg_attribute a
       JOIN pg_class c ON c.oid = a.attrelid
       LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'migrations'
        AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY c.relname, a.attnum`,
  );
}

/** The tables that contain a column. */
export async function tablesWith(server: TestServer, column: string): Promise<string[]> {
  return (await columnsOf(server)).filter((one) => one.column === column).map(({ table }) => table);
}

export function constraintsOf(server: TestServer): Promise<Constraint[]> {
  const names = (table: string, keys: string) =>
    `(SELECT array_agg(a.attname::text ORDER BY place)
        FROM unnest(${keys}) WITH ORDINALITY AS key (number, place)
        JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = number)`;
  return server.sql(
    `SELECT conname AS name, conrelid::regclass::text AS "table", contype AS kind,
            ${names('conrelid', 'conkey')} AS columns,
            CASE WHEN confrelid <> 0 THEN confrelid::regclass::text END AS target,
            ${names('confrelid', 'confkey')} AS target_columns,
            confdeltype = 'c' AS cascades, pg_get_expr(conbin, conrelid) AS condition
       FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f', 'c')
        AND conrelid::regclass::text <> 'migrations'
      ORDER BY conname`,
  );
}

export function indexesOf(server: TestServer): Promise<Index[]> {
  return server.sql(
    `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS "table", am.amname AS method,
            i.indisunique AS constrains,
            (SELECT array_agg(pg_get_indexdef(i.indexrelid, place, true) ORDER BY place)
               FROM generate_series(1, i.indnkeyatts) AS place) AS columns
       FROM pg_index i
       JOIN pg_class c ON c.oid = i.indexrelid
       JOIN pg_am am ON am.oid = c.relam
      WHERE c.relnamespace = 'public'::regnamespace AND i.indrelid::regclass::text <> 'migrations'
      ORDER BY 1`,
  );
}

/** The columns of each server's tables, which do not change while it runs. */
const known = new WeakMap<TestServer, Promise<Column[]>>();

/** For each table, an SQL expression of its rows `one`, without the last use of keys, which is written at any time. */
async function rowsOf(server: TestServer): Promise<[table: string, row: string][]> {
  const columns = known.get(server) ?? columnsOf(server);
  known.set(server, columns);
  const all = await columns;
  const written = new Set(all.filter(({ column }) => column === 'last_used_at').map(({ table }) => table));
  return [...new Set(all.map(({ table }) => table))].map((table) => [
    table,
    written.has(table) ? `to_jsonb(one) - 'last_used_at'` : 'one',
  ]);
}

/** Runs one statement with an expression for each table, because tests read the tables hundreds of times. */
async function forTables<Value>(
  server: TestServer,
  expressionOf: (table: string, row: string) => string,
): Promise<Record<string, Value | null>> {
  const tables = await rowsOf(server);
  const expressions = tables.map(([table, row]) => `(${expressionOf(table, row)})`);
  const [{ found } = { found: [] }] = await server.sql<{ found: (Value | null)[] }[]>(
    `SELECT jsonb_build_array(${expressions.join(', ')}) AS found`,
  );
  return Object.fromEntries(tables.map(([table], at) => [table, found[at] ?? null]));
}

/**
 * A hash of all rows of each table, to compare before and after a request. It takes a sixth of the time of
 * {@link contentsOf}, which shows a difference.
 */
export function hashesOf(server: TestServer): Promise<Record<string, string | null>> {
  return forTables(
    server,
    (table, row) => `SELECT sum(hashtextextended((${row})::text, 0))::text FROM ${table} AS one`,
  );
}

/** All rows of all tables as JSON, by table. */
export async function contentsOf(server: TestServer): Promise<Record<string, object[]>> {
  const contents = await forTables<object[]>(
    server,
    // In an order that does not depend on the place of a row, which an update with equal values changes.
    (table, row) =>
      `SELECT jsonb_agg(content ORDER BY content ->> 'id', content)
         FROM (SELECT to_jsonb(${row}) AS content FROM ${table} AS one) AS contents`,
  );
  return Object.fromEntries(Object.entries(contents).map(([table, rows]) => [table, rows ?? []]));
}

/** The columns, as `table.column`, whose values contain an ID. Columns with former values are excluded. */
export async function columnsHolding(server: TestServer, id: string): Promise<string[]> {
  const contents = Object.entries(await contentsOf(server)).filter(([table]) => !PAST.includes(table));
  const found = contents.flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        JSON.stringify(value).includes(id) ? [`${table}.${column}`] : [],
      ),
    ),
  );
  return [...new Set(found)].toSorted();
}
