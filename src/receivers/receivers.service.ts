import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import { type StatusInterval, worstOf } from '../monitors/monitor-status.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { notFound, pointerTo, Problem, validationFailed } from '../platform/problems/problem.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import { MAX_AGE_MS } from '../reports/dto/monitor-report.dto.js';
import type { ReportsResultDto } from '../reports/dto/reports-result.dto.js';
import { ReportsService } from '../reports/reports.service.js';
import { parseJson } from '../platform/validation/body.js';
import { type AlertReport, reportsOf } from './alert-reports.js';
import { type Alert, type LabeledAlert, readDelivery } from './alertmanager.js';
import type { AlertmanagerQuery } from './dto/alertmanager.query.js';
import { type DeliveryResultDto, type IgnoredAlertDto, MAX_LISTED } from './dto/delivery-result.dto.js';
import { monitorOf, type PushedById, type PushQuery, reportedStatusOf } from './dto/push.query.js';
import { type IgnoredAlert, IgnoredAlerts } from './ignored-alerts.js';

/** Records messages of other software, in their own formats, as reports. */
@Injectable()
export class ReceiversService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly reports: ReportsService,
    private readonly ignoredAlerts: IgnoredAlerts,
  ) {}

  /**
   * Records a delivery of Alertmanager. Skips alerts without a monitor label. Ignores labeled alerts that identify no monitor of
   * the project, but rejects the delivery if none of them identifies one. A repeated delivery only confirms the status.
   * @param payload JSON in UTF-8
   * @throws Problem 400 `malformed_json`; 400 `validation_failed` if the payload is not a delivery of Alertmanager, or if all
   * alerts with a monitor label are ignored; 404 `not_found` if the actor cannot access the project
   */
  async receiveAlerts(
    actor: Actor,
    { project_id, ...naming }: AlertmanagerQuery,
    payload: Uint8Array,
  ): Promise<DeliveryResultDto> {
    const { alerts, skipped } = readDelivery(parseJson(payload), naming);
    const project = await this.projects.require(actor, project_id);
    if (alerts.length === 0) return { reports: 0, changed: 0, skipped, ignored: 0, ignored_alerts: [] };
    const { ignored, ...result } = await this.dataSource.transaction((manager) =>
      this.recordAlerts(actor, project, alerts, manager),
    );
    this.ignoredAlerts.record(project_id, ignored);
    const errors = ignored.map(({ error }) => error);
    if (errors.length === alerts.length) throw validationFailed(errors);
    return { ...result, skipped, ignored: errors.length, ignored_alerts: errors.slice(0, MAX_LISTED) };
  }

  /** Records the alerts that identify a monitor, and returns the others. */
  private async recordAlerts(
    actor: Actor,
    project: ProjectRef,
    labeled: LabeledAlert[],
    manager: EntityManager,
  ): Promise<{ reports: number; changed: number; ignored: IgnoredAlert[] }> {
    const { alerts, ignored } = await this.identify(project, labeled, manager);
    if (alerts.length === 0) return { reports: 0, changed: 0, ignored };
    const now = Date.now();
    const reports = reportsOf(alerts, { earliest: now - MAX_AGE_MS, now });
    const kept = await this.withoutWeakStarts(project.organization_id, reports, manager);
    return { ...(await this.reports.record(actor, project.project_id, kept, manager)), ignored };
  }

  /** Locks the monitors of alerts, and returns the alerts with the IDs of their monitors, and those without a monitor. */
  private async identify(
    project: ProjectRef,
    labeled: LabeledAlert[],
    manager: EntityManager,
  ): Promise<{ alerts: Alert[]; ignored: IgnoredAlert[] }> {
    const named = labeled.map(({ monitor }) => monitor);
    const ids = await this.monitors.lockExisting(
      project,
      named.flatMap((monitor) => ('id' in monitor ? monitor.id : [])),
      manager,
    );
    const keys = await this.monitors.lockByKey(
      project,
      named.flatMap((monitor) => ('key' in monitor ? monitor.key : [])),
      manager,
    );
    const alerts: Alert[] = [];
    const ignored: IgnoredAlert[] = [];
    for (const { alert, monitor, path } of labeled) {
      const byKey = 'key' in monitor ? keys.get(monitor.key) : undefined;
      const monitor_id = 'id' in monitor && ids.has(monitor.id) ? monitor.id : byKey;
      if (monitor_id !== undefined) alerts.push({ ...alert, monitor_id });
      else ignored.push({ error: errorOf(monitor, path), name: JSON.stringify(monitor) });
    }
    return { alerts, ignored };
  }

  /**
   * Skips the start of an alert if the monitor already had a worse status at that time, because another alert, no longer in the
   * delivery, may have caused it.
   */
  private async withoutWeakStarts(
    organization_id: string,
    reports: AlertReport[],
    manager: EntityManager,
  ): Promise<AlertReport[]> {
    const weak = new Set<AlertReport>();
    const starts = reports.filter(({ status, is_start }) => is_start && status !== 'major_outage');
    for (const time of new Set(starts.map(({ observed_at }) => observed_at.getTime()))) {
      const startsThen = starts.filter(({ observed_at }) => observed_at.getTime() === time);
      // One query per time. A single query from the first to the last time could read any number of runs.
      const before = await this.reports.intervalsOf(
        organization_id,
        startsThen.map(({ monitor_id }) => monitor_id),
        { from: new Date(time), to: new Date(time + 1) },
        manager,
      );
      for (const start of startsThen)
        if (before.some((interval) => isWorse(interval, start))) weak.add(start);
    }
    return reports.filter((report) => !weak.has(report));
  }

  /**
   * Records the current status of a monitor.
   * @throws Problem 404 `not_found` if the actor cannot access the monitor
   */
  async push(actor: Actor, query: PushQuery): Promise<ReportsResultDto> {
    const monitor = monitorOf(query);
    const { project_id } = 'monitor_key' in monitor ? monitor : await this.projectOf(actor, monitor);
    const report = { ...monitor, status: reportedStatusOf(query), observed_at: new Date() };
    return this.reports.record(actor, project_id, [report]).catch((error: unknown) => {
      // The project has no such monitor, or it was deleted in the meantime.
      throw error instanceof Problem && error.code === 'validation_failed' ? notFound('monitor') : error;
    });
  }

  /**
   * Checks a {@link push} without recording it.
   * @throws Problem 404 `not_found`
   */
  async checkPush(access: ActorAccess, query: PushQuery): Promise<ReportsResultDto> {
    const monitor = monitorOf(query);
    if ('monitor_key' in monitor) {
      const { project_id, monitor_key } = monitor;
      const found = await this.monitors.findNewest(
        access,
        project_id,
        { limit: 1, after: null },
        monitor_key,
      );
      if (found.isEmpty) throw notFound('monitor');
    } else await this.projectOf(access, monitor);
    return { reports: 0, changed: 0 };
  }

  /** @throws Problem 404 `not_found`, also if the monitor belongs to another project than the query */
  private async projectOf(access: ActorAccess, { monitor_id, project_id }: PushedById): Promise<ProjectRef> {
    const project = await this.monitors.projectOf(access, monitor_id);
    if (project_id !== undefined && project_id !== project.project_id) throw notFound('monitor');
    return project;
  }
}

/** Returns whether a monitor was worse than a report at the time of the report. */
function isWorse({ monitor_id, status, started_at, ended_at }: StatusInterval, report: AlertReport): boolean {
  return (
    monitor_id === report.monitor_id &&
    started_at <= report.observed_at &&
    (ended_at === null || report.observed_at < ended_at) &&
    worstOf([status, report.status]) !== report.status
  );
}

function errorOf(monitor: LabeledAlert['monitor'], path: (string | number)[]): IgnoredAlertDto {
  const pointer = pointerTo(path);
  return 'code' in monitor
    ? { code: 'invalid_format', detail: monitor.detail, pointer }
    : { code: 'unknown_monitor', detail: 'is not a monitor of the project', pointer };
}
