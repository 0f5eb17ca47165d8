import type { EntityManager, ObjectLiteral, Repository } from 'typeorm';
import type { Position, Range, Rows } from './keyset.js';
import { RawJson } from './raw-json.js';
import type { StatementRunner } from './statement-runner.js';
import { NEXT_VERSION } from './statements.js';
import type { ExpectedVersions } from './versions.js';

/** Columns that no patch writes: they say which row it is, who owns it, and its version. */
const FIXED: ReadonlySet<string> = new Set([
  'id',
  'organization_id',
  'project_id',
  'created_at',
  'updated_at',
]);

/** The size of JSON at which a list of large rows ends. To count it in SQL costs an ordinary list a tenth. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

const onWire = (column: string) =>
  `to_char(resource.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The statements that every resource has: lists, reads and patches, answered as JSON that PostgreSQL builds, and deletions.
 * The repository passes each WHERE, with `organization_id` in it:
 *
 *     table = new ResourceTable<Monitor, MonitorDto>(this, runner, ['id', 'name', 'updated_at']);
 *     table.list('organization_id = $1 AND project_id = $2', [organization_id, project_id], { limit, after });
 *     table.patch('organization_id = $1 AND id = $2', [organization_id, id], { name }, expected);
 *
 * A method with a `manager` is part of its transaction.
 */
export class ResourceTable<Entity extends ObjectLiteral, Shown extends object> {
  /** The output columns, in the order of the wire. */
  readonly columns: string;
  private readonly name: string;
  /** SQL of a row `resource` as JSON, and of its version. */
  private readonly json: string;
  private readonly version: string;
  /** Types of the columns that a client may write, from the metadata of the entity. */
  private readonly writable: [column: string, type: string][];
  /** Made once: to build and hash texts so long at each request takes 2 % of its time. */
  private readonly texts = new Map<string, string>();

  /** @param shown output columns, in the order of the wire: a new column never goes out by itself */
  constructor(
    repository: Repository<Entity>,
    private readonly runner: StatementRunner,
    shown: readonly (keyof Shown & keyof Entity & string)[],
  ) {
    const { tableName, columns, dataSource } = repository.metadata;
    const types = new Map(
      columns.map((column) => {
        const type = dataSource.driver.normalizeType(column);
        return [column.databaseName, column.isArray ? `${type}[]` : type];
      }),
    );
    const json = shown.map((column) =>
      types.get(column)?.startsWith('timestamp') ? `${onWire(column)} AS ${column}` : `resource.${column}`,
    );
    this.name = tableName;
    this.columns = shown.join(', ');
    this.json = `row_to_json((SELECT shown FROM (SELECT ${json.join(', ')}) AS shown))`;
    this.version = types.has('updated_at') ? onWire('updated_at') : 'NULL';
    this.writable = [...types].filter(([column]) => !FIXED.has(column));
  }

  /**
   * Rows, newest first. With an index on what `where` compares, then `created_at` and `id`, the cost does not depend on how
   * deep `after` lies.
   * @param atOnce how many rows a statement reads: fewer than `limit` where rows may be large; the list then ends at 4 MiB
   */
  async list(
    where: string,
    values: unknown[],
    { limit, after }: Range,
    atOnce = limit,
  ): Promise<Rows<Shown>> {
    const read = (count: number, from: Position | null) =>
      this.listBy(this.select(where, values.length + 1, from !== null), values, {
        limit: Math.min(count, atOnce),
        after: from,
      });
    let rows = await read(limit, after);
    for (let left = limit - atOnce; left > 0 && rows.next && isBelowLimit(rows); left -= atOnce)
      rows = joined(rows, await read(left, rows.next));
    return rows;
  }

  private select(where: string, parameter: number, goesOn: boolean): string {
    return this.text(`${goesOn ? 'after' : 'newest'} ${where}`, () => {
      const after = `AND (created_at, id) < ($${parameter + 1}::timestamptz, $${parameter + 2}::uuid)`;
      return `
           SELECT ${this.columns}
             FROM ${this.name}
            WHERE ${where} ${goesOn ? after : ''}
            ORDER BY created_at DESC, id DESC
            LIMIT $${parameter}::int + 1`;
    });
  }

  /**
   * The rows of a `select` of its own. Its parameters are `values`, the limit and, unless `after` is null, the time and id of
   * `after`. It finds one row more than the limit: it only tells that more follow.
   */
  async listBy(select: string, values: unknown[], { limit, after }: Range): Promise<Rows<Shown>> {
    const $limit = `$${values.length + 1}`;
    const text = this.text(
      select,
      () => `
      SELECT coalesce(array_to_json((array_agg(json))[:${$limit}]), '[]')::text AS text,
             CASE WHEN count(*) > ${$limit} THEN (array_agg(created_at))[${$limit}] END AS created_at,
             CASE WHEN count(*) > ${$limit} THEN (array_agg(id))[${$limit}] END AS id
        FROM (SELECT ${this.json} AS json, id, created_at
                FROM (${select}) AS resource
             ) AS rows`,
    );
    const [row] = await this.runner.read<{ text: string; created_at: Date | null; id: string | null }>(text, [
      ...values,
      limit,
      ...(after ? [after.created_at, after.id] : []),
    ]);
    const { text: json = '[]', created_at = null, id = null } = row ?? {};
    const next = created_at && id ? { created_at, id } : null;
    return { json: new RawJson(json), isEmpty: json === '[]', next };
  }

  /** One row as JSON. */
  async find(where: string, values: unknown[], manager?: EntityManager): Promise<RawJson<Shown> | undefined> {
    const text = this.text(
      `find ${where}`,
      () => `SELECT ${this.shownRow()} FROM ${this.name} AS resource WHERE ${where}`,
    );
    return toRawJson(await this.runner.read<ShownRow>(text, values, manager));
  }

  /**
   * Writes the columns of `patch`, and no others, and answers the whole row. `updated_at` grows, by at least a millisecond,
   * if and only if a value changes. Undefined: no such row, or not in an expected version.
   */
  async patch(
    where: string,
    values: unknown[],
    patch: Partial<Entity>,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<Shown> | undefined> {
    const parameters = [...values, expected ?? null];
    const $expected = parameters.length;
    const given = this.given(patch, parameters);
    const text = this.text(
      `patch ${where} ${given.columns}`,
      () => `UPDATE ${this.name} AS resource
        ${given.columns === '' ? 'SET updated_at = updated_at' : setChanged(given)}
        WHERE ${where} AND ${isExpected($expected)}
    RETURNING ${this.shownRow()}`,
    );
    return toRawJson(await this.runner.query<ShownRow>(text, parameters, manager));
  }

  /** Deletes a row, and answers columns of it. Undefined: no such row, or not in an expected version. */
  async delete<Column extends keyof Entity & string>(
    where: string,
    values: unknown[],
    expected: ExpectedVersions,
    columns: readonly Column[],
    manager?: EntityManager,
  ): Promise<Pick<Entity, Column> | undefined> {
    const text = this.text(
      `delete ${where} ${columns.join()}`,
      () => `DELETE FROM ${this.name}
        WHERE ${where} AND ${isExpected(values.length + 1)}
    RETURNING ${columns.join(', ')}`,
    );
    const [row] = await this.runner.query<Pick<Entity, Column>>(text, [...values, expected ?? null], manager);
    return row;
  }

  /** The columns of `values` that a client may write, as SQL; their values are added to `parameters`. */
  given(values: Partial<Entity>, parameters: unknown[]): { columns: string; placeholders: string } {
    const given = this.writable.filter(([column]) => values[column] !== undefined);
    return {
      columns: given.map(([column]) => column).join(', '),
      placeholders: given
        .map(([column, type]) => {
          const value: unknown = values[column];
          const isJson = type === 'jsonb' && value !== null;
          return `$${parameters.push(isJson ? JSON.stringify(value) : value)}::${type}`;
        })
        .join(', '),
    };
  }

  private shownRow(): string {
    return `${this.json}::text AS text, ${this.version} AS updated_at`;
  }

  private text(key: string, make: () => string): string {
    const known = this.texts.get(key);
    if (known !== undefined) return known;
    const text = make();
    this.texts.set(key, text);
    return text;
  }
}

interface ShownRow {
  text: string;
  updated_at: string | null;
}

function toRawJson<Shown>([row]: ShownRow[]): RawJson<Shown> | undefined {
  return row && new RawJson(row.text, row.updated_at ?? undefined);
}

function isBelowLimit<Shown>({ json }: Rows<Shown>): boolean {
  return Buffer.byteLength(json.text) < MAX_LIST_BYTES;
}

function joined<Shown>(first: Rows<Shown>, rest: Rows<Shown>): Rows<Shown> {
  if (rest.isEmpty) return { ...first, next: null }; // the rest was deleted meanwhile
  const text = `${first.json.text.slice(0, -1)},${rest.json.text.slice(1)}`;
  return { ...rest, json: new RawJson(text) };
}

function setChanged({ columns, placeholders }: { columns: string; placeholders: string }): string {
  return `SET (${columns}) = ROW (${placeholders}),
            updated_at = CASE
              WHEN ROW (${columns}) IS DISTINCT FROM ROW (${placeholders})
              THEN ${NEXT_VERSION}
              ELSE updated_at
            END`;
}

/** Whether a row is in one of the versions that `If-Match` allows; null: in any. */
function isExpected(parameter: number): string {
  return `($${parameter}::timestamptz[] IS NULL OR updated_at = ANY($${parameter}::timestamptz[]))`;
}
