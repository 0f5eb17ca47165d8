import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../src/deliveries/channel.js';
import { DeliveriesRepository } from '../../src/deliveries/deliveries.repository.js';
import { DeliveryQueue } from '../../src/deliveries/delivery-queue.js';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { ATTEMPT, IN_AN_HOUR, useDeliveries } from './use-deliveries.js';

const { server, tenant, ask, createEndpoint, insert, list, retry, one } = useDeliveries();

const deliveries = () => server.app.get(DeliveryQueue, { strict: false });
const results = (): DeliveriesRepository => server.app.get(DeliveriesRepository);

/** A key of another organization, and one of another project of the same organization. */
async function otherKeys(): Promise<string[]> {
  const other = await server.tenant();
  const project_ids = [await server.project(tenant.organization_id)];
  return [other.key, (await server.key(tenant.organization_id, { project_ids })).key];
}

describe('GET /v1/deliveries', () => {
  it('returns the attempts, and the time of the next one only if the delivery is pending', async () => {
    const { id: endpoint_id } = await createEndpoint();
    const { id, event_id } = await insert(endpoint_id, { status: 'pending', due_at: IN_AN_HOUR });
    const failed = await insert(endpoint_id);
    const { body } = await list(endpoint_id);
    expect(body.data.map((delivery) => delivery.id)).toEqual([failed.id, id]);
    const [finished, pending] = body.data;
    expect(pending).toEqual({
      id,
      endpoint_id,
      event_id,
      event_type: 'incident.created',
      status: 'pending',
      attempt_count: 1,
      next_attempt_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      created_at: expect.any(String),
      finished_at: null,
      attempts: [ATTEMPT],
    });
    expect(Date.parse(pending?.next_attempt_at ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
    expect(finished).toMatchObject({ status: 'failed', next_attempt_at: null });
    expect(finished?.finished_at).not.toBeNull();
  });

  it('lists the deliveries of one endpoint page by page, by status', async () => {
    const [endpoint, other] = [await createEndpoint(), await createEndpoint()];
    const ids: string[] = [];
    for (const status of ['failed', 'delivered', 'failed', 'cancelled'])
      ids.unshift((await insert(endpoint.id, { status })).id);
    await insert(other.id);
    await insert(endpoint.id, { channel: 'email' });
    const first = (await list(endpoint.id, { limit: '3' })).body;
    const cursor = String(first.pagination.next_cursor);
    const second = (await list(endpoint.id, { cursor })).body;
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.pagination.has_more).toBe(false);
    const failed = (await list(endpoint.id, { status: 'failed' })).body.data;
    expect(failed.map(({ id }) => id)).toEqual([ids[1], ids[3]]);
    expectProblem(await list(endpoint.id, { status: 'failed', cursor }), 400, 'invalid_cursor');
    expectProblem(await list(other.id, { cursor }), 400, 'invalid_cursor');
  });

  it('returns 404 for an endpoint that does not exist, is deleted, or is inaccessible', async () => {
    const { id } = await createEndpoint();
    await insert(id);
    for (const key of await otherKeys()) expectProblem(await list(id, {}, key), 404, 'not_found');
    expectProblem(await list(UNKNOWN_ID), 404, 'not_found');
    await ask('DELETE', `/${id}`);
    expectProblem(await list(id), 404, 'not_found');
  });

  it.each([
    ['', 'deliveries_endpoint_idx'],
    [`AND status = 'failed'`, 'deliveries_status_idx'],
  ])('uses the index of an endpoint %s: %s', async (condition, index) => {
    const { id } = await createEndpoint();
    // With few rows, both indexes cost the same.
    await server.sql(
      `INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, status, due_at, finished_at)
       SELECT gen_random_uuid(), $1, $2, 'webhook', gen_random_uuid(), $3, 'delivered', now(), now()
         FROM generate_series(1, 1000)`,
      [tenant.organization_id, tenant.project_id, id],
    );
    await server.vacuum('deliveries');
    const plan = await server.app.get(DataSource).transaction(async (manager) => {
      for (const way of ['seqscan', 'bitmapscan', 'sort'])
        await manager.query(`SET LOCAL enable_${way} = off`);
      return JSON.stringify(
        await manager.query(
          `EXPLAIN SELECT id FROM deliveries WHERE organization_id = $1 AND recipient_id = $2 AND channel = 'webhook' ${condition}
             ORDER BY created_at DESC, id DESC LIMIT 25`,
          [tenant.organization_id, id],
        ),
      );
    });
    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Sort|Filter/);
  });
});

describe('POST /v1/deliveries/{id}/retry', () => {
  it.each(['failed', 'delivered', 'cancelled'])('makes a %s delivery due now', async (status) => {
    const { id: endpoint_id } = await createEndpoint();
    const { id } = await insert(endpoint_id, { status, attempts: 10 });
    const answer = await retry(id);
    expect(answer.status).toBe(200);
    const { next_attempt_at, ...delivery } = answer.body.data;
    expect(Math.abs(Date.parse(next_attempt_at ?? '') - Date.now())).toBeLessThan(10_000);
    expect(delivery).toMatchObject({ id, status: 'pending', attempt_count: 0, finished_at: null });
    expect(delivery.attempts).toEqual([ATTEMPT]);
    expect(await one(endpoint_id, id)).toEqual(answer.body.data);
    expect(await deliveries().claim('webhook', 100)).toContainEqual(
      expect.objectContaining({ id, attempts: 1 }),
    );
  });

  it('makes a pending delivery due now if its next attempt is later', async () => {
    const { id: endpoint_id } = await createEndpoint();
    const { id } = await insert(endpoint_id, { status: 'pending', attempts: 4, due_at: IN_AN_HOUR });
    const { next_attempt_at, attempt_count } = (await retry(id)).body.data;
    expect(Date.parse(next_attempt_at ?? '')).toBeLessThan(Date.now() + 10_000);
    expect(attempt_count).toBe(0);
  });

  it('returns 409 for a delivery that is in flight, and does not change it', async () => {
    const { id: endpoint_id } = await createEndpoint();
    const { id } = await insert(endpoint_id, { status: 'pending', attempts: 0 });
    const claimed = (await deliveries().claim('webhook', 100)).find((delivery) => delivery.id === id);
    const before = await one(endpoint_id, id);
    expectProblem(await retry(id), 409, 'conflict');
    expect(await one(endpoint_id, id)).toEqual(before);
    if (!claimed) throw new Error('not claimed');
    expect(await results().settle([delivered(claimed)])).toEqual([id]);
    expect((await retry(id)).status).toBe(200);
  });

  it('invalidates the result of an earlier attempt', async () => {
    const { id: endpoint_id } = await createEndpoint();
    const { id } = await insert(endpoint_id, { status: 'pending', attempts: 0 });
    const claimed = (await deliveries().claim('webhook', 100)).find((delivery) => delivery.id === id);
    if (!claimed) throw new Error('not claimed');
    await results().settle([delivered(claimed)]);
    await retry(id);
    expect(await results().settle([delivered(claimed)])).toEqual([]);
    expect((await one(endpoint_id, id)).status).toBe('pending');
  });

  it('keeps the last 10 attempts', async () => {
    const { id: endpoint_id } = await createEndpoint();
    const { id } = await insert(endpoint_id, { status: 'failed', attempt_log: [] });
    for (let number = 1; number <= 12; number++) {
      await retry(id);
      const claimed = (await deliveries().claim('webhook', 100)).find((delivery) => delivery.id === id);
      if (!claimed) throw new Error('not claimed');
      const attempt = { ...ATTEMPT, duration_ms: number };
      await results().settle([{ ...delivered(claimed), status: 'failed', attempt }]);
    }
    const { attempts, attempt_count } = await one(endpoint_id, id);
    expect(attempts.map(({ duration_ms }) => duration_ms)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(attempt_count).toBe(1);
  });

  it('returns 409 if the endpoint is disabled', async () => {
    const { id: endpoint_id } = await createEndpoint({ status: 'disabled' });
    const { id } = await insert(endpoint_id);
    expect(expectProblem(await retry(id), 409, 'conflict').detail).toContain('disabled');
  });

  it('returns 404 for a delivery that does not exist, is inaccessible, or is mail', async () => {
    const { id: endpoint_id } = await createEndpoint();
    const { id } = await insert(endpoint_id);
    for (const key of await otherKeys()) expectProblem(await retry(id, key), 404, 'not_found');
    const { id: mail } = await insert(endpoint_id, { channel: 'email' });
    for (const other of [UNKNOWN_ID, mail]) expectProblem(await retry(other), 404, 'not_found');
    await ask('DELETE', `/${endpoint_id}`);
    expectProblem(await retry(id), 404, 'not_found');
  });
});

function delivered(delivery: ClaimedDelivery) {
  return { delivery, status: 'delivered' as const, after_ms: 0, error: null, is_begun: true };
}
