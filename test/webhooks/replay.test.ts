import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint, WebhookReplay } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import type { Tenant } from '../support/server.js';
import { IN_AN_HOUR, useDeliveries } from './use-deliveries.js';

const { server, tenant, ask, createEndpoint, events, insert, list } = useDeliveries();

const DAY_MS = 86_400_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

const replay = (id: string, json: object = {}, key = tenant.key) =>
  ask<{ data: WebhookReplay }>('POST', `/${id}/replay`, json, {}, key);

/** Replays the events of the last day, and returns the types of the deliveries, oldest event first. */
async function replayed(id: string, json?: object): Promise<string[]> {
  const answer = await replay(id, json);
  expect(answer.status).toBe(200);
  const { data } = (await list(id, { limit: '100' })).body;
  expect(answer.body.data.deliveries).toBe(data.length);
  expect(data.map(({ status }) => status)).toEqual(data.map(() => 'pending'));
  return data
    .toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1))
    .map(({ event_type }) => event_type);
}

/** Creates an endpoint of another organization, which has replays of its own. */
async function endpointOf({ project_id, key }: Tenant, json: object = {}): Promise<string> {
  const body = { url: 'https://example.com/hook', project_id, ...json };
  return (await ask<{ data: WebhookEndpoint }>('POST', '', body, {}, key)).body.data.id;
}

/** Deletes the events of other tests. */
const forget = () => server.sql('DELETE FROM events WHERE project_id = $1', [tenant.project_id]);

describe('POST /v1/webhook-endpoints/{id}/replay', () => {
  it('creates the deliveries of events that have happened and notify', async () => {
    await forget();
    const { id: incident } = await events.incident();
    await events.update(incident, { status: 'resolved' });
    await events.incident({ notify: false });
    await events.maintenance([1, 2]);
    const other = await server.tenant();
    await server.page(other);
    const { id } = await createEndpoint();
    expect(await replayed(id)).toEqual(['incident.created', 'incident.resolved', 'maintenance.scheduled']);
  });

  it('selects events by type and by `since`', async () => {
    await forget();
    const { id: incident } = await events.incident();
    await events.update(incident, { status: 'resolved' });
    const since = (await events.stored(incident)).at(-1)?.created_at;
    await events.update(incident, { status: 'investigating' });
    const { id } = await createEndpoint({ event_types: ['incident.resolved', 'incident.created'] });
    expect(await replayed(id, { since: since?.toISOString() })).toEqual(['incident.resolved']);
    expect(await replayed(id)).toEqual(['incident.created', 'incident.resolved']);
  });

  it('selects events about what the status page of the endpoint shows', async () => {
    await forget();
    const monitors = await server.monitors(tenant, 2);
    const [shown = '', hidden = ''] = monitors;
    const sections = [{ id: 'core', title: 'Core', monitor_ids: [shown] }];
    const { id: status_page_id } = await server.page(tenant, { sections });
    const other = await server.page(tenant);
    for (const monitor_id of [shown, hidden])
      await events.incident({ monitors: [{ monitor_id, status: 'major_outage' }] });
    await events.incident({ status_page_ids: [other.id] });
    const { id } = await createEndpoint({ status_page_id, event_types: ['incident.created'] });
    expect(await replayed(id)).toEqual(['incident.created']);
  });

  it('sends existing deliveries again, but for those in flight', async () => {
    await forget();
    const { id } = await createEndpoint({ event_types: ['incident.created'] });
    const before = await insert(id, { status: 'delivered', attempts: 3 });
    const later = await insert(id, { status: 'pending', attempts: 3, due_at: IN_AN_HOUR });
    const inFlight = await insert(id, {
      status: 'pending',
      attempts: 3,
      due_at: `now() + interval '50 seconds'`,
    });
    expect(await replayed(id)).toHaveLength(3);
    const attempts = new Map((await list(id)).body.data.map((one) => [one.id, one.attempt_count]));
    expect([before, later, inFlight].map((one) => attempts.get(one.id))).toEqual([0, 0, 3]);
  });

  it('leaves the deliveries of other endpoints unchanged', async () => {
    const [{ id }, other] = [await createEndpoint(), await createEndpoint()];
    await insert(other.id, { status: 'delivered' });
    const before = (await list(other.id)).body.data;
    expect((await replay(id)).status).toBe(200);
    expect((await list(other.id)).body.data).toEqual(before);
  });

  it('replays at most 10,000 events', async () => {
    await forget();
    const { id } = await createEndpoint();
    const insertEvents = (count: number) =>
      server.sql(
        `INSERT INTO events (id, organization_id, project_id, type, resource_id, created_at)
         SELECT gen_random_uuid(), $1, $2, 'incident.deleted', $3, now() - interval '1 hour' FROM generate_series(1, $4)`,
        [tenant.organization_id, tenant.project_id, randomUUID(), count],
      );
    await insertEvents(10_000);
    expect((await replay(id)).body.data.deliveries).toBe(10_000);
    await insertEvents(1);
    expect(expectProblem(await replay(id), 409, 'conflict').detail).toContain('Choose a later time');
    expect((await replay(id, { since: ago(60_000) })).body.data.deliveries).toBe(0);
    await forget();
  });

  it('returns 400 for a time in the future, and for one that is more than 30 days ago', async () => {
    const { id } = await createEndpoint();
    const error = { code: 'out_of_range', pointer: '#/since' };
    for (const since of [ago(-60_000), ago(30 * DAY_MS + 60_000)])
      expectProblem(await replay(id, { since }), 400, 'validation_failed', error);
    expect((await replay(id, { since: ago(30 * DAY_MS - 60_000) })).status).toBe(200);
  });

  it('returns 409 for a disabled endpoint, and 404 for one that the key cannot access', async () => {
    const other = await server.tenant();
    const id = await endpointOf(other, { status: 'disabled' });
    expectProblem(await replay(id, {}, other.key), 409, 'conflict');
    const { key } = await server.tenant();
    expectProblem(await replay(id, {}, key), 404, 'not_found');
  });

  it('returns 429 after 10 replays of an organization in a minute', async () => {
    const other = await server.tenant();
    const id = await endpointOf(other);
    for (let count = 0; count < 10; count++) expect((await replay(id, {}, other.key)).status).toBe(200);
    const rejected = await replay(id, {}, other.key);
    expect(expectProblem(rejected, 429, 'rate_limited').detail).toContain(
      'At most 10 replays of an organization',
    );
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
