import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { changesOf } from '../platform/log/changes.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { isNotified } from '../events/dto/notify.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { notFound, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import { referencesIn } from '../platform/problems/references.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ReportsService } from '../reports/reports.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import type { CreateMaintenanceDto } from './dto/create-maintenance.dto.js';
import type { MaintenanceDto } from './dto/maintenance.dto.js';
import type { UpdateMaintenanceDto } from './dto/update-maintenance.dto.js';
import { eventsBetween, isOver, MaintenanceEvents } from './maintenance-events.js';
import type { Closing } from './maintenance-status.js';
import type { Maintenance } from './maintenance.entity.js';
import { MaintenanceUpdatesRepository, type NewMaintenanceUpdate } from './maintenance-updates.repository.js';
import { type LockedMaintenance, MaintenancesRepository } from './maintenances.repository.js';
import {
  ShownMaintenancesRepository,
  type ShowingPage,
  type ShownFilter,
  type ShownLimits,
  type ShownMaintenance,
} from './shown-maintenances.repository.js';
import { changesWindow, planOf, windowOf } from './plan.js';

/**
 * Fields of a new maintenance window. `ends_at` is after `starts_at`, at most 30 days later. `closed`: how and when it was
 * closed before its end, or null. `updates` are in the order of creation.
 */
export type NewMaintenance = Pick<Maintenance, 'title' | 'starts_at' | 'ends_at'> &
  Partial<Pick<Maintenance, 'id' | 'body' | 'monitor_ids' | 'status_page_ids'>> & {
    closed?: { as: Closing; at: Date } | null;
    updates?: NewMaintenanceUpdate[];
  };

/** Manages maintenance windows, in which monitors are expected to fail. */
@Injectable()
export class MaintenancesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MaintenancesRepository,
    private readonly updates: MaintenanceUpdatesRepository,
    private readonly onPages: ShownMaintenancesRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly statusPages: StatusPagesService,
    private readonly reports: ReportsService,
    private readonly events: MaintenanceEvents,
    private readonly log: WriteLog,
  ) {}

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string, manager?: EntityManager): Promise<RawJson<MaintenanceDto>> {
    const maintenance = await this.repository.findOwn(access, id, manager);
    if (!maintenance) throw notFound('maintenance window');
    return maintenance;
  }

  /**
   * Creates a maintenance window in a project.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` with `unknown_monitor` or
   * `unknown_status_page`
   */
  async create(
    actor: Actor,
    { project_id, notify, ...maintenance }: CreateMaintenanceDto,
  ): Promise<MaintenanceDto> {
    const project = await this.projects.require(actor, project_id);
    return this.dataSource.transaction(async (manager) => {
      await this.lockReferences(project, maintenance, manager);
      const is_notified = isNotified(notify, maintenance.ends_at);
      const created = await this.createIn(actor, project_id, maintenance, manager, is_notified);
      if (isOver(created.status)) {
        const changes = changesOf(undefined, created);
        await this.log.record(
          { actor, type: 'maintenance.recorded', project_id, resource_id: created.id, changes },
          manager,
        );
      }
      return created;
    });
  }

  /**
   * Creates a maintenance window in an existing project. The transaction must have locked or created its monitors and pages.
   * @param is_notified whether subscribers are notified of this window
   */
  async createIn(
    actor: Actor,
    project_id: string,
    { id = uuidv7(), monitor_ids = [], closed = null, updates = [], ...fields }: NewMaintenance,
    manager: EntityManager,
    is_notified = false,
  ): Promise<MaintenanceDto> {
    const project = this.projects.projectRef(actor, project_id);
    const row = {
      ...fields,
      ...project,
      id,
      monitor_ids,
      closed_as: closed?.as ?? null,
      closed_at: closed?.at ?? null,
      is_notified,
    };
    const created = await this.repository.insertOwn(actor, row, manager).catch(throwIfProjectIsMissing);
    await this.updates.insertAll({ ...project, id }, updates, manager);
    await this.reports.lockHistory(project.organization_id, monitor_ids, windowOf(fields), manager);
    await this.events.created(actor, row, manager);
    return created;
  }

  /**
   * Updates a maintenance window. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor` or `unknown_status_page`, or if the window
   * or the status is invalid together with the current values; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateMaintenanceDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<MaintenanceDto>> {
    const { title, body, notify, ...plan } = patch;
    if (Object.values(plan).every((value) => value === undefined))
      return (
        (await this.repository.patchOwn(actor, id, { title, body }, expected)) ??
        throwNotFoundOrPreconditionFailed('maintenance window', this.repository.findOwn(actor, id))
      );
    return this.dataSource.transaction(async (manager) => {
      const project = await this.repository.findProject(actor, id, manager);
      if (!project) throw notFound('maintenance window');
      await this.lockReferences(project, plan, manager);
      const current = await this.lockOwn(actor, id, expected, manager);
      const next = planOf(current, plan);
      if (changesWindow(current, next)) {
        const monitorIds = [...new Set([...current.monitor_ids, ...next.monitor_ids])];
        await this.reports.lockHistory(current.organization_id, monitorIds, windowOf(current, next), manager);
      }
      const { status_page_ids } = plan;
      const changes = {
        title,
        body,
        status_page_ids,
        ...(status_page_ids !== undefined && { former_page_ids: [] }), // the client names the pages
        ...next,
        ...(notify && { is_notified: true }),
      };
      // One event for the change: the one that recipients get, if there is one.
      if (eventsBetween(current, next, current.now).length === 0) {
        const edited = await this.repository.patchOwn(actor, id, changes, undefined, manager);
        return edited ?? throwNotFound();
      }
      const before = await this.repository.findOwn(actor, id, manager);
      const updated = (await this.repository.patchLocked(actor, id, changes, manager)) ?? throwNotFound();
      const change = { next, changes: changesOf(before, updated), sent: notify };
      await this.events.changed(actor, { ...current, id }, change, manager);
      return updated;
    });
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const own = await this.lockOwn(actor, id, expected, manager);
      await this.reports.lockHistory(own.organization_id, own.monitor_ids, windowOf(own), manager);
      await this.events.deleted({ ...own, id }, manager);
      await this.repository.deleteOwn(actor, id, undefined, manager);
    });
  }

  /**
   * Returns the windows that a page shows, sorted by `starts_at`: in progress, or scheduled to start before `until`. At most
   * 100.
   * @param monitorIds the monitors that the page shows
   */
  async upcomingOn(
    project: ProjectRef,
    statusPageId: string,
    monitorIds: string[],
    until: Date,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<MaintenanceDto[]> {
    return this.onPages.findUpcoming(project, { statusPageId, monitorIds }, until, manager);
  }

  /**
   * Returns windows that a page shows with their updates, including cancelled windows, latest start first. With the filter
   * `starts_before`, returns only windows that have not ended, earliest start first.
   */
  async shownOn(
    page: ShowingPage,
    filter: ShownFilter,
    limits: ShownLimits,
    manager: EntityManager,
  ): Promise<ShownMaintenance[]> {
    return this.onPages.findShown(page, filter, limits, manager);
  }

  /**
   * Returns when a window that a page shows, or a window of its monitors, starts or ends next, or an update of a window that the
   * page shows takes effect; null if no change is scheduled.
   */
  async nextChange(page: ShowingPage, manager: EntityManager): Promise<Date | null> {
    return this.onPages.findNextChange(page, manager);
  }

  /** Locks the monitors and pages that a body references. */
  private async lockReferences(
    project: ProjectRef,
    { monitor_ids = [], status_page_ids }: Pick<UpdateMaintenanceDto, 'monitor_ids' | 'status_page_ids'>,
    manager: EntityManager,
  ): Promise<void> {
    await this.monitors.lock(project, referencesIn(['monitor_ids'], monitor_ids), manager);
    await this.statusPages.lock(project, referencesIn(['status_page_ids'], status_page_ids ?? []), manager);
  }

  /**
   * Locks a maintenance window. `lockHistory` of its monitors then waits for no lock on a monitor, because their histories were
   * created with the window. This prevents a deadlock with the deletion of a monitor, which locks the monitor, then the window.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  private async lockOwn(
    actor: Actor,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<LockedMaintenance> {
    return (
      (await this.repository.lockOwn(actor, id, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('maintenance window', this.repository.findOwn(actor, id, manager))
    );
  }
}

function throwNotFound(): never {
  throw notFound('maintenance window');
}
