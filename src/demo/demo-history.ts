import type { EntityManager } from 'typeorm';
import type { IncidentsService } from '../incidents/incidents.service.js';
import type { MaintenancesService } from '../maintenances/maintenances.service.js';
import type { Actor } from '../platform/auth/actor.js';
import type { ReportsService } from '../reports/reports.service.js';
import type { ResponseTimesService } from '../reports/response-times/response-times.service.js';
import type { MonitorName } from './demo-pages.js';
import { INCIDENTS, MAINTENANCES } from './demo-plan.js';
import { planReports, planResponseTimes } from './demo-reports.js';

const MINUTE_MS = 60_000;

/** Services that create the history. */
interface HistoryServices {
  reports: ReportsService;
  responseTimes: ResponseTimesService;
  incidents: IncidentsService;
  maintenances: MaintenancesService;
}

/**
 * Creates reports, response times, incidents and maintenance windows according to the plan.
 * @param idOf the monitor IDs by name
 * @param withIds whether to use the IDs of the documented examples
 */
export async function createHistory(
  actor: Actor,
  project_id: string,
  idOf: ReadonlyMap<string, string>,
  withIds: boolean,
  services: HistoryServices,
  manager: EntityManager,
): Promise<void> {
  const now = Date.now();
  const at = (minutes: number) => new Date(now + minutes * MINUTE_MS);
  const monitor_id = (name: MonitorName) => idOf.get(name) ?? '';
  const reports = planReports().map(({ name, status, ago }) => ({
    monitor_id: monitor_id(name),
    status,
    observed_at: at(-ago),
  }));
  await services.reports.record(actor, project_id, reports, manager);
  const responseTimes = planResponseTimes().map(({ name, ago, response_ms }) => ({
    monitor_id: monitor_id(name),
    observed_at: at(-ago),
    response_ms,
  }));
  await services.responseTimes.add(actor.organization_id, responseTimes, manager);
  for (const { id, started, updates, ...incident } of INCIDENTS) {
    const posted = updates.map(({ id: updateId, after, monitors, ...update }) => ({
      ...update,
      id: withIds ? updateId : undefined,
      posted_at: at(after - started),
      monitors: monitors?.map(({ name, status }) => ({ monitor_id: monitor_id(name), status })),
    }));
    const fields = { ...incident, id: withIds ? id : undefined, started_at: at(-started), updates: posted };
    await services.incidents.createIn(actor, project_id, fields, manager);
  }
  for (const { id, starts, minutes, monitors, updates = [], ...maintenance } of MAINTENANCES) {
    const window = { starts_at: at(starts), ends_at: at(starts + minutes) };
    const posted = updates.map(({ id: updateId, ago, body }) => ({
      id: withIds ? updateId : undefined,
      posted_at: at(-ago),
      body,
    }));
    const fields = { ...maintenance, ...window, id: withIds ? id : undefined, updates: posted };
    const monitor_ids = monitors.map(monitor_id);
    await services.maintenances.createIn(actor, project_id, { ...fields, monitor_ids }, manager);
  }
}
