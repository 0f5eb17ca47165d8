import { beforeEach, describe, expect, it } from 'vitest';
import { DaysService } from '../../src/summaries/days/days.service.js';
import { PageLookupService } from '../../src/status-pages/page-lookup.service.js';
import type { One } from '../support/server.js';
import { useSummaries } from '../summaries/use-summaries.js';

const { server, tenant, monitor, page, send } = useSummaries();

const MINUTE_MS = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

let monitor_id: string;
let page_id: string;

beforeEach(async () => {
  monitor_id = await monitor();
  page_id = await page({ web: [monitor_id] });
});

async function version(): Promise<string> {
  const [found] = await server.app.get(PageLookupService).findPublicByIds([page_id]);
  return found?.version ?? 'none';
}

/** Returns whether an action changes the version of the page. */
async function changes(action: () => Promise<unknown>): Promise<boolean> {
  const before = await version();
  await action();
  return (await version()) !== before;
}

/** Sends a request that must succeed. Returns the ID of the resource. */
async function request(method: string, path: string, json?: object): Promise<string> {
  const { status, text, body } = await server.ask<One<{ id: string }>>(path, {
    method,
    key: tenant.key,
    ...(json && { json }),
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return body.data?.id ?? '';
}

const report = (status: string, minutes: number) =>
  request('POST', '/v1/monitor-reports', {
    project_id: tenant.project_id,
    reports: [{ monitor_id, status, observed_at: ago(minutes) }],
  });

const incident = (json: object = {}) =>
  request('POST', '/v1/incidents', {
    project_id: tenant.project_id,
    title: 'Slow',
    body: 'We look into it.',
    monitors: [{ monitor_id, status: 'major_outage' }],
    ...json,
  });

const maintenance = () =>
  request('POST', '/v1/maintenances', {
    project_id: tenant.project_id,
    title: 'Upgrade',
    starts_at: ago(-60),
    ends_at: ago(-120),
    monitor_ids: [monitor_id],
  });

describe('the version of a status page', () => {
  it('changes with the page but not with other projects', async () => {
    expect(await changes(() => send('PATCH', `/v1/status-pages/${page_id}`, { name: 'Other' }))).toBe(true);
    expect(
      await changes(() => send('PATCH', `/v1/status-pages/${page_id}/settings`, { history_days: 7 })),
    ).toBe(true);
    const other = await server.tenant();
    const create = {
      method: 'POST',
      key: other.key,
      json: { project_id: other.project_id, title: 'Theirs', body: 'x' },
    };
    expect(await changes(() => server.ask('/v1/incidents', create))).toBe(false);
  });

  it('changes with the name, description, stale_after_seconds and deletion of a monitor', async () => {
    for (const json of [{ name: 'Other' }, { description: 'Text' }, { stale_after_seconds: 60 }])
      expect(await changes(() => request('PATCH', `/v1/monitors/${monitor_id}`, json))).toBe(true);
    expect(
      await changes(() => server.ask(`/v1/monitors/${monitor_id}`, { method: 'DELETE', key: tenant.key })),
    ).toBe(true);
  });

  it('changes with the first report, a new status, and late reports', async () => {
    expect(await changes(() => report('operational', 50))).toBe(true);
    expect(await changes(() => report('major_outage', 40))).toBe(true);
    expect(await changes(() => report('operational', 30))).toBe(true);
    expect(await changes(() => report('degraded_performance', 45))).toBe(true);
  });

  it('changes with a report that ends the staleness of a monitor', async () => {
    await request('PATCH', `/v1/monitors/${monitor_id}`, { stale_after_seconds: 60 });
    await report('operational', 1.5);
    expect(await changes(() => report('operational', 0.6))).toBe(true);
    expect(await changes(() => report('operational', 0))).toBe(false);
  });

  it('changes with each change of an incident and its updates', async () => {
    let incident_id = '';
    expect(await changes(async () => (incident_id = await incident()))).toBe(true);
    const path = `/v1/incidents/${incident_id}`;
    for (const json of [{ title: 'Slower' }, { impact: 'none' }, { postmortem: 'We learned.' }])
      expect(await changes(() => request('PATCH', path, json))).toBe(true);
    let update_id = '';
    const update = { status: 'monitoring', body: 'Better.' };
    expect(await changes(async () => (update_id = await request('POST', `${path}/updates`, update)))).toBe(
      true,
    );
    expect(await changes(() => request('PATCH', `${path}/updates/${update_id}`, { body: 'Good.' }))).toBe(
      true,
    );
    for (const gone of [`${path}/updates/${update_id}`, path])
      expect(await changes(() => server.ask(gone, { method: 'DELETE', key: tenant.key }))).toBe(true);
  });

  it('changes with each change of a maintenance window', async () => {
    let maintenance_id = '';
    expect(await changes(async () => (maintenance_id = await maintenance()))).toBe(true);
    const path = `/v1/maintenances/${maintenance_id}`;
    for (const json of [{ title: 'Move' }, { starts_at: ago(-70) }, { status: 'cancelled' }])
      expect(await changes(() => request('PATCH', path, json))).toBe(true);
    let update_id = '';
    const update = { body: 'Half done.' };
    expect(await changes(async () => (update_id = await request('POST', `${path}/updates`, update)))).toBe(
      true,
    );
    expect(await changes(() => request('PATCH', `${path}/updates/${update_id}`, { body: 'Done.' }))).toBe(
      true,
    );
    for (const gone of [`${path}/updates/${update_id}`, path])
      expect(await changes(() => server.ask(gone, { method: 'DELETE', key: tenant.key }))).toBe(true);
  });
});

describe('the version of a status page without visible changes', () => {
  it('stays the same for reports with the same status', async () => {
    await report('operational', 50);
    await report('operational', 40);
    for (const minutes of [30, 45, 30])
      expect(await changes(() => report('operational', minutes))).toBe(false);
  });

  it('stays the same for updates with equal values', async () => {
    const incident_id = await incident();
    const maintenance_id = await maintenance();
    for (const [path, json] of [
      [`/v1/monitors/${monitor_id}`, { name: 'Monitor' }],
      [`/v1/incidents/${incident_id}`, { title: 'Slow' }],
      [`/v1/maintenances/${maintenance_id}`, { title: 'Upgrade' }],
    ] as const)
      expect(await changes(() => request('PATCH', path, json))).toBe(false);
  });

  it('stays the same when days are computed and stored', async () => {
    await report('operational', 3 * 24 * 60);
    const { organization_id } = tenant;
    const days = server.app.get(DaysService);
    const access = { organization_id, project_ids: null };
    expect(await changes(() => days.get(access, monitor_id, {}))).toBe(false);
    expect((await server.sql<object[]>('SELECT FROM monitor_days')).length).toBeGreaterThan(0);
  });
});

describe('page versions', () => {
  it('disappear with their project', async () => {
    const project_id = await server.project(tenant.organization_id);
    await request('POST', '/v1/incidents', { project_id, title: 'Slow', body: 'x' });
    const count = () => server.sql<object[]>('SELECT FROM page_versions WHERE project_id = $1', [project_id]);
    expect(await count()).toHaveLength(1);
    await server.ask(`/v1/projects/${project_id}`, { method: 'DELETE', key: tenant.key });
    expect(await count()).toHaveLength(0);
  });

  it('cause no deadlocks between writers of a project', async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; round < 5; round++) {
        await report(writer % 2 === 0 ? 'major_outage' : 'operational', 400 - writer * 10 - round);
        await incident();
      }
    });
    await expect(Promise.all(writers)).resolves.toHaveLength(8);
  });
});
