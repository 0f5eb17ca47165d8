import { describe, expect, it } from 'vitest';
import { until, useTenant, useTestServer } from '../support/server.js';
import { DELIVERING, useWebhooks } from './use-webhooks.js';

const server = useTestServer(DELIVERING);
const tenant = useTenant(server);
const webhooks = useWebhooks(server, tenant);

const idsAt = (path: string) => webhooks.receiver.at(path).map(({ headers }) => headers['webhook-id']);

describe('a message that is sent again', () => {
  it('keeps its webhook-id in a retry, which finishes the delivery', async () => {
    webhooks.receiver.respond = (response) => response.writeHead(500).end();
    const endpoint = await webhooks.endpoint();
    await webhooks.incident();
    await until(async () => (await webhooks.deliveries(endpoint))[0]?.attempt_log.length === 1);
    webhooks.receiver.respond = (response) => response.writeHead(200).end();
    const [delivery] = await webhooks.deliveries(endpoint);
    await server.sql(`UPDATE deliveries SET due_at = now() + interval '5 minutes' WHERE id = $1`, [
      delivery?.id,
    ]);
    await webhooks.send('POST', `/v1/deliveries/${delivery?.id}/retry`);
    await until(async () => (await webhooks.deliveries(endpoint))[0]?.status === 'delivered');
    expect(idsAt(endpoint.path)).toEqual([delivery?.event_id, delivery?.event_id]);
    const path = `/v1/deliveries?endpoint_id=${endpoint.id}`;
    const [listed] = await webhooks.send<{ attempt_count: number; attempts: { status_code: number }[] }[]>(
      'GET',
      path,
    );
    expect(listed?.attempt_count).toBe(1);
    expect(listed?.attempts.map(({ status_code }) => status_code)).toEqual([500, 200]);
  });

  it('keeps its webhook-id in a replay, even if it was delivered', async () => {
    const endpoint = await webhooks.endpoint({ event_types: ['incident.created'] });
    const { id } = await webhooks.incident();
    await until(async () => (await webhooks.deliveries(endpoint))[0]?.status === 'delivered');
    const [event] = await webhooks.stored(id);
    const since = event?.created_at.toISOString();
    const replay = `/v1/webhook-endpoints/${endpoint.id}/replay`;
    expect(await webhooks.send('POST', replay, { since })).toEqual({ since, deliveries: 1 });
    await until(async () => idsAt(endpoint.path).length === 2);
    expect(new Set(idsAt(endpoint.path)).size).toBe(1);
  });

  it('includes events that the endpoint has missed while it was disabled', async () => {
    const endpoint = await webhooks.endpoint({ event_types: ['incident.created'], status: 'disabled' });
    const { id } = await webhooks.incident();
    const [event] = await webhooks.stored(id);
    // As if its deliveries had been created, which happens after NOTIFY_DELAY.
    await server.sql('UPDATE events SET due_at = NULL WHERE resource_id = $1', [id]);
    await webhooks.send('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { status: 'enabled' });
    await webhooks.send('POST', `/v1/webhook-endpoints/${endpoint.id}/replay`, {
      since: event?.created_at.toISOString(),
    });
    const [body] = await webhooks.receiver.bodies(endpoint.path, 1);
    expect(body?.data.id).toBe(id);
  });

  it('skips a deleted endpoint, whose pending deliveries are cancelled', async () => {
    webhooks.receiver.respond = (response) => response.writeHead(500).end();
    const endpoint = await webhooks.endpoint();
    await webhooks.incident();
    await until(async () => (await webhooks.deliveries(endpoint))[0]?.attempt_log.length === 1);
    await webhooks.send('DELETE', `/v1/webhook-endpoints/${endpoint.id}`);
    await webhooks.makeDue(endpoint);
    await until(async () => (await webhooks.deliveries(endpoint))[0]?.status === 'cancelled');
    expect(webhooks.receiver.at(endpoint.path)).toHaveLength(1);
  });
});
