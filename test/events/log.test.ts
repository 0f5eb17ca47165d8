import { beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../clients/typescript/src/index.js';
import { coveredRoutes, everyOperation, type Operation, RESOURCES } from '../support/resources.js';
import { ServedDocument } from '../fuzz/served-document.js';
import { expectProblem } from '../support/expectations.js';
import { type ListPage, useTenant, useTestServer } from '../support/server.js';
import { useEvents } from './use-events.js';

const server = useTestServer();
const tenant = useTenant(server);
const { list, send } = useEvents(server, tenant);

/** Writes that record an event only if they change the status of a monitor or suppress a subscriber, and three that change no resource. */
const WITHOUT_EVENT = [
  'POST /v1/checks/:id/run',
  'POST /v1/monitor-reports',
  'POST /v1/receivers/alertmanager',
  'POST /v1/receivers/bounces',
  'POST /v1/receivers/push',
  'POST /v1/status-pages/:id/domain/verify',
  'POST /v1/webhook-endpoints/:id/test',
];

/** Addresses, hashes, and tokens of keys, endpoints and links. */
const SECRETS = /[^"]*@[^"]*|(?:sp|whsec|al|pv)_\w{8}|\w*hash\w*/;

const isWrite = (route: string) => !route.startsWith('GET');

interface Recorded {
  type: string;
  resource_id: string;
  actor_id: string | null;
  via: string;
  changes: Record<string, { from: unknown; to: unknown }> | null;
  row: string;
}

/** Names of fields whose values the log must omit, unless they are flags or times. */
const SECRET_NAME = /(secret|token|password|credential|authorization|cookie)(?!\w*_(at|until)$)/;

/** The fields with values that can be secrets. */
function shownSecrets({ changes }: Recorded): string[] {
  return Object.entries(changes ?? {}).flatMap(([name, { from, to }]) =>
    SECRET_NAME.test(name) && [from, to].some((value) => value !== null && typeof value !== 'boolean')
      ? [name]
      : [],
  );
}

const recordedBy = (requestId: string | null): Promise<Recorded[]> =>
  server.sql<Recorded[]>(
    `SELECT type, resource_id, actor_id, via, changes, to_jsonb(events)::text AS row FROM events WHERE request_id = $1 ORDER BY id`,
    [requestId],
  );

/** Changed rows without an event of their own, as `route table`. */
const IN_ANOTHER_EVENT = [
  'POST /v1/api-keys/:id/rotate api_keys', // the event of the former key
  'POST /v1/subscribers/batch subscribers', // one event of all
];

/** The rows of the tenant's resources by ID, each as its table and a hash of its contents. */
async function resourceRows(): Promise<Map<string, { table: string; hash: string }>> {
  const rows = RESOURCES.map(
    ({ table }) =>
      `SELECT id, '${table}' AS table, md5((to_jsonb(one) - 'last_used_at')::text) AS hash
         FROM ${table} AS one
        WHERE organization_id = $1`,
  );
  const all = rows.join(' UNION ALL ');
  const found = await server.sql<{ id: string; table: string; hash: string }[]>(all, [
    tenant.organization_id,
  ]);
  return new Map(found.map(({ id, ...row }) => [id, row]));
}

describe('the log', () => {
  const operations: Operation[] = [];
  beforeAll(async () => {
    operations.push(...(await everyOperation(server, tenant)));
  });

  it('contains an event of each row that a write operation changes, with its key and request, and no address or secret', async () => {
    const writes = operations.filter(({ route }) => isWrite(route));
    expect([...new Set(writes.map(({ route }) => route))].toSorted()).toEqual(
      [...new Set(coveredRoutes().filter(isWrite))].toSorted(),
    );
    const { id: empty } = await send('POST', '/v1/projects', { name: 'Empty' });
    const { id: page } = await server.page(tenant, { name: 'First' });
    await server.patch(tenant, page, { name: 'Second' });
    const written = new Set(WITHOUT_EVENT);
    const others = [
      { route: 'DELETE /v1/projects/:id', path: `/v1/projects/${empty}`, ask: { method: 'DELETE' } },
      {
        route: 'POST /v1/subscribers',
        path: '/v1/subscribers',
        ask: { method: 'POST', json: { status_page_id: page, email: 'log@example.com' } },
      },
      {
        route: 'POST /v1/status-pages/:id/revisions/:number/restore',
        path: `/v1/status-pages/${page}/revisions/1/restore`,
        ask: { method: 'POST', json: {} },
      },
    ];
    const unlogged = new Set<string>();
    let before = await resourceRows();
    for (const { route, path, ask } of [...writes, ...others]) {
      const { headers } = await server.ask(path, { ...ask, key: tenant.key });
      const events = await recordedBy(headers.get('x-request-id'));
      const after = await resourceRows();
      for (const [id, { table }] of new Map([...before, ...after]))
        if (before.get(id)?.hash !== after.get(id)?.hash && !events.some((event) => event.resource_id === id))
          unlogged.add(`${route} ${table}`);
      before = after;
      if (events.length > 0) written.add(route);
      for (const event of events) {
        const { actor_id, via, row } = event;
        expect.soft([route, shownSecrets(event)]).toEqual([route, []]);
        expect.soft([route, actor_id]).toEqual([route, tenant.key_id]);
        expect.soft([route, via]).toEqual([route, route.includes('/receivers/') ? 'receiver' : 'api']);
        expect.soft([route, SECRETS.exec(row)?.[0]]).toEqual([route, undefined]);
      }
    }
    expect([...written].toSorted()).toEqual([...new Set(writes.map(({ route }) => route))].toSorted());
    expect([...unlogged].toSorted()).toEqual(IN_ANOTHER_EVENT);
  });
});

/** The changes of each event of a resource, oldest first. */
async function changesOf(resource_id: string): Promise<Pick<Event, 'type' | 'changes'>[]> {
  const { body } = await list({ resource_id });
  return body.data.toReversed().map(({ type, changes }) => ({ type, changes }));
}

describe('changes', () => {
  it('contain the fields of a monitor before and after each write', async () => {
    const { id } = await send('POST', '/v1/monitors', { project_id: tenant.project_id, name: 'API' });
    await send('PATCH', `/v1/monitors/${id}`, { name: 'Web API', description: '' });
    await send('PATCH', `/v1/monitors/${id}`, { name: 'Web API' });
    await send('DELETE', `/v1/monitors/${id}`);
    expect(await changesOf(id)).toEqual([
      {
        type: 'monitor.created',
        changes: { name: { from: null, to: 'API' }, description: { from: null, to: '' } },
      },
      { type: 'monitor.updated', changes: { name: { from: 'API', to: 'Web API' } } },
      {
        type: 'monitor.deleted',
        changes: { name: { from: 'Web API', to: null }, description: { from: '', to: null } },
      },
    ]);
  });

  it('continue one another if updates are concurrent', async () => {
    const { id } = await send('POST', '/v1/monitors', { project_id: tenant.project_id, name: '0' });
    const names = Array.from({ length: 20 }, (_, index) => String(index + 1));
    await Promise.all(names.map((name) => send('PATCH', `/v1/monitors/${id}`, { name })));
    const { name: last } = await send<{ name: string }>('GET', `/v1/monitors/${id}`);
    const updates = (await changesOf(id)).filter(({ type }) => type === 'monitor.updated');
    const values = updates.map(({ changes }) => changes?.['name']);
    expect(values.map((change) => change?.from).toSorted()).toEqual(
      ['0', ...names.filter((name) => name !== last)].toSorted(),
    );
    expect(values.map((change) => change?.to).toSorted()).toEqual(names.toSorted());
  });

  it('contain no values of addresses, secrets and long texts', async () => {
    const { project_id } = tenant;
    const { id: page } = await server.page(tenant, {});
    const url = 'https://hooks.example.com/services/T0/B0/secret';
    const endpoint = await send('POST', '/v1/webhook-endpoints', { project_id, url });
    await send('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { url: `${url}2`, description: 'Chat' });
    const body = 'x'.repeat(4_000);
    const template = await send('POST', '/v1/incident-templates', {
      project_id,
      name: 'T',
      title: 'T',
      body,
    });
    await send('PUT', `/v1/status-pages/${page}/access`, {
      emails: ['reader@example.com'],
      email_domains: [],
      networks: [],
      oidc: null,
      password: 'correct horse battery',
    });
    const omitted = { from: null, to: null, is_omitted: true };
    const [created, updated] = await changesOf(endpoint.id);
    expect(created?.changes?.['url']).toEqual(omitted);
    expect(updated?.changes).toEqual({ url: omitted, description: { from: null, to: 'Chat' } });
    expect((await changesOf(template.id))[0]?.changes?.['body']).toEqual(omitted);
    expect((await changesOf(page)).at(-1)).toEqual({
      type: 'access.updated',
      changes: { emails: omitted, password: omitted, has_password: { from: false, to: true } },
    });
  });

  it('share the transaction of the write, so a rejected write records nothing', async () => {
    const { id } = await send('POST', '/v1/monitors', { project_id: tenant.project_id, name: 'API' });
    const { status } = await server.ask(`/v1/monitors/${id}`, {
      method: 'PATCH',
      key: tenant.key,
      headers: { 'If-Match': '"2020-01-01T00:00:00.000Z"' },
      json: { name: 'Lost' },
    });
    expect(status).toBe(412);
    expect((await changesOf(id)).map(({ type }) => type)).toEqual(['monitor.created']);
  });
});

describe('an event of the organization', () => {
  it('appears only in lists of keys without a restriction to projects', async () => {
    const own = await server.key(tenant.organization_id, { scopes: ['events:read'] });
    const restricted = await server.key(tenant.organization_id, {
      scopes: ['events:read'],
      project_ids: [tenant.project_id],
    });
    const listed = async (key: string, query = '') =>
      (await server.ask<ListPage<Event>>(`/v1/events?type=api_key.created${query}`, { key })).body.data;
    const [newest] = await listed(own.key);
    expect(newest).toMatchObject({
      type: 'api_key.created',
      resource_type: 'api_key',
      project_id: null,
      actor: { id: null },
    });
    expect(await listed(own.key, `&project_id=${tenant.project_id}`)).toEqual([]);
    expect(await listed(restricted.key)).toEqual([]);
    expect(await listed((await server.tenant()).key, `&resource_id=${newest?.resource_id}`)).toEqual([]);
  });
});

describe('the operations of events', () => {
  it('only read: none creates, changes or deletes an event', async () => {
    const { operations } = await ServedDocument.of(server.url);
    const ofEvents = operations.filter(({ path }) => path.startsWith('/v1/events'));
    expect(ofEvents.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/events']);
  });

  it('cannot be forged: a body with an actor is rejected', async () => {
    const answer = await server.ask('/v1/monitors', {
      method: 'POST',
      key: tenant.key,
      json: { project_id: tenant.project_id, name: 'API', actor: { type: 'system', id: null, name: 'me' } },
    });
    expectProblem(answer, 400, 'validation_failed', { code: 'unknown_field', pointer: '#/actor' });
  });
});

describe('an event that only the log contains', () => {
  it('reaches no endpoint, also if the endpoint gets all types', async () => {
    const { project_id } = tenant;
    const { id } = await send('POST', '/v1/webhook-endpoints', {
      project_id,
      url: 'https://hooks.example.com/',
    });
    const monitor = await send('POST', '/v1/monitors', { project_id, name: 'API' });
    const since = new Date(Date.now() - 60_000);
    const stored = await server.sql(
      `SELECT due_at, is_notified FROM events WHERE resource_id = ANY($1::uuid[])`,
      [[id, monitor.id]],
    );
    expect(stored).toEqual([
      { due_at: null, is_notified: false },
      { due_at: null, is_notified: false },
    ]);
    await send('POST', `/v1/webhook-endpoints/${id}/replay`, { since });
    const sent = await server.sql(
      `SELECT event.type FROM deliveries JOIN events AS event ON event.id = deliveries.event_id
        WHERE deliveries.recipient_id = $1 AND event.resource_id = ANY($2::uuid[])`,
      [id, [id, monitor.id]],
    );
    expect(sent).toEqual([]);
  });

  it('names its actor after the key is deleted', async () => {
    const monitor = await send('POST', '/v1/monitors', { project_id: tenant.project_id, name: 'API' });
    await server.sql(`UPDATE api_keys SET name = 'Renamed' WHERE id = $1`, [tenant.key_id]);
    const [event] = (await list({ resource_id: monitor.id })).body.data;
    expect(event?.actor).toEqual({ type: 'api_key', id: tenant.key_id, name: 'Key' });
  });
});
