import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { until, useTenant, useTestServer } from '../support/server.js';
import { DELIVERING, useWebhooks } from './use-webhooks.js';

const server = useTestServer(DELIVERING);
const tenant = useTenant(server);
const other = useTenant(server);
const webhooks = useWebhooks(server, tenant);
const neighbor = useWebhooks(server, other);

/** Responses that have not ended. */
const open: ServerResponse[] = [];
afterEach(() => {
  for (const response of open.splice(0)) response.destroy();
});

const times = (count: number) => Array.from({ length: count }, (_, number) => number);

it('100 endpoints that hang do not delay the webhooks of another organization', async () => {
  for (const _ of times(100)) await webhooks.endpoint({ event_types: ['incident.created'] });
  const endpoint = await neighbor.endpoint();
  webhooks.receiver.respond = (response) => void open.push(response);
  for (const _ of times(5)) await webhooks.incident();
  await until(async () => webhooks.receiver.received.length >= 50);
  const startedAt = performance.now();
  for (const _ of times(3)) await neighbor.incident();
  await neighbor.receiver.bodies(endpoint.path, 3);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  // They get two places for each one of the 75 that stays free.
  expect(webhooks.receiver.received.length).toBeLessThanOrEqual(75);
});

it('an endpoint that has hung gets its queue soon after it works again', async () => {
  const endpoint = await webhooks.endpoint();
  webhooks.receiver.respond = (response) => void open.push(response);
  for (const _ of times(10)) await webhooks.incident();
  await until(async () => webhooks.receiver.at(endpoint.path).length === 8);
  webhooks.receiver.respond = (response) => void response.writeHead(204).end();
  for (const response of open.splice(0)) response.writeHead(500).end();
  const startedAt = performance.now();
  const ids = () => new Set(webhooks.receiver.at(endpoint.path).map(({ headers }) => headers['webhook-id']));
  await until(async () => ids().size === 10);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it.each([[410], [500]])('a late %i of a former URL does not affect the endpoint', async (status) => {
  const endpoint = await webhooks.endpoint();
  webhooks.receiver.respond = (response) => void open.push(response);
  await webhooks.incident();
  await until(async () => open.length === 1);
  const path = `/${randomUUID()}`;
  await webhooks.send('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { url: webhooks.receiver.url(path) });
  open[0]?.writeHead(status).end();
  await until(async () => (await webhooks.deliveries(endpoint))[0]?.attempt_log.length === 1);
  expect(await webhooks.storedEndpoint(endpoint)).toMatchObject({ status: 'enabled', failing_since: null });
});
