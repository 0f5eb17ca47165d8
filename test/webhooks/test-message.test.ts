import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewWebhookEndpoint, WebhookTest } from '../../clients/typescript/src/index.js';
import { freePort } from '../support/free-port.js';
import { expectProblem } from '../support/expectations.js';
import { type One, until, useTenant, useTestServer } from '../support/server.js';
import { Receiver } from './http-receiver.js';

const server = useTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', DATABASE_POOL_SIZE: '2' });
const tenant = useTenant(server);
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

async function create(url: string, fields: object = {}, of = tenant): Promise<NewWebhookEndpoint> {
  const json = { project_id: of.project_id, url, ...fields };
  const answer = await server.ask<One<NewWebhookEndpoint>>('/v1/webhook-endpoints', {
    method: 'POST',
    key: of.key,
    json,
  });
  expect(answer.status).toBe(201);
  return answer.body.data;
}

const test = (id: string, headers: Record<string, string> = {}, key = tenant.key) =>
  server.ask<One<WebhookTest>>(`/v1/webhook-endpoints/${id}/test`, { method: 'POST', key, headers });

describe('POST /v1/webhook-endpoints/{id}/test', () => {
  it('sends a signed `webhook.test`, and returns the response', async () => {
    receiver.respond = (response) => response.writeHead(202).end('accepted');
    const { id, secret } = await create(receiver.url());
    const { status, body } = await test(id);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      status_code: 202,
      duration_ms: expect.any(Number),
      response: 'accepted',
      error: null,
    });
    const request = receiver.requests.at(-1);
    const headers = Object.fromEntries(
      Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const message = new Webhook(secret).verify(request?.body ?? '', headers);
    expect(message).toMatchObject({ type: 'webhook.test', data: { id } });
    expect(JSON.stringify(message)).not.toContain('whsec_');
    expect(await server.sql('SELECT FROM deliveries')).toEqual([]);
  });

  it('signs with the former secret as well after a rotation', async () => {
    const { id, secret } = await create(receiver.url());
    await server.ask(`/v1/webhook-endpoints/${id}/rotate-secret`, { method: 'POST', key: tenant.key });
    await test(id);
    const { headers = {}, body = '' } = receiver.requests.at(-1) ?? {};
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    expect(() => new Webhook(secret).verify(body, Object.fromEntries(named))).not.toThrow();
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
  });

  it('sends a message of a chat in its format, even to a disabled endpoint', async () => {
    const { id } = await create(receiver.url(), { format: 'slack', status: 'disabled' });
    expect((await test(id)).body.data.error).toBeNull();
    expect(JSON.parse(receiver.requests.at(-1)?.body ?? '')).toHaveProperty('text');
  });

  it('returns 200 with the reason if the endpoint fails', async () => {
    receiver.respond = (response) => response.writeHead(500).end('broken');
    const failed = await test((await create(receiver.url())).id);
    expect(failed.status).toBe(200);
    expect(failed.body.data).toMatchObject({ status_code: 500, response: 'broken', error: 'status 500' });
    const closed = await test((await create(`http://127.0.0.1:${await freePort()}/`)).id);
    expect(closed.status).toBe(200);
    expect(closed.body.data).toMatchObject({ status_code: null, response: null, error: expect.any(String) });
    const { id } = await create('https://localhost/');
    await server.sql('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [id, 'https://10.0.0.1/']);
    expect((await test(id)).body.data.error).toContain('not public');
  });

  it('leaves `failing_since` and the version of the endpoint unchanged', async () => {
    receiver.respond = (response) => response.writeHead(410).end();
    const { id, updated_at } = await create(receiver.url());
    await test(id);
    const { body } = await server.ask<One<object>>(`/v1/webhook-endpoints/${id}`, { key: tenant.key });
    expect(body.data).toMatchObject({ status: 'enabled', failing_since: null, updated_at });
  });

  it('holds neither a slot nor a database connection while it waits', async () => {
    const waiting: (() => void)[] = [];
    receiver.respond = (response) => waiting.push(() => response.end());
    const { id } = await create(receiver.url());
    const tests = [1, 2, 3, 4].map((number) =>
      test(id, number < 4 ? { 'Idempotency-Key': `test-${number}` } : {}),
    );
    await until(async () => waiting.length === 4);
    const startedAt = performance.now();
    expect((await create(receiver.url())).status).toBe('enabled');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    for (const respond of waiting) respond();
    expect((await Promise.all(tests)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('sends one message for repeated requests with the same Idempotency-Key', async () => {
    receiver.respond = (response) => response.end('ok');
    const { id } = await create(receiver.url());
    const before = receiver.requests.length;
    const [first, second] = [
      await test(id, { 'Idempotency-Key': 'once' }),
      await test(id, { 'Idempotency-Key': 'once' }),
    ];
    expect(second.text).toBe(first.text);
    expect(receiver.requests.length).toBe(before + 1);
  });

  it('returns 429 after 10 tests of an endpoint in a minute', async () => {
    const [{ id }, other] = [await create(receiver.url()), await create(receiver.url())];
    for (let count = 0; count < 10; count++) expect((await test(id)).status).toBe(200);
    const rejected = await test(id);
    expectProblem(rejected, 429, 'rate_limited');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await test(other.id)).status).toBe(200);
  });

  it('returns 404 if the key cannot access the endpoint, and sends nothing', async () => {
    const { id } = await create(receiver.url());
    const before = receiver.requests.length;
    const other = await server.tenant();
    const narrowed = await server.key(tenant.organization_id, { project_ids: [other.project_id] });
    for (const { key } of [other, narrowed]) expectProblem(await test(id, {}, key), 404, 'not_found');
    expect(receiver.requests.length).toBe(before);
  });

  it('returns 409 if the secret cannot be decrypted', async () => {
    const { id } = await create(receiver.url());
    await server.sql('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [id, Buffer.alloc(90, 1)]);
    expect(expectProblem(await test(id), 409, 'conflict').detail).toContain('Rotate the secret');
  });
});
