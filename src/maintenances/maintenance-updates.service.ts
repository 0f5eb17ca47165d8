import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { changesOf } from '../platform/log/changes.js';
import type { LoggedType } from '../platform/log/logged-types.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { type ListPage, type ListQuery, readListPage } from '../platform/pagination/list-page.js';
import { notFound, Problem, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import type { CreateMaintenanceUpdateDto } from './dto/create-maintenance-update.dto.js';
import type { MaintenanceUpdateDto } from './dto/maintenance-update.dto.js';
import type { UpdateMaintenanceUpdateDto } from './dto/update-maintenance-update.dto.js';
import { MAX_UPDATES } from './maintenance-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { MaintenanceUpdatesRepository } from './maintenance-updates.repository.js';
import { MaintenancesRepository } from './maintenances.repository.js';

const UPDATE = 'update of the maintenance window';

/** Manages updates of maintenance windows. Each change also increases the version of the window. */
@Injectable()
export class MaintenanceUpdatesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MaintenanceUpdatesRepository,
    private readonly maintenances: MaintenancesRepository,
    private readonly log: WriteLog,
  ) {}

  /**
   * Lists the updates of a maintenance window, newest first.
   * @throws Problem 404 `not_found`; 400 `invalid_cursor`
   */
  async list(
    access: ActorAccess,
    maintenanceId: string,
    query: ListQuery,
  ): Promise<ListPage<MaintenanceUpdateDto>> {
    const list = { name: 'maintenance_updates', owner_id: maintenanceId };
    return readListPage(list, query, async (range) =>
      this.repository.findNewest(await this.requireMaintenance(access, maintenanceId), range),
    );
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, maintenanceId: string, id: string): Promise<RawJson<MaintenanceUpdateDto>> {
    const maintenance = await this.requireMaintenance(access, maintenanceId);
    const update = await this.repository.findOf(maintenance, id);
    if (!update) throw notFound(UPDATE);
    return update;
  }

  /**
   * Adds an update to a maintenance window.
   * @param expected the versions of the window that `If-Match` accepts
   * @throws Problem 404 `not_found`; 409 `conflict` if there are already {@link MAX_UPDATES}; 412 `precondition_failed`
   */
  async create(
    actor: Actor,
    maintenanceId: string,
    { body, posted_at: sent }: CreateMaintenanceUpdateDto,
    expected: ExpectedVersions,
  ): Promise<MaintenanceUpdateDto> {
    return this.change(actor, maintenanceId, expected, async (maintenance, manager) => {
      const { count, last } = await this.repository.countOf(maintenance, manager);
      if (count >= MAX_UPDATES)
        throw new Problem('conflict', {
          detail: `The maintenance window already has ${MAX_UPDATES} updates, which is the maximum`,
        });
      const now = Date.now();
      // After all other updates, even if a server whose clock is ahead created them.
      const created_at = new Date(Math.max(now, last ? last.getTime() + 1 : 0));
      const posted_at = sent ?? new Date(now);
      const shown = { id: uuidv7(), body, posted_at, maintenance_id: maintenanceId };
      const times = { created_at, updated_at: created_at };
      const { organization_id } = maintenance;
      await this.repository.insert({ ...shown, organization_id, ...times }, manager);
      await this.maintenances.increaseVersion(maintenance, manager);
      await this.record(
        'maintenance.update_created',
        actor,
        maintenance,
        [undefined, shown],
        shown.id,
        manager,
      );
      return { ...shown, ...times };
    });
  }

  /**
   * Changes an update. Omitted fields keep their values.
   * @param expected the versions of the update that `If-Match` accepts
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    maintenanceId: string,
    id: string,
    patch: UpdateMaintenanceUpdateDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<MaintenanceUpdateDto>> {
    return this.change(actor, maintenanceId, undefined, async (maintenance, manager) => {
      const before = await this.repository.findOf(maintenance, id, manager);
      const changed =
        (await this.repository.patch(maintenance, id, patch, expected, manager)) ??
        (await throwNotFoundOrPreconditionFailed(UPDATE, Promise.resolve(before)));
      if (changed.updated_at !== before?.updated_at) {
        await this.maintenances.increaseVersion(maintenance, manager);
        const versions = [before, changed] as const;
        await this.record('maintenance.update_edited', actor, maintenance, versions, id, manager);
      }
      return changed;
    });
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(actor: Actor, maintenanceId: string, id: string, expected: ExpectedVersions): Promise<void> {
    await this.change(actor, maintenanceId, undefined, async (maintenance, manager) => {
      const before = await this.repository.findOf(maintenance, id, manager);
      if (!(await this.repository.deleteOf(maintenance, id, expected, manager)))
        await throwNotFoundOrPreconditionFailed(UPDATE, Promise.resolve(before));
      await this.maintenances.increaseVersion(maintenance, manager);
      await this.record('maintenance.update_deleted', actor, maintenance, [before, undefined], id, manager);
    });
  }

  /** Changes updates in a transaction that locks their maintenance window, so that changes are sequential. */
  private async change<Result>(
    actor: Actor,
    id: string,
    expected: ExpectedVersions,
    apply: (maintenance: ProjectRef & { id: string }, manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const { organization_id, project_id } =
        (await this.maintenances.lockOwn(actor, id, expected, manager)) ??
        (await throwNotFoundOrPreconditionFailed(
          'maintenance window',
          this.maintenances.findOwn(actor, id, manager),
        ));
      return apply({ organization_id, project_id, id }, manager);
    });
  }

  private async record(
    type: LoggedType,
    actor: Actor,
    { id, project_id }: ProjectRef & { id: string },
    [before, after]: readonly [object | undefined, object | undefined],
    update_id: string,
    manager: EntityManager,
  ): Promise<void> {
    const changes = changesOf(before, after);
    await this.log.record({ actor, type, project_id, resource_id: id, update_id, changes }, manager);
  }

  private async requireMaintenance(
    access: ActorAccess,
    id: string,
  ): Promise<{ organization_id: string; id: string }> {
    const project = await this.maintenances.findProject(access, id);
    if (!project) throw notFound('maintenance window');
    return { organization_id: project.organization_id, id };
  }
}
