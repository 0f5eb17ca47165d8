import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { EventsService } from '../../src/events/events.service.js';
import { actorIn } from '../support/actors.js';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useEvents } from './use-events.js';

const server = useTestServer();
const tenant = useTenant(server);
const { list, incident, update, maintenance, stored, typesOf } = useEvents(server, tenant);

/** Makes the recording of events fail. */
async function withoutEvents(act: () => Promise<void>): Promise<void> {
  await server.sql('ALTER TABLE events RENAME TO no_events');
  await act().finally(() => server.sql('ALTER TABLE no_events RENAME TO events'));
}

describe('GET /v1/events', () => {
  it('lists events newest first, by type and by resource, along a cursor', async () => {
    const { id } = await incident();
    const { id: update_id } = await update(id, { status: 'resolved' });
    const { body } = await list({ resource_id: id });
    const { project_id } = tenant;
    const [event] = await stored(id);
    expect(body.data).toEqual([
      expect.objectContaining({
        type: 'incident.resolved',
        update_id,
        resource_id: id,
        project_id,
        data: {},
      }),
      expect.objectContaining({ type: 'incident.created', created_at: event?.created_at.toISOString() }),
    ]);
    expect(Object.keys(body.data[0] ?? {})).toEqual([
      'id',
      'type',
      'resource_type',
      'project_id',
      'resource_id',
      'update_id',
      'data',
      'changes',
      'actor',
      'via',
      'request_id',
      'created_at',
    ]);
    const [created] = (await list({ resource_id: id, type: 'incident.created' })).body.data;
    expect(created).toEqual(body.data[1]);
    const first = (await list({ resource_id: id, limit: '1' })).body;
    const cursor = first.pagination.next_cursor ?? '';
    const second = (await list({ resource_id: id, limit: '1', cursor })).body;
    expect([...first.data, ...second.data]).toEqual(body.data);
    expectProblem(await list({ cursor }), 400, 'invalid_cursor');
  });

  it('returns 404 for a project of another organization, and needs the scope', async () => {
    const other = await server.tenant();
    expectProblem(await list({}, { ...other, project_id: tenant.project_id }), 404, 'not_found');
    expectProblem(await list({}, { ...tenant, project_id: randomUUID() }), 404, 'not_found');
    const { key } = await server.key(tenant.organization_id, { scopes: ['incidents:read'] });
    expectProblem(await list({}, { ...tenant, key }), 403, 'insufficient_scope');
    const { id } = await incident();
    expect((await list({ resource_id: id }, other)).body.data).toEqual([]);
  });

  it('rejects an unknown type and a resource that is not a UUID', async () => {
    expectProblem(await list({ type: 'incident.unknown' }), 400, 'validation_failed');
    expectProblem(await list({ resource_id: 'x' }), 400, 'validation_failed');
  });
});

describe('an event', () => {
  it('prevents its change if it cannot be written', async () => {
    const page = await server.page(tenant, { name: 'Before' });
    const [monitor_id = '', shown = ''] = await server.monitors(tenant, 2);
    const { project_id, key } = tenant;
    const { id } = await incident();
    await server.page(tenant, { sections: [{ id: 'api', title: 'API', monitor_ids: [shown] }] });
    const deleted = await server.page(tenant, { name: 'Deleted' });
    await server.ask(`/v1/status-pages/${deleted.id}`, { method: 'DELETE', key });
    const planned = await maintenance([1, 2]);
    const ends_at = new Date(Date.now() + 18_000_000);
    const requests: [method: string, path: string, json?: object][] = [
      ['POST', '/v1/incidents', { project_id, title: 'Rolled back' }],
      ['POST', `/v1/incidents/${id}/updates`, { status: 'resolved' }],
      ['PATCH', `/v1/incidents/${id}`, { postmortem: 'Rolled back' }],
      ['DELETE', `/v1/incidents/${id}`],
      [
        'POST',
        '/v1/maintenances',
        {
          project_id,
          title: 'Rolled back',
          starts_at: new Date(Date.now() + 7_200_000),
          ends_at: new Date(Date.now() + 9_000_000),
        },
      ],
      ['PATCH', `/v1/maintenances/${planned.id}`, { title: 'Rolled back', ends_at }],
      ['PATCH', `/v1/maintenances/${planned.id}`, { status: 'cancelled' }],
      ['POST', '/v1/monitor-reports', { project_id, reports: [{ monitor_id, status: 'major_outage' }] }],
      ['POST', '/v1/status-pages', { project_id, name: 'Rolled back', slug: 'rolled-back' }],
      ['PATCH', `/v1/status-pages/${page.id}`, { name: 'Rolled back' }],
      ['DELETE', `/v1/status-pages/${page.id}`],
      ['POST', `/v1/status-pages/${deleted.id}/restore`],
      ['DELETE', `/v1/monitors/${shown}`],
    ];
    await withoutEvents(async () => {
      for (const [method, path, json] of requests) {
        const { status } = await server.ask(path, { method, key, json, undocumented: true });
        expect([method, path, status]).toEqual([method, path, 500]);
      }
    });
    const [left] = await server.sql<object[]>(
      `SELECT (SELECT count(*)::int FROM incidents WHERE title = 'Rolled back' OR postmortem IS NOT NULL) AS incidents,
              (SELECT status FROM incidents WHERE id = $1) AS status,
              (SELECT count(*)::int FROM maintenances WHERE title = 'Rolled back') AS maintenances,
              (SELECT count(*)::int FROM maintenances WHERE id = $5 AND closed_as IS NULL) AS planned,
              (SELECT count(*)::int FROM monitor_states WHERE monitor_id = $2) AS states,
              (SELECT count(*)::int FROM monitors WHERE id = $6) AS monitors,
              (SELECT array_agg(name) FROM status_pages WHERE slug = 'rolled-back' OR id IN ($3, $4)) AS pages`,
      [id, monitor_id, page.id, deleted.id, planned.id, shown],
    );
    expect(left).toEqual({
      incidents: 0,
      status: 'investigating',
      maintenances: 0,
      planned: 1,
      states: 0,
      monitors: 1,
      pages: ['Before'],
    });
    expect(await typesOf(id)).toEqual(['incident.created']);
  });

  it('disappears if the transaction of its change is rolled back', async () => {
    const resource_id = randomUUID();
    const { organization_id, project_id } = tenant;
    const events = server.app.get(EventsService);
    await server.app
      .get(DataSource)
      .transaction(async (manager) => {
        await events.record(
          [
            {
              type: 'incident.created',
              organization_id,
              project_id,
              resource_id,
              actor: actorIn(organization_id),
            },
          ],
          manager,
        );
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(await stored(resource_id)).toEqual([]);
  });

  it('fails outside of a transaction, because it could remain without its change', async () => {
    const resource_id = randomUUID();
    const { organization_id, project_id } = tenant;
    const actor = actorIn(organization_id);
    const event = { type: 'incident.created', organization_id, project_id, resource_id, actor } as const;
    const recording = server.app.get(EventsService).record([event], server.app.get(DataSource).manager);
    await expect(recording).rejects.toThrow("with the manager of its change's transaction");
    expect(await stored(resource_id)).toEqual([]);
  });
});
