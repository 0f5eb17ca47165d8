import { expect, it } from 'vitest';
import type { MonitorStatus } from '../../clients/typescript/src/index.js';
import { type One, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

it('GET /v1/monitors/{id}/status lists at most the 100 worst incidents and 100 maintenance windows', async () => {
  const [monitor_id = ''] = await server.monitors(tenant, 1);
  const { project_id, key } = tenant;
  const post = (path: string, fields: object) =>
    server.ask(path, { method: 'POST', key, json: { project_id, title: 'Title', ...fields } });
  const open = (status: string) =>
    post('/v1/incidents', { body: 'Body', monitors: [{ monitor_id, status }] });
  const hour = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  for (let index = 0; index < 101; index++) {
    await open('degraded_performance');
    await post('/v1/maintenances', { starts_at: hour(-1), ends_at: hour(1), monitor_ids: [monitor_id] });
  }
  const { body: worst } = await open('major_outage');
  const { body } = await server.ask<One<MonitorStatus>>(`/v1/monitors/${monitor_id}/status`, { key });
  expect(body.data.status).toBe('major_outage');
  expect(body.data.incident_ids.length).toBe(100);
  expect(body.data.incident_ids).toContain(worst.data.id);
  expect(body.data.maintenance_ids.length).toBe(100);
});
