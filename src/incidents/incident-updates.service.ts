import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { changesOf } from '../platform/log/changes.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { type ListPage, type ListQuery, readListPage } from '../platform/pagination/list-page.js';
import type { EventType } from '../events/event-types.js';
import { EventsService } from '../events/events.service.js';
import { notFound, pointerTo, Problem, validationFailed } from '../platform/problems/problem.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { CreateIncidentUpdateDto } from './dto/create-incident-update.dto.js';
import type { IncidentUpdateDto } from './dto/incident-update.dto.js';
import type { UpdateIncidentUpdateDto } from './dto/update-incident-update.dto.js';
import { IncidentChanges, type IncidentWithUpdates, requireVersion } from './incident-changes.js';
import { firstOf, historyOf, type IncidentFacts, statusAt } from './incident-history.js';
import { type IncidentStatus, MAX_UPDATES } from './incident-status.js';
import { IncidentUpdatesRepository, type VersionedFacts } from './incident-updates.repository.js';
import { IncidentsRepository } from './incidents.repository.js';
import { TEXT_OF_STATUS } from './update-texts.js';

/** Manages incident updates. Each change also changes the derived fields and the version of the incident. */
@Injectable()
export class IncidentUpdatesService {
  constructor(
    private readonly repository: IncidentUpdatesRepository,
    private readonly incidents: IncidentsRepository,
    private readonly changes: IncidentChanges,
    private readonly events: EventsService,
    private readonly log: WriteLog,
  ) {}

  /**
   * Lists the updates of an incident, newest first.
   * @throws Problem 404 `not_found`; 400 `invalid_cursor`
   */
  async list(
    access: ActorAccess,
    incidentId: string,
    query: ListQuery,
  ): Promise<ListPage<IncidentUpdateDto>> {
    return readListPage({ name: 'incident_updates', owner_id: incidentId }, query, async (range) => {
      const { organization_id } = await this.requireIncident(access, incidentId);
      return this.repository.findNewest({ organization_id, id: incidentId }, range);
    });
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, incidentId: string, id: string): Promise<RawJson<IncidentUpdateDto>> {
    const { organization_id } = await this.requireIncident(access, incidentId);
    return (await this.repository.findOf({ organization_id, id: incidentId }, id)) ?? throwNotFound();
  }

  /** Returns an incident's update, or undefined. For other modules, without a key. */
  async find(
    incident: { organization_id: string; id: string },
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<IncidentUpdateDto> | undefined> {
    return this.repository.findOf(incident, id, manager);
  }

  /**
   * Adds an update to an incident. Without `status`, the update keeps the status that is in effect at its time. Without `body`,
   * a new status gets a standard text.
   * @param expected the versions of the incident that `If-Match` accepts
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor`, with `out_of_range` if the time is before
   * the start of the incident, or with `required` if there is neither a text nor a new status; 409 `conflict` if there are
   * already {@link MAX_UPDATES}; 412 `precondition_failed`
   */
  async create(
    actor: Actor,
    incidentId: string,
    { monitors = null, posted_at: sent, notify, ...given }: CreateIncidentUpdateDto,
    expected: ExpectedVersions,
  ): Promise<IncidentUpdateDto> {
    return this.changes.change(actor, incidentId, { monitors }, expected, async (incident, manager) => {
      const { organization_id, project_id, started_at, updates } = incident;
      if (updates.length >= MAX_UPDATES)
        throw new Problem('conflict', {
          detail: `The incident already has ${MAX_UPDATES} updates, which is the maximum`,
        });
      if (sent) requireAfterStart(sent, started_at);
      const now = new Date();
      // An incident can start some minutes in the future.
      const posted_at = sent ?? latest(now, started_at);
      const current = statusAt(incident, posted_at);
      const { status = current, body = standardText(given.status, current) } = given;
      // After all other updates, even if a server whose clock is ahead created them.
      const created_at = latest(now, ...updates.map((update) => new Date(update.created_at.getTime() + 1)));
      const shown = { id: uuidv7(), status, body, monitors, posted_at, incident_id: incidentId };
      const update = { ...shown, organization_id, created_at, updated_at: created_at };
      await this.repository.insertAll([update], manager);
      const is_notified = incident.is_notified || notify === true;
      const facts = { started_at, updates: [...updates, update] };
      const after = await this.rewrite({ ...incident, is_notified }, facts, manager);
      const event = {
        type: eventOf(historyOf(incident).status, after),
        organization_id,
        project_id,
        resource_id: incidentId,
        update_id: update.id,
        actor,
        notify: notify ?? incident.is_notified,
      };
      await this.events.record([event], manager);
      return { ...shown, created_at, updated_at: created_at };
    });
  }

  /**
   * Changes an update. Omitted fields keep their values.
   * @param expected the versions of the update that `If-Match` accepts
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `out_of_range` if the time is before the start of the
   * incident; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    incidentId: string,
    id: string,
    patch: UpdateIncidentUpdateDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<IncidentUpdateDto>> {
    return this.changes.change(actor, incidentId, {}, undefined, async (incident, manager) => {
      const update = findIn(incident, id, expected);
      const { posted_at = update.posted_at } = patch;
      if (posted_at.getTime() !== update.posted_at.getTime())
        requireAfterStart(posted_at, incident.started_at);
      const before = await this.repository.findOf(incident, id, manager);
      const changed = (await this.repository.patch(incident, id, patch, manager)) ?? throwNotFound();
      if (changed.updated_at !== update.updated_at.toISOString()) {
        const others = incident.updates.filter((one) => one !== update);
        const updates = [...others, { ...update, posted_at }];
        await this.rewrite(incident, { started_at: incident.started_at, updates }, manager);
        const { project_id } = incident;
        const changes = changesOf(before, changed);
        const entry = { actor, project_id, resource_id: incidentId, update_id: id, changes };
        await this.log.record({ type: 'incident.update_edited', ...entry }, manager);
      }
      return changed;
    });
  }

  /**
   * Deletes an update and computes the derived fields again. If it is the first update, the incident then starts with the next
   * one.
   * @throws Problem 404 `not_found`; 409 `conflict` for the only update; 412 `precondition_failed`
   */
  async delete(actor: Actor, incidentId: string, id: string, expected: ExpectedVersions): Promise<void> {
    await this.changes.change(actor, incidentId, {}, undefined, async (incident, manager) => {
      const update = findIn(incident, id, expected);
      const updates = incident.updates.filter((one) => one !== update);
      const next = firstOf(updates);
      if (!next)
        throw new Problem('conflict', {
          detail: 'Cannot delete the only update. Delete the incident instead.',
        });
      const changes = changesOf(await this.repository.findOf(incident, id, manager), undefined);
      await this.repository.deleteOf(incident, id, manager);
      // The first update takes effect at the start of the incident. When it is deleted, the next update becomes the first, so
      // the start moves to its time. Otherwise it would take effect at the old start.
      const started_at = update === firstOf(incident.updates) ? next.posted_at : incident.started_at;
      await this.rewrite(incident, { started_at, updates }, manager);
      const { project_id } = incident;
      const entry = { actor, project_id, resource_id: incidentId, update_id: id, changes };
      await this.log.record({ type: 'incident.update_deleted', ...entry }, manager);
    });
  }

  /** Writes the derived fields after a change of the start or the updates of an incident. Returns its status. */
  private async rewrite(
    incident: IncidentWithUpdates,
    facts: IncidentFacts,
    manager: EntityManager,
  ): Promise<IncidentStatus> {
    const { set_impact, is_notified } = incident;
    const derived = await this.changes.rewrite(incident, incident, { ...facts, set_impact }, manager);
    await this.incidents.saveDerived(
      incident,
      { ...derived, started_at: facts.started_at, is_notified },
      manager,
    );
    return derived.status;
  }

  private async requireIncident(access: ActorAccess, id: string): Promise<ProjectRef> {
    const project = await this.incidents.findProject(access, id);
    if (!project) throw notFound('incident');
    return project;
  }
}

/** Returns the event type for a new update, which follows from the status of the incident before and after it. */
function eventOf(before: IncidentStatus, after: IncidentStatus): EventType {
  if (before === after) return 'incident.updated';
  if (after === 'resolved') return 'incident.resolved';
  return before === 'resolved' ? 'incident.reopened' : 'incident.updated';
}

function throwNotFound(): never {
  throw notFound('incident update');
}

/** @throws Problem 404 `not_found`; 412 `precondition_failed` */
function findIn({ updates }: IncidentWithUpdates, id: string, expected: ExpectedVersions): VersionedFacts {
  const update = updates.find((one) => one.id === id) ?? throwNotFound();
  requireVersion(update, expected);
  return update;
}

/**
 * Returns the text of an update that has no text of its own.
 * @param sent the status in the request
 * @throws Problem 400 `validation_failed` with `required` if it does not change the status
 */
function standardText(sent: IncidentStatus | undefined, current: IncidentStatus): string {
  if (sent !== undefined && sent !== current) return TEXT_OF_STATUS[sent];
  const detail =
    sent === undefined
      ? 'is required; it can be omitted only if `status` is sent and changes the status'
      : `is required, because the status is already "${sent}"`;
  throw validationFailed([{ code: 'required', detail, pointer: pointerTo(['body']) }]);
}

/** @throws Problem 400 `validation_failed` */
function requireAfterStart(time: Date, start: Date): void {
  if (time >= start) return;
  const detail = 'must not be before the start of the incident';
  throw validationFailed([{ code: 'out_of_range', detail, pointer: pointerTo(['posted_at']) }]);
}

function latest(...times: Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}
