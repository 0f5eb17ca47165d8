import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import { type Answer, type ListPage, type Tenant, useTenant, useTestServer } from '../support/server.js';
import { statementsWithValuesOf } from '../support/statements.js';

const server = useTestServer();
const tenant = useTenant(server);
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));

/** Resources, actors and a second project of the stored events. */
const ids = { page: randomUUID(), monitor: randomUUID(), ada: randomUUID(), bob: randomUUID(), second: '' };

interface Stored {
  minute: number;
  type?: string;
  project_id?: string;
  resource_id?: string;
  actor_id?: string;
}

/** Stores events of a tenant. */
async function store(of: Tenant, events: Stored[]): Promise<void> {
  for (const { minute, type = 'status_page.updated', ...event } of events)
    await server.sql(
      `INSERT INTO events (id, organization_id, project_id, type, resource_id, actor_type, actor_id, actor_name, created_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, 'api_key', $5, 'Key', $6)`,
      [
        of.organization_id,
        event.project_id ?? of.project_id,
        type,
        event.resource_id ?? ids.page,
        event.actor_id ?? ids.ada,
        at(minute),
      ],
    );
}

const ask = (query: Record<string, string>, key = tenant.key): Promise<Answer<ListPage<Event>>> =>
  server.ask(`/v1/events?${new URLSearchParams(query)}`, { key });

/** The minutes of the listed events. */
async function minutes(query: Record<string, string>, key?: string): Promise<number[]> {
  const { status, body } = await ask(query, key);
  expect(status).toBe(200);
  // Without the events of keys that tests create.
  const stored = body.data.filter(({ created_at }) => created_at.startsWith('2026-01-01'));
  return stored.map(({ created_at }) => new Date(created_at).getUTCMinutes());
}

beforeAll(async () => {
  ids.second = (await server.client(tenant.key).projects.create({ name: 'Second' })).id;
  await server.sql('DELETE FROM events WHERE organization_id = $1', [tenant.organization_id]);
  const status = 'monitor.status_changed';
  await store(tenant, [
    { minute: 1 },
    { minute: 2, type: status, resource_id: ids.monitor, actor_id: ids.bob },
    { minute: 3, project_id: ids.second, actor_id: ids.bob },
    { minute: 4, type: 'status_page.deleted' },
    { minute: 5, project_id: ids.second, resource_id: ids.monitor, type: status },
    { minute: 6, project_id: randomUUID() },
  ]);
  await store(await server.tenant(), [{ minute: 7 }]);
});

describe('GET /v1/events', () => {
  it('lists all projects of the organization without project_id, also deleted ones', async () => {
    expect(await minutes({})).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await minutes({ project_id: ids.second })).toEqual([5, 3]);
  });

  it('lists only the projects of a restricted key', async () => {
    const { key } = await server.key(tenant.organization_id, { project_ids: [ids.second] });
    expect(await minutes({}, key)).toEqual([5, 3]);
    expect(await minutes({ actor_id: ids.bob }, key)).toEqual([3]);
    expect(await minutes({ resource_id: ids.monitor }, key)).toEqual([5]);
    expectProblem(await ask({ project_id: tenant.project_id }, key), 404, 'not_found');
  });

  it('combines the filters', async () => {
    expect(await minutes({ actor_id: ids.bob })).toEqual([3, 2]);
    expect(await minutes({ actor_id: ids.bob.toUpperCase(), project_id: tenant.project_id })).toEqual([2]);
    expect(await minutes({ actor_id: ids.ada, type: 'status_page.updated' })).toEqual([6, 1]);
    expect(await minutes({ type: 'status_page.updated', project_id: ids.second })).toEqual([3]);
    expect(await minutes({ resource_id: ids.monitor })).toEqual([5, 2]);
    expect(await minutes({ resource_id: ids.monitor, actor_id: ids.ada })).toEqual([5]);
    expect(await minutes({ resource_id: ids.page, type: 'status_page.deleted' })).toEqual([4]);
    expect(await minutes({ actor_id: randomUUID() })).toEqual([]);
  });

  it('includes events at `from`, and excludes events at `to`', async () => {
    const [from, to] = [at(2).toISOString(), at(5).toISOString()];
    expect(await minutes({ from, to })).toEqual([4, 3, 2]);
    expect(await minutes({ from: '2026-01-01T13:05:00+01:00' })).toEqual([6, 5]);
    expect(await minutes({ to: from, actor_id: ids.ada })).toEqual([1]);
    const limits = { parameter: 'to', code: 'out_of_range', detail: 'must be after from' };
    expectProblem(await ask({ from, to: from }), 400, 'validation_failed', limits);
    const wrong = { parameter: 'from', code: 'invalid_format' };
    expectProblem(await ask({ from: 'yesterday' }), 400, 'validation_failed', wrong);
  });

  it('continues a list at its cursor, which is invalid with other filters', async () => {
    const filter = { actor_id: ids.ada, from: at(1).toISOString(), to: at(6).toISOString() };
    const first = await ask({ ...filter, limit: '2' });
    const cursor = first.body.pagination.next_cursor ?? '';
    expect(first.body.data).toHaveLength(2);
    expect(await minutes({ ...filter, cursor })).toEqual([1]);
    const { actor_id, from, to } = filter;
    const others: Record<string, string>[] = [
      {},
      { actor_id },
      { actor_id, from },
      { resource_id: actor_id, from, to },
    ];
    for (const other of others) expectProblem(await ask({ ...other, cursor }), 400, 'invalid_cursor');
    expectProblem(await ask({ ...filter, project_id: tenant.project_id, cursor }), 400, 'invalid_cursor');
  });
});

describe('the statement of GET /v1/events', () => {
  const filters = {
    '': 'events_organization_idx',
    'project_id type': 'events_type_idx',
    project_id: 'events_type_idx',
    type: 'events_organization_idx',
    actor_id: 'events_actor_idx',
    'actor_id type': 'events_actor_idx',
    'actor_id project_id': 'events_actor_project_idx',
    'actor_id project_id type': 'events_actor_project_idx',
    resource_id: 'events_of_resource_idx',
    'resource_id type': 'events_of_resource_idx',
    'resource_id actor_id project_id': 'events_of_resource_idx',
    'resource_id actor_id': 'events_status_changes_by_actor_idx',
  };

  it.each(Object.entries(filters))('with %s uses %s', async (names, index) => {
    // With few rows, all indexes cost the same.
    await server.sql(
      `INSERT INTO events (id, organization_id, project_id, type, resource_id, actor_type, actor_id, actor_name, created_at)
       SELECT gen_random_uuid(), $1, CASE WHEN n % 2 = 0 THEN $2 ELSE gen_random_uuid() END, 'kind.' || n % 20, gen_random_uuid(),
              'api_key', CASE WHEN n % 3 = 0 THEN $3 ELSE gen_random_uuid() END, 'Key', now() - n * interval '1 minute'
         FROM generate_series(1, 3000) AS n WHERE NOT EXISTS (SELECT FROM events WHERE type = 'kind.1')`,
      [tenant.organization_id, tenant.project_id, ids.ada],
    );
    await server.vacuum('events');
    const values: Record<string, string> = {
      project_id: tenant.project_id,
      type: 'status_page.updated',
      actor_id: ids.ada,
      resource_id: ids.page,
    };
    const given = names.split(' ').filter(Boolean);
    const query = Object.fromEntries(given.map((name) => [name, values[name] ?? '']));
    const statements = await statementsWithValuesOf(() => ask(query));
    const listing = statements.filter(({ text }) => /LATERAL \(SELECT id, created_at FROM events/.test(text));
    expect(listing).toHaveLength(1);
    for (const { text, values: parameters } of listing) {
      const plan = JSON.stringify(await server.sql(`EXPLAIN ${text}`, parameters));
      expect(plan).toContain(`using ${index} on`);
      expect(plan).not.toContain('Seq Scan on events');
    }
  });
});
