import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { changesOf } from '../platform/log/changes.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { isNotified } from '../events/dto/notify.js';
import { EventsService, refOf } from '../events/events.service.js';
import { type StatusInterval } from '../monitors/monitor-status.js';
import { notFound } from '../platform/problems/problem.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { CreateIncidentDto } from './dto/create-incident.dto.js';
import type { IncidentDto } from './dto/incident.dto.js';
import type { UpdateIncidentDto } from './dto/update-incident.dto.js';
import { dataOfDeleted } from './deleted-incident.js';
import { IncidentChanges, requireStartBefore } from './incident-changes.js';
import { historyOf } from './incident-history.js';
import { IncidentImpactsRepository, type OpenImpact } from './incident-impacts.repository.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { IncidentUpdatesRepository } from './incident-updates.repository.js';
import { IncidentsRepository } from './incidents.repository.js';
import type { NewIncident } from './new-incident.js';
import { type IncidentValues, PreparedValues } from './prepared-values.js';
import { TEXT_OF_STATUS } from './update-texts.js';

/** Manages incidents of monitors and status pages. */
@Injectable()
export class IncidentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: IncidentsRepository,
    private readonly updates: IncidentUpdatesRepository,
    private readonly impacts: IncidentImpactsRepository,
    private readonly changes: IncidentChanges,
    private readonly prepared: PreparedValues,
    private readonly projects: ProjectsService,
    private readonly events: EventsService,
    private readonly log: WriteLog,
  ) {}

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string, manager?: EntityManager): Promise<RawJson<IncidentDto>> {
    return (await this.repository.findOwn(access, id, manager)) ?? throwNotFound();
  }

  /**
   * Creates an incident with its first update. A template provides omitted fields. Without a text, the update gets the standard
   * text of its status.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` with `unknown_monitor`,
   * `unknown_status_page` or `unknown_incident_template`
   */
  async create(
    actor: Actor,
    { project_id, template_id, ...fields }: CreateIncidentDto,
  ): Promise<IncidentDto> {
    const project = await this.projects.require(actor, project_id);
    return this.dataSource.transaction(async (manager) => {
      const template = await this.prepared.find(project, template_id, manager);
      return this.createWith(actor, project, fields, template, manager);
    });
  }

  /** Creates an incident in an existing project, like {@link create}. `values` provides omitted fields. */
  async createWith(
    actor: Actor,
    project: ProjectRef,
    { title, status, body, monitors, notify: sent, ...fields }: Omit<CreateIncidentDto, 'project_id'>,
    values: IncidentValues,
    manager: EntityManager,
  ): Promise<IncidentDto> {
    const hasPages = Array.isArray(fields.status_page_ids);
    const affected = monitors ?? (await this.prepared.lockMonitors(project, values, hasPages, manager));
    await this.changes.lockNamed(project, { ...fields, monitors: affected }, manager);
    const set = status ?? values.status;
    const first = {
      id: uuidv7(),
      status: set,
      body: body ?? values.body ?? TEXT_OF_STATUS[set],
      monitors: affected,
      posted_at: fields.started_at, // so that it precedes later updates if the incident is in the past
    };
    const notify = isNotified(sent, set === 'resolved' ? fields.started_at : undefined);
    const incident = { ...fields, title: title ?? values.title, updates: [first], is_notified: notify };
    const created = await this.createIn(actor, project.project_id, incident, manager);
    const ids = { ...refOf({ ...project, id: created.id }), update_id: first.id };
    await this.events.record([{ type: 'incident.created', ...ids, actor, notify }], manager);
    return created;
  }

  /**
   * Creates an incident in an existing project. The transaction must have locked or created its monitors and status pages.
   * The times are not checked, and no event is recorded.
   */
  async createIn(
    actor: Actor,
    project_id: string,
    {
      id = uuidv7(),
      title,
      started_at: sent,
      impact = null,
      status_page_ids = null,
      postmortem = null,
      is_notified = false,
      updates: newUpdates,
    }: NewIncident,
    manager: EntityManager,
  ): Promise<IncidentDto> {
    const project = this.projects.projectRef(actor, project_id);
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
    const { status, monitors, resolved_at, affects_monitors, impact: derived } = historyOf(facts);
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
      project_id,
      created_at: now,
      updated_at: now,
    };
    const incident = { ...shown, ...project, set_impact: impact, affects_monitors, is_notified };
    await this.repository.insert(incident, manager).catch(throwIfProjectIsMissing);
    await this.updates.insertAll(updates, manager);
    await this.changes.rewrite(incident, null, facts, manager);
    return shown;
  }

  /**
   * Updates an incident. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_status_page`, or with `out_of_range` if the start is
   * after an update; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    { impact, notify, ...patch }: UpdateIncidentDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<IncidentDto>> {
    return this.changes.change(actor, id, patch, expected, async (incident, manager) => {
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
      const before = await this.repository.findOwn(actor, id, manager);
      const fields = { ...patch, set_impact, ...derived, ...(notify && { is_notified: true }) };
      const changed = await this.repository.patch(incident, fields, manager);
      const { project_id } = incident;
      const changes = changesOf(before, changed);
      if (patch.postmortem && !incident.has_published_postmortem)
        await this.events.record(
          [
            {
              type: 'incident.postmortem_published',
              ...refOf(incident),
              actor,
              changes,
              notify: notify ?? incident.is_notified,
            },
          ],
          manager,
        );
      else
        await this.log.recordChange(
          { actor, type: 'incident.edited', project_id, resource_id: id, changes },
          manager,
        );
      return changed ?? throwNotFound();
    });
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    await this.changes.change(actor, id, {}, expected, async (incident, manager) => {
      await this.changes.rewrite(incident, incident, { ...incident, updates: [] }, manager);
      const { status_page_ids } = await this.repository.deleteLocked(incident, manager);
      const data = dataOfDeleted(incident, status_page_ids);
      const event = {
        type: 'incident.deleted',
        ...refOf(incident),
        actor,
        data,
        notify: incident.is_notified,
      } as const;
      await this.events.record([event], manager);
    });
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
