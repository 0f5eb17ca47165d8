import { describe, expect, it } from 'vitest';
import { EndpointHealth } from '../../src/webhooks/endpoint-health.js';
import { useTenant, useTestServer } from '../support/server.js';
import { inHours, useEvents } from './use-events.js';

const server = useTestServer();
const tenant = useTenant(server);
const { list, incident, update, maintenance, send } = useEvents(server, tenant);

const byKey = () => ({ type: 'api_key', id: tenant.key_id, name: 'Key' });

/** The actor and the way of each event of a resource, oldest first. */
async function origins(resource_id: string): Promise<object[]> {
  const { body } = await list({ resource_id });
  return body.data.toReversed().map(({ type, actor, via }) => ({ type, actor, via }));
}

describe('an event', () => {
  it('identifies the key and the request of each change of an incident', async () => {
    const json = { project_id: tenant.project_id, title: 'Errors' };
    const created = await server.ask<{ data: { id: string } }>('/v1/incidents', {
      method: 'POST',
      key: tenant.key,
      json,
    });
    const { id } = created.body.data;
    await update(id, { status: 'resolved' });
    await send('PATCH', `/v1/incidents/${id}`, { postmortem: 'Why.' });
    await send('DELETE', `/v1/incidents/${id}`);
    const types = ['created', 'resolved', 'postmortem_published', 'deleted'];
    expect(await origins(id)).toEqual(
      types.map((type) => ({ type: `incident.${type}`, actor: byKey(), via: 'api' })),
    );
    const ids = (await list({ resource_id: id })).body.data.map(({ request_id }) => request_id);
    expect(ids.at(-1)).toBe(created.headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(4);
  });

  it('identifies the key of each change of a status page', async () => {
    const json = { project_id: tenant.project_id, name: 'Page' };
    const { id } = await send('POST', '/v1/status-pages', json);
    const patched = await server.patch(tenant, id, { name: 'Second' });
    await send('DELETE', `/v1/status-pages/${id}`);
    await send('POST', `/v1/status-pages/${id}/restore`, {});
    const types = ['created', 'updated', 'deleted', 'restored'];
    expect(await origins(id)).toEqual(
      types.map((type) => ({ type: `status_page.${type}`, actor: byKey(), via: 'api' })),
    );
    const { body } = await list({ resource_id: id, type: 'status_page.updated' });
    expect(body.data[0]?.request_id).toBe(patched.headers.get('x-request-id'));
  });

  it('identifies the key that deletes a monitor of a page', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const sections = [{ id: 'core', title: 'Core', monitor_ids: [monitor] }];
    const { id } = await server.page(tenant, { sections });
    await send('DELETE', `/v1/monitors/${monitor}`);
    expect((await origins(id)).at(-1)).toEqual({ type: 'status_page.updated', actor: byKey(), via: 'api' });
  });

  it('identifies the key for what happens now, and the schedule for what the clock brings about', async () => {
    const { id } = await maintenance([1, 2]);
    await send('PATCH', `/v1/maintenances/${id}`, { starts_at: inHours(3), ends_at: inHours(4) });
    const stored = await server.sql(
      `SELECT type, actor_type, actor_id, actor_name, via FROM events WHERE resource_id = $1 ORDER BY created_at, id`,
      [id],
    );
    const now = { actor_type: 'api_key', actor_id: tenant.key_id, actor_name: 'Key', via: 'api' };
    const later = { actor_type: 'system', actor_id: null, actor_name: 'maintenance schedule', via: null };
    expect(stored).toEqual([
      { type: 'maintenance.scheduled', ...now },
      { type: 'maintenance.rescheduled', ...now },
      { type: 'maintenance.reminder', ...later },
      { type: 'maintenance.started', ...later },
      { type: 'maintenance.completed', ...later },
    ]);
  });

  it('distinguishes reports of the API from messages to a receiver', async () => {
    const [reported = '', pushed = ''] = await server.monitors(tenant, 2);
    const reports = [{ monitor_id: reported, status: 'major_outage', observed_at: new Date() }];
    await send('POST', '/v1/monitor-reports', { project_id: tenant.project_id, reports });
    await send('POST', `/v1/receivers/push?monitor_id=${pushed}&status=down`);
    const event = { type: 'monitor.status_changed', actor: byKey() };
    expect(await origins(reported)).toEqual([{ ...event, via: 'api' }]);
    expect(await origins(pushed)).toEqual([{ ...event, via: 'receiver' }]);
  });

  it('contains the command that creates demo data', async () => {
    const { stdout } = await server.cli('demo', '--pages', '1');
    const { key, project_id }: { key: string; project_id: string } = JSON.parse(stdout);
    const { body } = await list({ type: 'status_page.created' }, { ...tenant, key, project_id });
    const actor = { type: 'command_line', id: null, name: 'cli demo' };
    expect(body.data[0]).toMatchObject({ actor, via: 'command_line', request_id: null });
  });

  it('contains the service that disables an endpoint', async () => {
    const endpoint = { project_id: tenant.project_id, url: 'https://hooks.example.com/' };
    const { id } = await send('POST', '/v1/webhook-endpoints', endpoint);
    const { organization_id } = tenant;
    await server.app
      .get(EndpointHealth, { strict: false })
      .gone({ organization_id, id, url: endpoint.url, failing_since: null });
    const actor = { type: 'system', id: null, name: 'webhook deliveries' };
    expect((await origins(id)).at(-1)).toEqual({ type: 'webhook_endpoint.disabled', actor, via: null });
  });

  it('shows no actor if the former version recorded it', async () => {
    const { id } = await incident();
    const columns = ['actor_type', 'actor_id', 'actor_name', 'via', 'request_id'];
    await server.sql(
      `UPDATE events SET ${columns.map((column) => `${column} = NULL`).join(', ')} WHERE resource_id = $1`,
      [id],
    );
    const [event] = (await list({ resource_id: id })).body.data;
    expect(event).toMatchObject({ actor: null, via: null, request_id: null });
  });
});
