import type { EntityManager, Repository } from 'typeorm';
import type { LoggedActor } from '../log/logged-actor.js';
import { LoggedTable, type LogOptions } from './logged-table.js';
import type { Range, Rows } from './keyset.js';
import type { OutputField } from './output-fields.js';
import {
  OF_PROJECT,
  OWN,
  ownRowParameters,
  type ProjectColumns,
  projectParameters,
  type RowAccess,
} from './own-rows.js';
import type { RawJson } from './raw-json.js';
import type { LockStrength } from './resource-table.js';
import type { StatementRunner } from './statement-runner.js';
import type { ExpectedVersions } from './versions.js';

/** Columns of entities of a project, see `ProjectOwned`. */
type ProjectRow = ProjectColumns & { id: string; created_at: Date; updated_at: Date };

/** Columns of a row that an update can change. */
export type PatchOf<Entity> = Partial<Omit<Entity, keyof ProjectRow | 'project'>>;

interface Options<Entity, Dto, Locked> {
  /** Fields of the response in order, listed so that a new column is not published by accident. */
  output: readonly OutputField<keyof Dto & keyof Entity & string, keyof Dto & string>[];
  /** Fields of a locked row. Default: the ID. */
  locked?: readonly OutputField<keyof Locked & keyof Entity & string, keyof Locked & string>[];
  /** Types of the events that record the writes. Default: the caller records them. */
  log?: LogOptions<keyof Dto & string>;
  /** SQL condition of a row that an actor can access, with the parameters of `ownRowParameters`. Default: {@link OWN}. */
  own?: string;
  /** Number of rows that one statement of a list reads, if 100 rows can exceed 4 MiB. */
  batchSize?: number;
}

/**
 * Reads and locks the rows of projects. The statements contain the organization and the projects that the actor can access. Other
 * rows do not exist for the caller.
 */
export abstract class OwnRows<Entity extends ProjectRow, Dto extends object, Locked extends object> {
  protected readonly table: LoggedTable<Entity, Dto>;
  protected readonly own: string;
  private readonly locked: string;
  protected readonly batchSize: number | undefined;

  constructor(
    protected readonly repository: Repository<Entity>,
    protected readonly runner: StatementRunner,
    { output, locked = [], log = {}, own = OWN, batchSize }: Options<Entity, Dto, Locked>,
  ) {
    this.table = new LoggedTable(repository, runner, output, log);
    this.own = own;
    this.locked =
      locked.map((field) => (typeof field === 'string' ? field : `${field.sql} AS ${field.as}`)).join(', ') ||
      'id';
    this.batchSize = batchSize;
  }

  /**
   * Returns rows of a project, newest first. Uses the index `<table>_list_idx`.
   * @param filter values of columns; undefined: any
   */
  async findNewest(project: ProjectColumns, filter: Partial<Entity>, range: Range): Promise<Rows<Dto>> {
    const values = projectParameters(project);
    return this.table.list(OF_PROJECT + this.table.equals(filter, values), values, range, this.batchSize);
  }

  async findOwn(access: RowAccess, id: string, manager?: EntityManager): Promise<RawJson<Dto> | undefined> {
    return this.table.find(this.own, ownRowParameters(access, id), manager);
  }

  /** Returns the project of a row. Does not lock the row. */
  async findProject(
    access: RowAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<ProjectColumns | undefined> {
    const [project] = await this.runner.read<ProjectColumns>(
      `SELECT organization_id, project_id FROM ${this.table.name} WHERE ${this.own}`,
      ownRowParameters(access, id),
      manager,
    );
    return project;
  }

  /** Locks rows of a project against deletion until the transaction ends, in ID order to avoid deadlocks. Returns their IDs. */
  async lock(project: ProjectColumns, rows: { id: string }[], manager: EntityManager): Promise<Set<string>> {
    const locked = await this.runner.query<{ id: string }>(
      `SELECT id FROM ${this.table.name} WHERE ${OF_PROJECT} AND id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE`,
      [...projectParameters(project), rows.map(({ id }) => id)],
      manager,
    );
    return new Set(locked.map(({ id }) => id));
  }

  /** Locks a row until the transaction ends. Returns undefined if it does not exist or its version is not the expected one. */
  async lockOwn(
    access: RowAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
    strength?: LockStrength,
  ): Promise<Locked | undefined> {
    return this.table.lock(this.own, ownRowParameters(access, id), expected, this.locked, manager, strength);
  }
}

/**
 * Reads and writes the rows of projects. It owns a TypeORM repository, whose `delete({ id })` would also delete rows of other
 * organizations. With `log`, each statement that writes a row also records its event.
 *
 *     @Injectable()
 *     export class MonitorsRepository extends TenantRepository<Monitor, MonitorDto> {
 *       constructor(@InjectRepository(Monitor) repository: Repository<Monitor>, runner: StatementRunner) {
 *         super(repository, runner, {
 *           output: ['id', 'name', 'project_id', 'created_at', 'updated_at'],
 *           log: { created: 'monitor.created', updated: 'monitor.updated', deleted: 'monitor.deleted' },
 *         });
 *       }
 *     }
 */
export abstract class TenantRepository<
  Entity extends ProjectRow,
  Dto extends object,
  Locked extends object = Pick<Entity, 'id'>,
> extends OwnRows<Entity, Dto, Locked> {
  /**
   * Updates a row, but for its identity, owner and version. `updated_at` increases only if a value changes. Returns undefined if the
   * row does not exist or its version is not the expected one.
   */
  async patchOwn(
    actor: LoggedActor,
    id: string,
    patch: Partial<Entity>,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<Dto> | undefined> {
    return this.table.patchBy(actor, this.own, ownRowParameters(actor, id), patch, expected, manager);
  }

  /** Inserts a row of a project that the actor can access. Other columns have their defaults. */
  async insertOwn(
    actor: LoggedActor,
    row: ProjectColumns & { id: string } & Partial<Entity>,
    manager?: EntityManager,
  ): Promise<Dto> {
    // The default is from the same clock as the UUIDv7, so that both sort in the same order.
    const { id, organization_id, project_id, created_at = new Date(), updated_at = created_at } = row;
    const fixed = { id, organization_id, project_id, created_at, updated_at };
    return this.table.insertBy(actor, fixed, row, manager);
  }

  /** Deletes a row. Returns false if it does not exist or its version is not the expected one. */
  async deleteOwn(
    actor: LoggedActor,
    id: string,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<boolean> {
    return this.table.deleteBy(actor, this.own, ownRowParameters(actor, id), expected, manager);
  }
}
