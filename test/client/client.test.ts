import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createClient,
  type Page,
  type StatusPage,
  StatusPagesError,
} from '../../clients/typescript/src/index.js';
import { type Tenant, useTestServer } from '../support/server.js';

describe('the types of the client', () => {
  it('are those of openapi.json (after a change: npx vitest run test/client/client.test.ts --update)', async () => {
    const document = await readFile('openapi.json', 'utf8');
    const { info }: { info: { version: string } } = JSON.parse(document);
    const sha256 = createHash('sha256').update(document).digest('hex');
    const source = `/** From openapi.json: version ${info.version} of the API, SHA-256 of the document ${sha256}. */\n`;
    const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
    const file = '../../clients/typescript/src/schema.ts';
    await expect(`${COMMENT_HEADER}${source}${types}`).toMatchFileSnapshot(file);
  });
});

describe('a list of the client', () => {
  const server = useTestServer();
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await server.tenant();
    for (let number = 0; number < 7; number++) await server.page(tenant);
  });

  it('goes over every item of every page, and over the pages, and again from the start', async () => {
    const { project_id, key } = tenant;
    const list = server.client(key).statusPages.list({ project_id, limit: 3 });
    const { body } = await server.list(tenant);
    for (let times = 0; times < 2; times++) {
      expect((await list.toArray()).map(({ id }) => id)).toEqual(body.data.map(({ id }) => id));
    }
    const pages: Page<StatusPage>[] = [];
    for await (const page of list.pages()) pages.push(page);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1]);
    expect(pages.map(({ pagination }) => pagination.has_more)).toEqual([true, true, false]);
  });

  it('reads no more pages than are iterated', async () => {
    const { project_id, key } = tenant;
    const asked: string[] = [];
    const client = createClient({
      baseUrl: server.url,
      apiKey: key,
      fetch: (request) => {
        asked.push(request.url);
        return fetch(request);
      },
    });
    for await (const page of client.statusPages.list({ project_id, limit: 2 })) {
      expect(page.project_id).toBe(project_id);
      break;
    }
    expect(asked).toHaveLength(1);
  });

  it('of a project that there is not fails with the error of the API', async () => {
    const project_id = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const failing = server.client(tenant.key).statusPages.list({ project_id }).toArray();
    await expect(failing).rejects.toBeInstanceOf(StatusPagesError);
    await expect(failing).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      message: '404 not_found: There is no such project',
    });
  });

  it('names in its error each bad field', async () => {
    const failing = server.client(tenant.key).statusPages.create({ project_id: 'x', name: '' });
    await expect(failing).rejects.toMatchObject({
      problem: { errors: [{ pointer: '#/project_id' }, { pointer: '#/name' }] },
      message:
        '400 validation_failed: 2 fields are not valid; #/project_id must be a UUID; #/name must have 1 to 200 characters',
    });
  });
});

describe('a request that is answered 429 or 503', () => {
  type Answering = (request: IncomingMessage, response: ServerResponse) => void;
  let close: () => void = () => undefined;
  afterEach(() => close());

  /** A server that answers as told, in turn, and then 200; with what it was asked, and when. */
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

  it.each([429, 503])('%i is sent again after as many seconds as Retry-After says', async (status) => {
    const { client, asked } = await answering(refuse(status, '1'), refuse(status, '1'));
    expect(await client.statusPages.update('x', { name: 'Again' })).toEqual({ id: 'x' });
    expect(asked.map(({ method, body }) => [method, body])).toEqual(
      Array.from({ length: 3 }, () => ['PATCH', '{"name":"Again"}']),
    );
    const [first, second, third] = asked.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(990);
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(990);
  });

  it('is sent again at the date that Retry-After says', async () => {
    const date = new Date(Date.now() + 2_000);
    const { client, asked } = await answering(refuse(503, date.toUTCString()));
    await client.statusPages.get('x');
    expect(asked[1]?.at).toBeGreaterThanOrEqual(Math.floor(date.getTime() / 1000) * 1000 - 10);
  });

  it('is sent again without Retry-After, too, a little later', async () => {
    const { client, asked } = await answering(refuse(503), refuse(503));
    await client.statusPages.get('x');
    const [first, second, third] = asked.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(490);
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(990);
  });

  it('fails in the end, or at once when the wait would be too long', async () => {
    const always = await answering(...Array.from({ length: 9 }, () => refuse(503, '0')));
    await expect(always.client.statusPages.get('x')).rejects.toMatchObject({ status: 503, code: undefined });
    expect(always.asked).toHaveLength(5);
    const long = await answering(refuse(429, '6'));
    await expect(long.client.statusPages.get('x')).rejects.toMatchObject({ status: 429, retryAfter: 6 });
    expect(long.asked).toHaveLength(1);
  });

  it.each([429, 503, 409])(
    'and is a POST is sent again after %i, with the same Idempotency-Key',
    async (status) => {
      const { client, asked } = await answering(refuse(status, '0'));
      await client.projects.create({ name: 'Once' });
      expect(asked.map(({ body }) => body)).toEqual(['{"name":"Once"}', '{"name":"Once"}']);
      const [first, second] = asked.map(({ idempotencyKey }) => idempotencyKey);
      expect(first).toMatch(/^[0-9a-f-]{36}$/);
      expect(second).toBe(first);
      await client.projects.create({ name: 'Other' });
      expect(asked[2]?.idempotencyKey).not.toBe(first);
    },
  );

  it('and is a POST keeps the Idempotency-Key that it has', async () => {
    const { client, asked } = await answering();
    const headers = { 'Idempotency-Key': 'mine' };
    await client.http.POST('/v1/projects', { body: { name: 'Once' }, headers });
    expect(asked.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['mine']);
  });

  it('and changes one version is not sent again after 503: it may have been done', async () => {
    const changed = await answering(refuse(503, '0'));
    const conditional = changed.client.monitors.update('x', {}, { ifUnchanged: '2026-11-20T12:00:00.000Z' });
    await expect(conditional).rejects.toMatchObject({ status: 503 });
    expect(changed.asked).toHaveLength(1);
  });

  it('is given up when its signal is aborted', async () => {
    const { client, asked } = await answering(refuse(503, '5'));
    const stop = new AbortController();
    const asking = client.http.GET('/v1/me', { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(asking).rejects.toThrow('enough');
    expect(asked).toHaveLength(1);
  });

  it.each([400, 401, 404, 409, 412, 500, 502])('but %i is never sent again', async (status) => {
    const { client, asked } = await answering(refuse(status, '0'));
    await expect(client.statusPages.get('x')).rejects.toMatchObject({ status });
    expect(asked).toHaveLength(1);
  });
});
