import type { ImportReportDto } from '../../src/imports/dto/import-report.dto.js';
import type { IncidentUpdateDto } from '../../src/incidents/dto/incident-update.dto.js';
import type { IncidentDto } from '../../src/incidents/dto/incident.dto.js';
import type { MaintenanceUpdateDto } from '../../src/maintenances/dto/maintenance-update.dto.js';
import type { MaintenanceDto } from '../../src/maintenances/dto/maintenance.dto.js';
import type { MonitorDto } from '../../src/monitors/dto/monitor.dto.js';
import type { MonitorStatusDto } from '../../src/summaries/statuses/dto/monitor-status.dto.js';
import { type One, type ListPage, type Tenant, useTestServer, type Wire } from '../support/server.js';

export const DAY_MS = 86_400_000;
export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

export const page = { id: 'p', name: 'Example' };
export const component = (id: string, further: object = {}) => ({
  id,
  name: id,
  position: 1,
  group: false,
  ...further,
});
export const update = (status: string, created_at: string, further: object = {}) => ({
  status,
  created_at,
  body: status,
  ...further,
});
export const incident = (further: object) => ({
  name: 'Incident',
  status: 'investigating',
  created_at: ago(DAY_MS),
  ...further,
});

/** Returns a file with the components `a` and `b` and an incident. */
export const withIncident = (further: object) => ({
  page,
  components: [component('a'), component('b')],
  incidents: [incident(further)],
});

/** Returns a file with the components `a` and `b` and a maintenance window. */
export const withMaintenance = (further: object) => ({
  page,
  components: [component('a'), component('b')],
  scheduled_maintenances: [{ name: 'Maintenance', status: 'scheduled', ...further }],
});

/** A server that imports files of Statuspage, and helpers to read the created resources. */
export function useStatuspage() {
  const server = useTestServer();

  /** Imports over HTTP, so the file is read in a thread. */
  async function send(
    tenant: Tenant,
    file: object,
    { key = tenant.key, query = '' } = {},
  ): Promise<ImportReportDto> {
    const path = `/v1/imports/statuspage?project_id=${tenant.project_id}${query}`;
    const { status, text, body } = await server.ask<One<ImportReportDto>>(path, {
      method: 'POST',
      key,
      json: file,
    });
    if (status >= 300) throw new Error(text);
    return body.data;
  }

  async function listOf<Row>({ key, project_id }: Tenant, path: string): Promise<Row[]> {
    const { body } = await server.ask<ListPage<Row>>(`${path}?limit=100&project_id=${project_id}`, { key });
    return body.data;
  }

  /** Returns the created resources, with the names of monitors instead of IDs. */
  async function readBack(tenant: Tenant) {
    const monitors = await listOf<MonitorDto>(tenant, '/v1/monitors');
    const names = new Map(monitors.map(({ id, name }) => [id, name]));
    const named = (list: { monitor_id: string; status: string }[] | null) =>
      list && Object.fromEntries(list.map(({ monitor_id, status }) => [names.get(monitor_id), status]));
    const incidents = [];
    for (const { monitors: affected, ...one } of await listOf<Wire<IncidentDto>>(tenant, '/v1/incidents')) {
      const { body } = await server.ask<ListPage<Wire<IncidentUpdateDto>>>(
        `/v1/incidents/${one.id}/updates?limit=100`,
        { key: tenant.key },
      );
      const updates = body.data.map(({ monitors: own, ...rest }) => ({ ...rest, monitors: named(own) }));
      incidents.push({ ...one, monitors: named(affected), updates: updates.toReversed() });
    }
    const maintenances = [];
    for (const { monitor_ids, ...one } of await listOf<Wire<MaintenanceDto>>(tenant, '/v1/maintenances')) {
      const path = `/v1/maintenances/${one.id}/updates?limit=100`;
      const { body } = await server.ask<ListPage<Wire<MaintenanceUpdateDto>>>(path, { key: tenant.key });
      const affected = monitor_ids.map((id) => names.get(id));
      maintenances.push({ ...one, monitors: affected, updates: body.data.toReversed() });
    }
    const statuses = await listOf<Wire<MonitorStatusDto>>(tenant, '/v1/monitor-statuses');
    return {
      incidents,
      maintenances,
      statuses: new Map(statuses.map((status) => [names.get(status.monitor_id), status])),
    };
  }

  async function imported(file: object) {
    const tenant = await server.tenant();
    const report = await send(tenant, file);
    return { tenant, report, ...(await readBack(tenant)) };
  }

  return { server, send, readBack, imported };
}
