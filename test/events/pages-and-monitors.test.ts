import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { inHours, useEvents } from './use-events.js';

const server = useTestServer();
const tenant = useTenant(server);
const { stored, typesOf, notifiedOf, send } = useEvents(server, tenant);

describe('a status page', () => {
  it('records its creation, changes, deletion and restoration at their times', async () => {
    const { id } = await server.page(tenant);
    await send('PATCH', `/v1/status-pages/${id}`, { name: 'Changed' });
    await send('PATCH', `/v1/status-pages/${id}/settings`, { history_days: 30 });
    await send('DELETE', `/v1/status-pages/${id}`);
    await send('POST', `/v1/status-pages/${id}/restore`, {});
    const events = await stored(id);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['status_page.created', { revision: 1 }],
      ['status_page.updated', { revision: 2 }],
      ['status_page.updated', { revision: 3 }],
      ['status_page.deleted', { revision: 4, name: 'Changed' }],
      ['status_page.restored', { revision: 5 }],
    ]);
    const { updated_at } = await send<{ updated_at: string }>('GET', `/v1/status-pages/${id}`);
    expect(events.at(-1)?.created_at.toISOString()).toBe(updated_at);
    expect(await notifiedOf(id)).toEqual([]);
  });

  it('records no event for a PATCH that changes nothing', async () => {
    const { id } = await server.page(tenant, { name: 'Same' });
    await send('PATCH', `/v1/status-pages/${id}`, { name: 'Same' });
    expect(await typesOf(id)).toEqual(['status_page.created']);
  });

  it('records an update when a monitor that it shows is deleted', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const { id } = await server.page(tenant, {
      sections: [{ id: 'core', title: 'Core', monitor_ids: [monitor] }],
    });
    await send('DELETE', `/v1/monitors/${monitor}`);
    expect(await typesOf(id)).toEqual(['status_page.created', 'status_page.updated']);
  });

  it('gives its events UUIDv7 IDs of their times', async () => {
    const { id } = await server.page(tenant);
    const [event] = await server.sql<{ id: string; created_at: Date }[]>(
      'SELECT id, created_at FROM events WHERE resource_id = $1',
      [id],
    );
    expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(event?.id.replaceAll('-', '').slice(0, 12) ?? '', 16)).toBe(
      event?.created_at.getTime(),
    );
  });
});

describe('a monitor', () => {
  const report = (monitor_id: string, ...reports: [status: string, hours: number][]) =>
    send('POST', '/v1/monitor-reports', {
      project_id: tenant.project_id,
      reports: reports.map(([status, hours]) => ({ monitor_id, status, observed_at: inHours(hours) })),
    });
  const changesOf = async (id: string) => (await stored(id)).map(({ data }) => [data.from, data.to]);

  it('records a change of its reported status, once for a request', async () => {
    const [id = ''] = await server.monitors(tenant, 1);
    await report(id, ['operational', -3]);
    await report(id, ['operational', -2.9]);
    expect(await stored(id)).toEqual([]);
    await report(id, ['major_outage', -2]);
    await report(id, ['major_outage', -1.9]);
    await report(id, ['degraded_performance', -1.5], ['operational', -1]);
    expect(await changesOf(id)).toEqual([
      ['operational', 'major_outage'],
      ['major_outage', 'operational'],
    ]);
    expect(await typesOf(id)).toEqual(['monitor.status_changed', 'monitor.status_changed']);
    expect(await notifiedOf(id)).toEqual([]);
  });

  it('records no event for a late report that does not change the current status', async () => {
    const [id = ''] = await server.monitors(tenant, 1);
    await report(id, ['operational', -3]);
    await report(id, ['operational', -1]);
    await report(id, ['major_outage', -2]);
    expect(await stored(id)).toEqual([]);
  });

  it('records the first report as a change', async () => {
    const { id } = await send('POST', '/v1/monitors', {
      project_id: tenant.project_id,
      name: 'Stale',
      stale_after_seconds: 300,
    });
    await report(id, ['operational', -1]);
    expect(await changesOf(id)).toEqual([]);
    await report(id, ['operational', 0]);
    expect(await changesOf(id)).toEqual([[null, 'operational']]);
    const [other = ''] = await server.monitors(tenant, 1);
    await report(other, ['major_outage', -1]);
    expect(await changesOf(other)).toEqual([['operational', 'major_outage']]);
  });
});
