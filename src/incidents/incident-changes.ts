import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { notFound, pointerTo, preconditionFailed, validationFailed } from '../platform/problems/problem.js';
import { type Reference, referencesIn } from '../platform/problems/references.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ReportsService } from '../reports/reports.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import {
  changesBetween,
  firstOf,
  historyOf,
  type IncidentFacts,
  type UpdateFacts,
} from './incident-history.js';
import { IncidentImpactsRepository } from './incident-impacts.repository.js';
import type { AffectedMonitor, Impact } from './incident-status.js';
import { IncidentUpdatesRepository, type VersionedFacts } from './incident-updates.repository.js';
import { type DerivedColumns, IncidentsRepository, type LockedIncident } from './incidents.repository.js';

/** Resources that a body references, by field. */
interface Named {
  monitors?: AffectedMonitor[] | null | undefined;
  status_page_ids?: string[] | null | undefined;
}

/** A locked incident with its updates, in the order of creation. */
export type IncidentWithUpdates = LockedIncident & { updates: VersionedFacts[] };

/** Facts from which the history of an incident is derived, and the impact that a client has set. */
export type ChangedFacts = IncidentFacts & { set_impact: Impact | null };

/**
 * Changes incidents, one change at a time. To avoid deadlocks, locks are always taken in the same order: monitors, status
 * pages, the incident, then the history of monitors.
 */
@Injectable()
export class IncidentChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly incidents: IncidentsRepository,
    private readonly updates: IncidentUpdatesRepository,
    private readonly impacts: IncidentImpactsRepository,
    private readonly monitors: MonitorsService,
    private readonly statusPages: StatusPagesService,
    private readonly reports: ReportsService,
  ) {}

  /**
   * Changes an incident in a transaction that locks the referenced resources, then the incident.
   * @param expected the versions of `If-Match`, of the incident
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor` or `unknown_status_page`; 412
   * `precondition_failed`
   */
  async change<Result>(
    actor: Actor,
    id: string,
    named: Named,
    expected: ExpectedVersions,
    apply: (incident: IncidentWithUpdates, manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const project = await this.incidents.findProject(actor, id, manager);
      if (!project) throw notFound('incident');
      await this.lockNamed(project, named, manager);
      const incident = await this.incidents.lockOwn(actor, id, undefined, manager);
      if (!incident) throw notFound('incident');
      requireVersion(incident, expected);
      // Read under the lock, so that earlier changes are visible.
      const updates = await this.updates.findFacts(incident, manager);
      return apply({ ...incident, updates }, manager);
    });
  }

  /**
   * Locks the monitors and status pages that a body references.
   * @throws Problem 400 `validation_failed` with `unknown_monitor` or `unknown_status_page` for each that is not in the project
   */
  async lockNamed(
    project: ProjectRef,
    { monitors, status_page_ids }: Named,
    manager: EntityManager,
  ): Promise<void> {
    await this.monitors.lock(project, affectedReferences(monitors ?? []), manager);
    await this.statusPages.lock(project, referencesIn(['status_page_ids'], status_page_ids ?? []), manager);
  }

  /**
   * Derives and writes the intervals of an incident again, and locks the history of their monitors.
   * @param before the facts from which the current intervals were derived; null for a new incident
   * @param after the facts after the change; without updates if the incident is deleted
   * @returns the columns that are derived from the facts
   */
  async rewrite(
    incident: { organization_id: string; id: string },
    before: (ChangedFacts & { impact: Impact; affects_monitors: boolean }) | null,
    after: ChangedFacts,
    manager: EntityManager,
  ): Promise<DerivedColumns> {
    const old = before && historyOf(before);
    const { status, monitors, resolved_at, impact, affects_monitors, intervals } = historyOf(after);
    const changes = changesBetween(old?.intervals ?? new Map(), intervals);
    // Creates a lockable history for each newly referenced monitor while the monitor is locked. Later changes of the incident
    // do not lock the monitor, and rely on this history.
    const isNew = ({ id }: UpdateFacts) => !before?.updates.some((one) => one.id === id);
    const named = after.updates.filter(isNew).flatMap((update) => update.monitors ?? []);
    const ids = new Set([...changes.monitor_ids, ...named.map(({ monitor_id }) => monitor_id)]);
    const times = changes.times && { ...changes.times, movesStart: true };
    if (ids.size > 0) await this.reports.lockHistory(incident.organization_id, [...ids], times, manager);
    await this.impacts.change(incident, changes, manager);
    // Neither the deletion of a monitor nor an unrelated change lowers the impact, or shows the incident on other pages.
    const isKept = before?.set_impact === null && old?.impact === impact;
    const stillAffects = old?.affects_monitors === affects_monitors && before?.affects_monitors;
    return {
      status,
      monitors,
      resolved_at,
      impact: after.set_impact ?? (isKept ? before.impact : impact),
      affects_monitors: stillAffects || affects_monitors,
    };
  }
}

/** Returns the references in the field `monitors` of a body. */
export function affectedReferences(monitors: AffectedMonitor[]): Reference[] {
  return monitors.map(({ monitor_id: id }, index) => ({ id, path: ['monitors', index, 'monitor_id'] }));
}

/** @throws Problem 412 `precondition_failed` */
export function requireVersion({ updated_at }: { updated_at: Date }, expected: ExpectedVersions): void {
  if (expected && !expected.some((version) => version.getTime() === updated_at.getTime()))
    throw preconditionFailed();
}

/** @throws Problem 400 `validation_failed` if an update other than the first one was posted before the start */
export function requireStartBefore(start: Date, updates: UpdateFacts[]): void {
  const first = firstOf(updates);
  if (!updates.some((update) => update !== first && update.posted_at < start)) return;
  const detail = 'must not be after any update except the first one';
  throw validationFailed([{ code: 'out_of_range', detail, pointer: pointerTo(['started_at']) }]);
}
