import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyAccess } from '../platform/auth/current-key.js';
import { type StatusInterval, worstOf } from '../monitors/monitor-status.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { Problem } from '../platform/problems/problem.js';
import { ProjectsService } from '../projects/projects.service.js';
import { MAX_AGE_MS } from '../reports/dto/monitor-report.dto.js';
import type { ReportsResultDto } from '../reports/dto/reports-result.dto.js';
import { ReportsService } from '../reports/reports.service.js';
import { parseJson } from '../platform/validation/body.js';
import { type AlertReport, reportsOf } from './alert-reports.js';
import { readDelivery } from './alertmanager.js';
import type { AlertmanagerQuery } from './dto/alertmanager.query.js';
import type { DeliveryResultDto } from './dto/delivery-result.dto.js';
import { type PushQuery, reportedStatusOf } from './dto/push.query.js';

/** Records messages of other software, in their own formats, as reports. */
@Injectable()
export class ReceiversService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly reports: ReportsService,
  ) {}

  /**
   * Records a delivery of Alertmanager, all or nothing. A repeated delivery only confirms the status.
   * @param payload JSON in UTF-8
   * @throws Problem 400 `malformed_json`, or `validation_failed`, with `unknown_monitor` for monitors that are not in the
   * project; 404 `not_found` if the key cannot access the project
   */
  async receiveAlerts(
    key: KeyAccess,
    { project_id, label, status }: AlertmanagerQuery,
    payload: Uint8Array,
  ): Promise<DeliveryResultDto> {
    const { alerts, references, skipped } = readDelivery(parseJson(payload), { label, status });
    const project = await this.projects.require(key, project_id);
    const now = Date.now();
    const reports = reportsOf(alerts, { earliest: now - MAX_AGE_MS, now });
    if (reports.length === 0) return { reports: 0, changed: 0, skipped };
    const result = await this.dataSource.transaction(async (manager) => {
      await this.monitors.lock(project, references, manager);
      const kept = await this.withoutWeakStarts(project.organization_id, reports, manager);
      return this.reports.record(project, kept, manager);
    });
    return { ...result, skipped };
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
      // One query per time, because a time range can contain any number of runs.
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
   * @throws Problem 404 `not_found` if the key cannot access the monitor
   */
  async push(key: KeyAccess, query: PushQuery): Promise<ReportsResultDto> {
    const { monitor_id } = query;
    const project = await this.monitors.projectOf(key, monitor_id);
    const report = { monitor_id, status: reportedStatusOf(query), observed_at: new Date() };
    return this.reports.record(project, [report]).catch(async (error: unknown) => {
      if (error instanceof Problem) await this.monitors.projectOf(key, monitor_id); // throws 404 if it was deleted in the meantime
      throw error;
    });
  }

  /**
   * Checks a {@link push} without recording it.
   * @throws Problem 404 `not_found`
   */
  async checkPush(key: KeyAccess, { monitor_id }: PushQuery): Promise<ReportsResultDto> {
    await this.monitors.projectOf(key, monitor_id);
    return { reports: 0, changed: 0 };
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
