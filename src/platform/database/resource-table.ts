import type { EntityManager, ObjectLiteral, Repository } from 'typeorm';
import type { Position, Range, Rows } from './keyset.js';
import type { LargeText } from '@status-pages/resilient-pg';
import { type OutputField, type OutputSql, outputSql } from './output-fields.js';
import { isBelowLimit, joinRows } from './joined-rows.js';
import { type OutputRow, RawJson, toRawJson } from './raw-json.js';
import type { StatementRunner } from './statement-runner.js';
import { isExpected, setChanged } from './statements.js';
import { TableColumns } from './table-columns.js';
import type { ExpectedVersions } from './versions.js';

/**
 * Statements that all resources share: list, find, patch, lock, insert and delete. PostgreSQL builds the JSON of the response. Each
 * WHERE condition of the repository must contain `organization_id`:
 *
 *     table = new ResourceTable<Monitor, MonitorDto>(monitors, runner, ['id', 'name', 'updated_at']);
 *     table.list('organization_id = $1 AND project_id = $2', [organization_id, project_id], { limit, after });
 *     table.patch('organization_id = $1 AND id = $2', [organization_id, id], { name }, expected);
 *
 * With a `manager`, a method runs in its transaction.
 */
export class ResourceTable<Entity extends ObjectLiteral, Dto extends object> extends TableColumns<Entity> {
  /** Columns of the response in order, for a SELECT or RETURNING. */
  readonly columns: string;
  /** A row of the table as the JSON of the response. */
  readonly json: string;
  readonly name: string;
  protected readonly output: OutputSql;
  /** Cached statements, because building and hashing these long texts takes 2 % of a request's time. */
  private readonly texts = new Map<string, string>();

  /** @param output the fields of the response, listed so that a new column is not published by accident */
  constructor(
    repository: Repository<Entity>,
    protected readonly runner: StatementRunner,
    output: readonly OutputField<keyof Dto & keyof Entity & string, keyof Dto & string>[],
  ) {
    super(repository.metadata);
    this.name = repository.metadata.tableName;
    this.output = outputSql(output, this.types);
    this.columns = this.output.columns;
    this.json = this.output.json;
  }

  /**
   * Reads a page of rows, newest first. With an index on the columns of `where`, `created_at` and `id`, the cost does not
   * depend on the position of the page.
   * @param batchSize the number of rows per statement. If it is less than `limit`, the page ends at about 4 MiB.
   */
  async list(
    where: string,
    values: unknown[],
    { limit, after }: Range,
    batchSize = limit,
  ): Promise<Rows<Dto>> {
    const read = (count: number, start: Position | null) =>
      this.listBy(this.select(where, values.length + 1, start !== null), values, {
        limit: Math.min(count, batchSize),
        after: start,
      });
    let rows = await read(limit, after);
    for (let left = limit - batchSize; left > 0 && rows.next && isBelowLimit(rows); left -= batchSize)
      rows = joinRows(rows, await read(left, rows.next));
    return rows;
  }

  private select(where: string, parameter: number, hasCursor: boolean): string {
    return this.text(`${hasCursor ? 'after' : 'newest'} ${where}`, () => {
      const after = `AND (created_at, id) < ($${parameter + 1}::timestamptz, $${parameter + 2}::uuid)`;
      return `
           SELECT ${this.columns}
             FROM ${this.name}
            WHERE ${where} ${hasCursor ? after : ''}
            ORDER BY created_at DESC, id DESC
            LIMIT $${parameter}::int + 1`;
    });
  }

  /**
   * Reads a page with a custom `select`. Its parameters are `values`, the limit and, unless `after` is null, the time and ID of
   * `after`. It must select one row more than the limit, which shows whether there is a next page.
   */
  async listBy(select: string, values: unknown[], { limit, after }: Range): Promise<Rows<Dto>> {
    const $limit = `$${values.length + 1}`;
    const text = this.text(
      select,
      () => `
      SELECT coalesce(array_to_json((array_agg(json))[:${$limit}]), '[]')::text AS text,
             CASE WHEN count(*) > ${$limit} THEN (array_agg(created_at))[${$limit}] END AS created_at,
             CASE WHEN count(*) > ${$limit} THEN (array_agg(id))[${$limit}] END AS id
        FROM (SELECT ${this.output.jsonOfColumns} AS json, id, created_at
                FROM (${select}) AS resource
             ) AS rows`,
    );
    const position = after ? [after.created_at, after.id] : [];
    const [row] = await this.runner.readOwn<ListRow>(text, [...values, limit, ...position]);
    const { text: json = '[]', created_at = null, id = null } = row ?? {};
    const next = created_at && id ? { created_at, id } : null;
    return { json: new RawJson(json), isEmpty: json === '[]', next };
  }

  /** Reads one row. */
  async find(where: string, values: unknown[], manager?: EntityManager): Promise<RawJson<Dto> | undefined> {
    const text = this.text(
      `find ${where}`,
      () => `SELECT ${this.outputRow()} FROM ${this.name} WHERE ${where}`,
    );
    return toRawJson(await this.runner.readOwn<OutputRow>(text, values, manager));
  }

  /**
   * Updates the columns of `patch`, and returns the row. `updated_at` increases only if a value changes, and then by at least a
   * millisecond. Returns undefined if the row does not exist or its version is not the expected one.
   */
  async patch(
    where: string,
    values: unknown[],
    patch: Partial<Entity>,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<Dto> | undefined> {
    const parameters = [...values, expected ?? null];
    const $expected = parameters.length;
    const changes = this.assignments(patch, parameters);
    const text = this.text(
      `patch ${where} ${changes.columns}`,
      () => `UPDATE ${this.name}
        ${changes.columns === '' ? 'SET updated_at = updated_at' : setChanged(changes, this.output.version)}
        WHERE ${where} AND ${isExpected($expected, this.output.version)}
    RETURNING ${this.outputRow()}`,
    );
    return toRawJson(await this.runner.query<OutputRow>(text, parameters, manager));
  }

  /**
   * Locks a row until the transaction of `manager` ends, and returns `columns`. Returns undefined if the row does not exist or
   * its version is not the expected one.
   * @param columns SQL of the result
   * @param strength `UPDATE` for a deletion; `NO KEY UPDATE` allows inserts of rows that reference the row
   */
  async lock<Row extends object>(
    where: string,
    values: unknown[],
    expected: ExpectedVersions,
    columns: string,
    manager: EntityManager,
    strength: LockStrength = 'UPDATE',
  ): Promise<Row | undefined> {
    const text = this.text(
      `lock ${strength} ${where} ${columns}`,
      () => `SELECT ${columns} FROM ${this.name}
        WHERE ${where} AND ${isExpected(values.length + 1, this.output.version)}
          FOR ${strength}`,
    );
    const [row] = await this.runner.query<Row>(text, [...values, expected ?? null], manager);
    return row;
  }

  /**
   * Inserts a row, and returns the fields of the response. Other columns have their defaults.
   * @param fixed columns that clients cannot write, such as `id` and `organization_id`
   */
  async insert(
    fixed: Record<string, unknown>,
    values: Partial<Entity>,
    manager?: EntityManager,
  ): Promise<Dto> {
    const { parameters, columns, places } = this.inserted(fixed, values);
    const text = this.text(
      `insert ${columns}`,
      () => `INSERT INTO ${this.name} (${columns})
        VALUES (${places})
    RETURNING ${this.columns}`,
    );
    return this.insertOne(text, parameters, manager);
  }

  /** Returns the columns of a row to insert, with their parameters. */
  protected inserted(fixed: Record<string, unknown>, values: Partial<Entity>) {
    const parameters = Object.values(fixed);
    const first = parameters.map((_, index) => `$${index + 1}`);
    const { names, placeholders } = this.assignments(values, parameters);
    const columns = [...Object.keys(fixed), ...names].join(', ');
    return { parameters, columns, places: [...first, placeholders].filter(Boolean).join(', ') };
  }

  protected async insertOne(text: string, parameters: unknown[], manager?: EntityManager): Promise<Dto> {
    const [row] = await this.runner.query<Dto>(text, parameters, manager);
    if (!row) throw new Error('an insert returned no row');
    return row;
  }

  /**
   * Inserts rows in one statement.
   * @param rows contain the same columns. Others have their defaults
   */
  async insertAll(rows: Partial<Entity>[], manager?: EntityManager): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const columns = [...this.types].filter(([column]) => column in first);
    const names = columns.map(([column]) => column).join(', ');
    const text = this.text(
      `insert all ${names}`,
      () => `INSERT INTO ${this.name} (${names})
        SELECT ${names} FROM jsonb_to_recordset($1::jsonb) AS row (${columns.map((column) => column.join(' ')).join(', ')})`,
    );
    await this.runner.query(text, [JSON.stringify(rows)], manager);
  }

  /** Deletes a row. Returns false if it does not exist or its version is not the expected one. */
  async delete(
    where: string,
    values: unknown[],
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<boolean> {
    const text = this.text(
      `delete ${where}`,
      () => `DELETE FROM ${this.name}
        WHERE ${where} AND ${isExpected(values.length + 1, this.output.version)}
    RETURNING id`,
    );
    return (await this.runner.query(text, [...values, expected ?? null], manager)).length > 0;
  }

  /** Returns SQL of an {@link OutputRow}. */
  outputRow(): string {
    return `${this.output.json}::text AS text, ${this.output.versionText} AS version`;
  }

  protected text(key: string, build: () => string): string {
    const cached = this.texts.get(key);
    if (cached !== undefined) return cached;
    const text = build();
    this.texts.set(key, text);
    return text;
  }
}

/** Strength of a row lock. */
export type LockStrength = 'UPDATE' | 'NO KEY UPDATE';

/** A page of rows as JSON, and the position of the last row. */
interface ListRow {
  text: string | LargeText;
  created_at: Date | null;
  id: string | null;
}
