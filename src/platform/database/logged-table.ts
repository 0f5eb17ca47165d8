import type { EntityManager, ObjectLiteral, Repository } from 'typeorm';
import type { LoggedActor } from '../log/logged-actor.js';
import { type OutputField, toIsoText } from './output-fields.js';
import { type OutputRow, type RawJson, toRawJson } from './raw-json.js';
import { ResourceTable } from './resource-table.js';
import type { StatementRunner } from './statement-runner.js';
import { isExpected, setChanged } from './statements.js';
import type { Assignments } from './table-columns.js';
import type { ExpectedVersions } from './versions.js';
import { changesOfFields, changesOfRow, insertLogEvent, logParameters } from './log-statements.js';
import type { LoggedType } from '../log/logged-types.js';

/** Types of the events that record the writes of a table's rows. */
export interface LogOptions<Field extends string = string> {
  /** Types of the events. Without one, the caller records the write. */
  created?: LoggedType;
  updated?: LoggedType;
  deleted?: LoggedType;
  /** Column that contains the project; null: the rows belong to the organization. Default: `project_id`. */
  project?: 'project_id' | 'id' | null;
  /** Fields of the response whose values are secrets or addresses. */
  hidden?: readonly Field[];
}

/**
 * A {@link ResourceTable} whose writes have an actor. Each statement that writes a row also records its event, see `docs/api/events.md`.
 *
 *     table.patchBy(actor, 'organization_id = $1 AND id = $2', [organization_id, id], { name }, expected);
 */
export class LoggedTable<Entity extends ObjectLiteral, Dto extends object> extends ResourceTable<
  Entity,
  Dto
> {
  private readonly shown: ReadonlySet<string>;
  private readonly hidden: readonly string[];
  private readonly project: string;
  /** Columns of unique indexes without a condition. PostgreSQL changes only these under the lock FOR UPDATE. */
  private readonly keys: ReadonlySet<string>;

  constructor(
    repository: Repository<Entity>,
    runner: StatementRunner,
    output: readonly OutputField<keyof Dto & keyof Entity & string, keyof Dto & string>[],
    private readonly log: LogOptions<keyof Dto & string>,
  ) {
    super(repository, runner, output);
    this.shown = new Set<string>(output.filter((field) => typeof field === 'string'));
    this.hidden = log.hidden ?? [];
    this.project = log.project === null ? 'NULL::uuid' : (log.project ?? 'project_id');
    const unique = repository.metadata.indices.filter(({ isUnique, where }) => isUnique && !where);
    this.keys = new Set(unique.flatMap(({ columns }) => columns.map(({ databaseName }) => databaseName)));
  }

  /** Updates a row like `patch`. An event contains the fields that have changed. Without any, there is no event. */
  async patchBy(
    actor: LoggedActor,
    where: string,
    values: unknown[],
    patch: Partial<Entity>,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<Dto> | undefined> {
    const parameters = [...values, expected ?? null];
    const $expected = parameters.length;
    const changes = this.assignments(patch, parameters);
    const shown = changes.names.filter((column) => this.shown.has(column));
    const { updated } = this.log;
    if (updated === undefined || shown.length === 0)
      return this.patch(where, values, patch, expected, manager);
    const $log = parameters.length + 1;
    parameters.push(...logParameters(updated, actor));
    const text = this.text(`logged patch ${where} ${changes.columns}`, () =>
      this.patchStatement(`${where} AND ${isExpected($expected, this.output.version)}`, changes, shown, $log),
    );
    return toRawJson(await this.runner.query<OutputRow>(text, parameters, manager));
  }

  /** Locks the row first, because an UPDATE returns no old values, and without the lock, those could be older than a concurrent update. */
  private patchStatement(where: string, changes: Assignments, shown: string[], $log: number): string {
    const strength = changes.names.some((column) => this.keys.has(column)) ? 'UPDATE' : 'NO KEY UPDATE';
    const columns = (prefix: string) => shown.map((column) => `, ${column} AS ${prefix}_${column}`).join('');
    const jsonOf = (column: string, value: string) =>
      `to_jsonb(${this.types.get(column)?.startsWith('timestamp') ? toIsoText(value) : value})`;
    const fields = shown.map((name) => ({
      name,
      from: jsonOf(name, `former_${name}`),
      to: jsonOf(name, `next_${name}`),
    }));
    return `
      WITH former AS (
        SELECT id AS former_id${columns('former')}
          FROM ${this.name}
         WHERE ${where}
           FOR ${strength}
      ), written AS (
        UPDATE ${this.name}
           ${setChanged(changes, this.output.version)}
          FROM former
         WHERE organization_id = $1 AND id = former_id
        RETURNING ${this.outputRow()}, organization_id, ${this.project} AS own_project_id, id, former.*${columns('next')}
      ), changed AS (
        SELECT organization_id, own_project_id AS project_id, id, ${changesOfFields(fields, this.hidden)} AS changes
          FROM written
      ), event AS (${insertLogEvent('changed WHERE changes IS NOT NULL', $log)}
      )
      SELECT text, version FROM written`;
  }

  /** Inserts a row like `insert`. */
  async insertBy(
    actor: LoggedActor,
    fixed: Record<string, unknown>,
    values: Partial<Entity>,
    manager?: EntityManager,
  ): Promise<Dto> {
    const { created } = this.log;
    if (created === undefined) return this.insert(fixed, values, manager);
    const { parameters, columns, places } = this.inserted(fixed, values);
    const $log = parameters.length + 1;
    parameters.push(...logParameters(created, actor));
    const text = this.text(
      `logged insert ${columns}`,
      () => `
      WITH written AS (
        INSERT INTO ${this.name} (${columns})
        VALUES (${places})
        RETURNING *
      ), event AS (${insertLogEvent(this.changedRow('new'), $log)}
      )
      SELECT ${this.columns} FROM written AS ${this.name}`,
    );
    return this.insertOne(text, parameters, manager);
  }

  /** Deletes a row like `delete`. */
  async deleteBy(
    actor: LoggedActor,
    where: string,
    values: unknown[],
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<boolean> {
    const { deleted } = this.log;
    if (deleted === undefined) return this.delete(where, values, expected, manager);
    const parameters = [...values, expected ?? null];
    const $log = parameters.length + 1;
    const text = this.text(
      `logged delete ${where}`,
      () => `
      WITH written AS (
        DELETE FROM ${this.name}
         WHERE ${where} AND ${isExpected(parameters.length, this.output.version)}
        RETURNING *
      ), event AS (${insertLogEvent(this.changedRow('deleted'), $log)}
      )
      SELECT id FROM written`,
    );
    const log = logParameters(deleted, actor);
    return (await this.runner.query(text, [...parameters, ...log], manager)).length > 0;
  }

  private changedRow(is: 'new' | 'deleted'): string {
    return `(SELECT organization_id, ${this.project} AS project_id, id,
                    ${changesOfRow(this.json, is, this.hidden)} AS changes
               FROM written AS ${this.name}) AS changed`;
  }
}
