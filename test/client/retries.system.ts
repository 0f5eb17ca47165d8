import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.js';

describe('client', () => {
  type Answering = (request: IncomingMessage, response: ServerResponse) => void;
  let close: () => void = () => undefined;
  afterEach(() => close());

  /** A server that returns the given responses in turn, then 200, and records each request with its time. */
  async function answering(...answers: Answering[]) {
    const asked: { method: string | undefined; body: string; at: number; idempotencyKey: unknown }[] = [];
    const listener = createServer(async (request, response) => {
      const answer = answers[asked.length];
      const { method, headers } = request;
      const entry = { method, body: '', at: Date.now(), idempotencyKey: headers['idempotency-key'] };
      asked.push(entry);
      for await (const chunk of request.setEncoding('utf8')) entry.body += chunk;
      if (answer) return answer(request, response);
      response.setHeader('Content-Type', 'application/json').end('{"data":{"id":"x"}}');
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    close = () => listener.close();
    const address = listener.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sp_x', maxRetryAfter: 5 });
    return { client, asked };
  }

  const refuse =
    (status: number, retryAfter?: string): Answering =>
    (_request, response) => {
      if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
      response.writeHead(status).end();
    };

  it.each([429, 503])('retries after %i and the seconds in Retry-After', async (status) => {
    const { client, asked } = await answering(refuse(status, '1'), refuse(status, '1'));
    expect(await client.statusPages.update('x', { name: 'Again' })).toEqual({ id: 'x' });
    expect(asked.map(({ method, body }) => [method, body])).toEqual(
      Array.from({ length: 3 }, () => ['PATCH', '{"name":"Again"}']),
    );
    const [first, second, third] = asked.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(990);
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(990);
  });

  it('retries at the date in Retry-After', async () => {
    const date = new Date(Date.now() + 2_000);
    const { client, asked } = await answering(refuse(503, date.toUTCString()));
    await client.statusPages.get('x');
    expect(asked[1]?.at).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1000) * 1000 - 10);
  });

  it('retries a little later without Retry-After', async () => {
    const { client, asked } = await answering(refuse(503), refuse(503));
    await client.statusPages.get('x');
    const [first, second, third] = asked.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(490);
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(990);
  });

  it('throws after the last retry, or if the wait would be too long', async () => {
    const always = await answering(...Array.from({ length: 9 }, () => refuse(503, '0')));
    await expect(always.client.statusPages.get('x')).rejects.toMatchObject({ status: 503, code: undefined });
    expect(always.asked).toHaveLength(5);
    const long = await answering(refuse(429, '6'));
    await expect(long.client.statusPages.get('x')).rejects.toMatchObject({ status: 429, retryAfter: 6 });
    expect(long.asked).toHaveLength(1);
  });

  it.each([429, 503, 409])('retries a POST after %i with the same Idempotency-Key', async (status) => {
    const { client, asked } = await answering(refuse(status, '0'));
    await client.projects.create({ name: 'Once' });
    expect(asked.map(({ body }) => body)).toEqual(['{"name":"Once"}', '{"name":"Once"}']);
    const [first, second] = asked.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    await client.projects.create({ name: 'Other' });
    expect(asked[2]?.idempotencyKey).not.toBe(first);
  });

  it("keeps the caller's Idempotency-Key of a POST", async () => {
    const { client, asked } = await answering();
    const headers = { 'Idempotency-Key': 'mine' };
    await client.http.POST('/v1/projects', { body: { name: 'Once' }, headers });
    expect(asked.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['mine']);
  });

  it('never retries a change with If-Match after 503', async () => {
    const changed = await answering(refuse(503, '0'));
    const conditional = changed.client.monitors.update('x', {}, { ifUnchanged: '2026-11-20T12:00:00.000Z' });
    await expect(conditional).rejects.toMatchObject({ status: 503 });
    expect(changed.asked).toHaveLength(1);
  });

  it('stops retrying if its signal is aborted', async () => {
    const { client, asked } = await answering(refuse(503, '5'));
    const stop = new AbortController();
    const asking = client.http.GET('/v1/me', { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(asking).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });

  it.each([400, 401, 404, 409, 412, 500, 502])('never retries after %i', async (status) => {
    const { client, asked } = await answering(refuse(status, '0'));
    await expect(client.statusPages.get('x')).rejects.toMatchObject({ status });
    expect(asked).toHaveLength(1);
  });
});
