import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ActorAccess } from '../../platform/auth/actor.js';
import { RawJson } from '../../platform/database/raw-json.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { MaintenanceIntervalsService } from '../../maintenances/maintenance-intervals.service.js';
import { worstOf } from '../../monitors/monitor-status.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { type ListPage, readListPage } from '../../platform/pagination/list-page.js';
import { ReportsService } from '../../reports/reports.service.js';
import type { ListMonitorStatusesQuery } from './dto/list-monitor-statuses.query.js';
import type { MonitorStatusDto } from './dto/monitor-status.dto.js';

/** Returns the current statuses of monitors: the worst of the reported status and the statuses set by open incidents. */
@Injectable()
export class StatusesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly monitors: MonitorsService,
    private readonly reports: ReportsService,
    private readonly incidents: IncidentsService,
    private readonly maintenances: MaintenanceIntervalsService,
  ) {}

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, monitor_id: string): Promise<MonitorStatusDto | undefined> {
    await this.monitors.get(access, monitor_id); // throws 404
    const [status] = await this.statusesOf(access.organization_id, [monitor_id], new Date());
    return status;
  }

  /**
   * Lists the statuses of the monitors of a project, newest monitor first.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(access: ActorAccess, query: ListMonitorStatusesQuery): Promise<ListPage<MonitorStatusDto>> {
    const { project_id } = query;
    return readListPage({ name: 'monitor_statuses', owner_id: project_id }, query, async (range) => {
      const { json, ...rows } = await this.monitors.findNewest(access, project_id, range);
      const monitors: { id: string }[] = JSON.parse(String(json.text));
      const ids = monitors.map(({ id }) => id);
      const statuses = await this.statusesOf(access.organization_id, ids, new Date());
      return { ...rows, json: new RawJson(JSON.stringify(statuses)) };
    });
  }

  /**
   * Returns the statuses of monitors at `now`, in the same order, from one snapshot of the database.
   * @param manager a transaction that reads from one snapshot; default: a new one
   */
  async statusesOf(
    organization_id: string,
    monitorIds: string[],
    now: Date,
    manager?: EntityManager,
  ): Promise<MonitorStatusDto[]> {
    if (!manager)
      return this.dataSource.transaction('REPEATABLE READ', (own) =>
        this.statusesOf(organization_id, monitorIds, now, own),
      );
    const reported = await this.reports.currentOf(organization_id, monitorIds, now, manager);
    const impacts = await this.incidents.openOf(organization_id, monitorIds, now, manager);
    const active = await this.maintenances.activeOf(organization_id, monitorIds, now, manager);
    const currentOf = new Map(reported.map((one) => [one.monitor_id, one]));
    const impactsOf = byMonitor(impacts);
    const maintenancesOf = byMonitor(active);
    return monitorIds.map((monitor_id) => {
      const current = currentOf.get(monitor_id);
      const incidents = impactsOf.get(monitor_id) ?? [];
      const maintenances = maintenancesOf.get(monitor_id) ?? [];
      const reported_status = current?.status ?? 'unknown';
      const base = maintenances.length > 0 ? 'under_maintenance' : reported_status;
      return {
        monitor_id,
        status: worstOf([base, ...incidents.map(({ status }) => status)]) ?? base,
        reported_status,
        observed_at: current?.last_observed_at ?? null,
        incident_ids: incidents.map(({ incident_id }) => incident_id),
        maintenance_ids: maintenances.map(({ maintenance_id }) => maintenance_id),
      };
    });
  }
}

function byMonitor<Item extends { monitor_id: string }>(items: Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(item.monitor_id);
    if (group) group.push(item);
    else groups.set(item.monitor_id, [item]);
  }
  return groups;
}
