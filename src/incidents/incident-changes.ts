import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyAccess } from '../platform/auth/current-key.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { notFound, preconditionFailed } from '../platform/problems/problem.js';
import { referencesIn } from '../platform/problems/references.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ReportsService } from '../reports/reports.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { changesBetween, historyOf, type IncidentFacts, type UpdateFacts } from './incident-history.js';
import { IncidentImpactsRepository } from './incident-impacts.repository.js';
import type { AffectedMonitor, Impact } from './incident-status.js';
import { IncidentUpdatesRepository, type VersionedFacts } from './incident-updates.repository.js';
import { type DerivedColumns, IncidentsRepository, type LockedIncident } from './incidents.repository.js';

/** What a body refers to, by its fields. */
interface Named {
  monitors?: AffectedMonitor[] | null | undefined;
  status_page_ids?: string[] | null | undefined;
}

/** A locked incident with its updates, in the order of creation. */
export type IncidentWithUpdates = LockedIncident & { updates: VersionedFacts[] };

/** What the history of an incident follows from, and the impact that a client has set. */
export type ChangedFacts = IncidentFacts & { set_impact: Impact | null };

/**
 * Changes incidents, one change after the other. The locks are in the same order everywhere, against deadlocks: monitors,
 * status pages, the incident, then the history of monitors.
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
   * Changes an incident in a transaction, which locks what the body names, then the incident.
   * @param expected the versions of `If-Match`, of the incident
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor` or `unknown_status_page`; 412
   * `precondition_failed`
   */
  async change<Result>(
    key: KeyAccess,
    id: string,
    named: Named,
    expected: ExpectedVersions,
    apply: (incident: IncidentWithUpdates, manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const project = await this.incidents.findProject(key, id, manager);
      if (!project) throw notFound('incident');
      await this.lockNamed(project, named, manager);
      const incident = await this.incidents.lockOwn(key, id, manager);
      if (!incident) throw notFound('incident');
      requireVersion(incident, expected);
      // Read under the lock: what another change has written is there.
      const updates = await this.updates.findFacts(incident, manager);
      return apply({ ...incident, updates }, manager);
    });
  }

  /**
   * Locks the monitors and status pages that a body names.
   * @throws Problem 400 `validation_failed` with `unknown_monitor` or `unknown_status_page` for each that is not of the
   * project
   */
  async lockNamed(
    project: ProjectRef,
    { monitors, status_page_ids }: Named,
    manager: EntityManager,
  ): Promise<void> {
    const references = (monitors ?? []).map(({ monitor_id: id }, index) => ({
      id,
      path: ['monitors', index, 'monitor_id'],
    }));
    await this.monitors.lock(project, references, manager);
    await this.statusPages.lock(project, referencesIn(['status_page_ids'], status_page_ids ?? []), manager);
  }

  /**
   * Writes the intervals of an incident that follow from other facts, and locks the history of their monitors.
   * @param before the facts that the intervals of the incident follow from; null: it has none yet
   * @param after null: the incident is deleted
   * @returns the columns that follow from the facts
   */
  async rewrite(
    incident: { organization_id: string; id: string },
    before: (ChangedFacts & { impact: Impact }) | null,
    after: ChangedFacts,
    manager: EntityManager,
  ): Promise<DerivedColumns> {
    const old = before && historyOf(before);
    const { status, monitors, resolved_at, impact, intervals } = historyOf(after);
    const changes = changesBetween(old?.intervals ?? new Map(), intervals);
    // A monitor that is named for the first time gets a lockable history now, while the monitor is locked: later changes of
    // the incident, which do not lock the monitor, find it.
    const isNew = ({ id }: UpdateFacts) => !before?.updates.some((one) => one.id === id);
    const named = after.updates.filter(isNew).flatMap((update) => update.monitors ?? []);
    const ids = new Set([...changes.monitor_ids, ...named.map(({ monitor_id }) => monitor_id)]);
    if (ids.size > 0)
      await this.reports.lockHistory(incident.organization_id, [...ids], changes.times, manager);
    await this.impacts.change(incident, changes, manager);
    // The deletion of a monitor does not lower the impact, nor does a later change of something else.
    const isKept = before?.set_impact === null && old?.impact === impact;
    return {
      status,
      monitors,
      resolved_at,
      impact: after.set_impact ?? (isKept ? before.impact : impact),
    };
  }
}

/** @throws Problem 412 `precondition_failed` */
export function requireVersion({ updated_at }: { updated_at: Date }, expected: ExpectedVersions): void {
  if (expected && !expected.some((version) => version.getTime() === updated_at.getTime()))
    throw preconditionFailed();
}
