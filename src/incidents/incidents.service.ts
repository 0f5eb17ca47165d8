import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { KeyAccess } from '../platform/auth/current-key.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { type StatusInterval } from '../monitors/monitor-status.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type ListPage, resolveCursor, toListPage } from '../platform/pagination/list-page.js';
import { notFound, pointerTo, validationFailed } from '../platform/problems/problem.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import { DeletedPagesService } from '../status-pages/deleted/deleted-pages.service.js';
import type { CreateIncidentDto } from './dto/create-incident.dto.js';
import type { IncidentDto } from './dto/incident.dto.js';
import type { ListIncidentsQuery } from './dto/list-incidents.query.js';
import type { UpdateIncidentDto } from './dto/update-incident.dto.js';
import { Incident } from './incident.entity.js';
import { IncidentChanges } from './incident-changes.js';
import { firstOf, historyOf, type UpdateFacts } from './incident-history.js';
import { IncidentImpactsRepository, type OpenImpact } from './incident-impacts.repository.js';
import type { Impact } from './incident-status.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { IncidentUpdatesRepository } from './incident-updates.repository.js';
import { IncidentsRepository } from './incidents.repository.js';

/** An update of a new incident. If `monitors` is null or omitted, they are unchanged. `posted_at` defaults to now. */
export type NewIncidentUpdate = Pick<IncidentUpdate, 'status' | 'body'> &
  Partial<Pick<IncidentUpdate, 'id' | 'monitors' | 'posted_at'>>;

/**
 * A new incident. `updates` has at least one update, in the order of creation. The first takes effect at `started_at`; the others
 * must not be posted before it. `started_at` defaults to now. If `impact` is null, it is derived.
 */
export type NewIncident = Pick<Incident, 'title'> &
  Partial<Pick<Incident, 'id' | 'started_at' | 'status_page_ids' | 'postmortem'>> & {
    impact?: Impact | null;
    updates: NewIncidentUpdate[];
  };

/** Manages incidents of monitors and status pages. */
@Injectable()
export class IncidentsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: IncidentsRepository,
    private readonly updates: IncidentUpdatesRepository,
    private readonly impacts: IncidentImpactsRepository,
    private readonly changes: IncidentChanges,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly deletedPages: DeletedPagesService,
  ) {}

  onModuleInit(): void {
    this.monitors.onDelete(async (monitor, manager) => {
      await this.repository.removeMonitor(monitor, manager);
      await this.updates.removeMonitor(monitor, manager);
    });
    this.deletedPages.register({
      kind: 'incidents',
      remove: (page, manager) => this.repository.removeStatusPage(page, manager),
      add: (page, ids, manager) => this.repository.addStatusPage(page, ids, manager),
    });
  }

  /**
   * Lists the incidents of a project, newest first: all, only open or only resolved ones.
   * @throws Problem 404 `not_found` if the key cannot access the project; 400 `invalid_cursor`
   */
  async list(
    key: KeyAccess,
    { project_id, open, limit, cursor }: ListIncidentsQuery,
  ): Promise<ListPage<IncidentDto>> {
    const filter = open === undefined ? '' : open ? '_open' : '_resolved';
    const list = { name: `incidents${filter}`, owner_id: project_id };
    const after = resolveCursor(list, cursor);
    const project = this.projects.projectRef(key, project_id);
    const rows = await this.repository.findNewest(project, open, { limit, after });
    // If there are rows, the project exists.
    if (rows.isEmpty) await this.projects.require(key, project_id);
    return toListPage(list, rows);
  }

  /** @throws Problem 404 `not_found` */
  async get(key: KeyAccess, id: string): Promise<RawJson<IncidentDto>> {
    return (await this.repository.findOwn(key, id)) ?? throwNotFound();
  }

  /**
   * Creates an incident with its first update.
   * @throws Problem 404 `not_found` if the key cannot access the project; 400 `validation_failed` with `unknown_monitor` or
   * `unknown_status_page`
   */
  async create(
    key: KeyAccess,
    { project_id, status = 'investigating', body, monitors = [], ...fields }: CreateIncidentDto,
  ): Promise<IncidentDto> {
    const project = await this.projects.require(key, project_id);
    // The first update of a past incident precedes its other updates.
    const first = { status, body, monitors, posted_at: fields.started_at };
    return this.dataSource.transaction(async (manager) => {
      await this.changes.lockNamed(project, { ...fields, monitors }, manager);
      return this.createIn(project, { ...fields, updates: [first] }, manager);
    });
  }

  /**
   * Creates an incident in an existing project. The transaction must have locked or created its monitors and status pages.
   * The times are not checked.
   */
  async createIn(
    project: ProjectRef,
    {
      id = uuidv7(),
      title,
      started_at: sent,
      impact = null,
      status_page_ids = null,
      postmortem = null,
      updates: newUpdates,
    }: NewIncident,
    manager: EntityManager,
  ): Promise<IncidentDto> {
    const now = new Date();
    const started_at = sent ?? now;
    const updates = newUpdates.map((update, index): IncidentUpdate => {
      // One millisecond apart, so that lists keep the order of creation.
      const created_at = new Date(now.getTime() - (newUpdates.length - 1 - index));
      const { organization_id } = project;
      const { monitors = null, posted_at = now } = update;
      const updateId = update.id ?? uuidv7();
      return {
        ...update,
        id: updateId,
        organization_id,
        incident_id: id,
        monitors,
        posted_at,
        created_at,
        updated_at: created_at,
      };
    });
    const facts = { started_at, set_impact: impact, updates };
    const { status, monitors, resolved_at, impact: derived } = historyOf(facts);
    const shown: IncidentDto = {
      id,
      title,
      status,
      impact: impact ?? derived,
      monitors,
      started_at,
      resolved_at,
      status_page_ids,
      postmortem,
      project_id: project.project_id,
      created_at: now,
      updated_at: now,
    };
    const incident = { ...shown, ...project, set_impact: impact };
    await manager.insert(Incident, incident).catch(throwIfProjectIsMissing);
    await manager.insert(IncidentUpdate, updates);
    await this.changes.rewrite(incident, null, facts, manager);
    return shown;
  }

  /**
   * Updates an incident. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_status_page`, or with `out_of_range` if the start is
   * after an update; 412 `precondition_failed`
   */
  async update(
    key: KeyAccess,
    id: string,
    { impact, ...patch }: UpdateIncidentDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<IncidentDto>> {
    return this.changes.change(key, id, patch, expected, async (incident, manager) => {
      const { updates } = incident;
      if (patch.started_at) requireStartBefore(patch.started_at, updates);
      const started_at = patch.started_at ?? incident.started_at;
      const set_impact = impact === undefined ? incident.set_impact : impact;
      const derived = await this.changes.rewrite(
        incident,
        incident,
        { started_at, set_impact, updates },
        manager,
      );
      const changed = await this.repository.patch(incident, { ...patch, set_impact, ...derived }, manager);
      return changed ?? throwNotFound();
    });
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(key: KeyAccess, id: string, expected: ExpectedVersions): Promise<void> {
    await this.changes.change(key, id, {}, expected, async (incident, manager) => {
      await this.changes.rewrite(incident, incident, { ...incident, updates: [] }, manager);
      await this.repository.deleteLocked(incident, manager);
    });
  }

  /** Returns an incident of any organization. Only for the administrator (the CLI). */
  async findForAdministrator(id: string): Promise<Incident | null> {
    return this.repository.findOneBy({ id });
  }

  /** Returns the intervals that overlap [from, to) and were set by incidents, sorted by monitor and start. */
  async intervalsOf(
    organizationId: string,
    monitorIds: string[],
    range: { from: Date; to: Date },
    manager?: EntityManager,
  ): Promise<StatusInterval[]> {
    return this.impacts.intervalsOf(organizationId, monitorIds, range, manager);
  }

  /** Returns the statuses that open incidents set for monitors at `now`, limited to the 100 worst per monitor. */
  async openOf(
    organizationId: string,
    monitorIds: string[],
    now: Date,
    manager?: EntityManager,
  ): Promise<OpenImpact[]> {
    return this.impacts.openOf(organizationId, monitorIds, now, manager);
  }
}

function throwNotFound(): never {
  throw notFound('incident');
}

/** @throws Problem 400 `validation_failed` if an update other than the first one was posted before the start */
function requireStartBefore(start: Date, updates: UpdateFacts[]): void {
  const first = firstOf(updates);
  if (!updates.some((update) => update !== first && update.posted_at < start)) return;
  const detail = 'must not be after any update except the first one';
  throw validationFailed([{ code: 'out_of_range', detail, pointer: pointerTo(['started_at']) }]);
}
