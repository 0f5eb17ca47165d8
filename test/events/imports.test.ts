import { expect, it } from 'vitest';
import { DemoService } from '../../src/demo/demo.service.js';
import { actorIn } from '../support/actors.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** Returns the number of events of a project that subscribers or webhooks get, now, in the future or again. */
async function notified(project_id: string): Promise<number | undefined> {
  const [row] = await server.sql<{ count: number }[]>(
    'SELECT count(*)::integer AS count FROM events WHERE project_id = $1 AND (due_at IS NOT NULL OR is_notified)',
    [project_id],
  );
  return row?.count;
}

it('an import notifies no subscribers and webhooks, also of open incidents and future maintenance windows', async () => {
  const { project_id, key } = await server.tenant();
  const url = 'https://hooks.example.com/';
  const endpoint = { method: 'POST', key, json: { project_id, url } };
  expect((await server.ask('/v1/webhook-endpoints', endpoint)).status).toBe(201);
  const json = {
    page: { id: 'p', name: 'Imported' },
    components: [{ id: 'a', name: 'API', position: 1, group: false }],
    incidents: [
      {
        name: 'Open',
        status: 'investigating',
        created_at: inMinutes(-5),
        incident_updates: [{ status: 'investigating', created_at: inMinutes(-5), body: 'Open.' }],
      },
    ],
    scheduled_maintenances: [
      {
        name: 'Upgrade',
        status: 'scheduled',
        scheduled_for: inMinutes(600),
        scheduled_until: inMinutes(660),
      },
    ],
  };
  const { status, body } = await server.ask<{ data: { incidents: number; maintenances: number } }>(
    `/v1/imports/statuspage?project_id=${project_id}`,
    { method: 'POST', key, json },
  );
  expect([status, body.data.incidents, body.data.maintenances]).toEqual([201, 1, 1]);
  expect(await notified(project_id)).toBe(0);
});

it('the demo notifies no subscribers and webhooks', async () => {
  const { project_id } = await server.app.get(DemoService).create(1, actorIn);
  expect(await notified(project_id)).toBe(0);
});
