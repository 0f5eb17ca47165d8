import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo, createDatabase, type TestDatabase } from '../support/database.js';
import { cli, type Program, startProgram, stop } from '../support/process.js';
import { attributesOf, type CollectedSpan, Collector } from './collector.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const canary = `Cnry${randomBytes(12).toString('hex')}`;

let collector: Collector;
let endpoint: string;
let database: TestDatabase;
let key: string;
let project: string;
beforeAll(async () => {
  collector = new Collector();
  endpoint = await collector.listen();
  database = await createDatabase();
  const { stdout } = await cli(database.env, 'demo', '--pages', '1');
  ({ key, project_id: project } = JSON.parse(stdout));
});
afterAll(async () => {
  collector.close();
  await database.drop();
});

/** Runs a server that exports only at shutdown. Returns its output. */
async function run(
  env: Record<string, string>,
  work: (server: Program & { url: string }) => Promise<void>,
): Promise<string> {
  const server = await startProgram({
    ...database.env,
    DEMO: 'false',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    ...env,
  });
  try {
    await work(server);
    await stop(server);
  } finally {
    server.kill('SIGKILL');
  }
  return server.stdout;
}

async function ask(url: string, init: RequestInit = {}): Promise<number> {
  const answer = await fetch(url, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });
  await answer.arrayBuffer();
  return answer.status;
}

const traced = (sampled: '00' | '01'): Record<string, string> => ({
  traceparent: `00-${TRACE}-${PARENT}-${sampled}`,
});

/** The names of a span and its ancestors. */
function wayOf(span: CollectedSpan | undefined): string[] {
  if (!span) return [];
  return [...wayOf(collector.spans.find(({ spanId }) => spanId === span.parentSpanId)), span.name];
}

describe('traces', () => {
  it('contain the request, its operation and its statements', async () => {
    const log = await run(
      { OTEL_SERVICE_NAME: 'pages-of-acme', OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme' },
      async ({ url }) => {
        const headers = { ...traced('01'), 'Content-Type': 'application/json' };
        const body = JSON.stringify({ project_id: project, name: canary });
        expect(await ask(`${url}/v1/monitors`, { method: 'POST', headers, body })).toBe(201);
        expect(await ask(`${url}/v1/monitors?project_id=${project}`, { headers: traced('01') })).toBe(200);
        expect(await ask(`${url}/v1/monitors/${canary}?x=${canary}`, { headers: traced('01') })).toBe(400);
      },
    );
    const { spans } = collector;
    expect(collector.resource).toMatchObject({ 'service.name': 'pages-of-acme', 'service.version': '0.1.0' });
    expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'acme' });
    const servers = spans.filter(({ kind }) => kind === 2);
    expect(servers.map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId])).toEqual(
      ['POST /v1/monitors', 'GET /v1/monitors', 'GET /v1/monitors/{id}'].map((name) => [name, TRACE, PARENT]),
    );
    expect(servers.map(attributesOf)).toMatchObject([
      { 'http.request.method': 'POST', 'http.route': '/v1/monitors', 'http.response.status_code': 201 },
      { 'http.request.method': 'GET', 'http.route': '/v1/monitors', 'http.response.status_code': 200 },
      { 'http.route': '/v1/monitors/{id}', 'error.type': 'validation_failed' },
    ]);
    const ways = spans.filter(({ kind }) => kind === 3).map((span) => wayOf(span).join(' > '));
    expect(ways).toContain('POST /v1/monitors > SELECT api_keys');
    expect(ways).toContain('POST /v1/monitors > createMonitor > INSERT monitors');
    expect(ways).toContain('GET /v1/monitors > listMonitors > SELECT monitors');
    const insert = spans.find(({ name }) => name === 'INSERT monitors');
    expect(insert && attributesOf(insert)).toMatchObject({
      'db.system.name': 'postgresql',
      'db.operation.name': 'INSERT',
      'db.query.summary': 'INSERT monitors',
      'db.query.text': expect.stringMatching(/INSERT INTO "?monitors"?.*\$1/),
    });
    expect(log).toContain(`"trace_id":"${TRACE}"`);
    for (const secret of [canary, key, key.slice(3, 20), project])
      expect(collector.bodies.join('')).not.toContain(secret);
  });

  it("continue in the response, whose traceparent identifies the request's span", async () => {
    const before = collector.spans.length;
    const found: [number, string | null][] = [];
    await run({}, async ({ url }) => {
      const requests: [string, Record<string, string>][] = [
        ['/v1/me', { ...traced('01'), Authorization: `Bearer ${key}` }],
        ['/v1/me', {}],
        ['/v1/projects', { ...traced('00'), Authorization: `Bearer ${key}` }],
      ];
      for (const [path, headers] of requests) {
        const answer = await fetch(url + path, { headers });
        await answer.arrayBuffer();
        found.push([answer.status, answer.headers.get('traceparent')]);
      }
    });
    const [first, second] = collector.spans.slice(before).filter(({ kind }) => kind === 2);
    expect(found).toEqual([
      [200, `00-${TRACE}-${first?.spanId}-01`],
      [401, `00-${second?.traceId}-${second?.spanId}-01`],
      [200, expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))],
    ]);
  });

  it('contain the SQLSTATE of a failed statement and mark server errors', async () => {
    const before = collector.spans.length;
    await run({}, async ({ url }) => {
      const client = await connectTo(database);
      await client.query('ALTER TABLE monitors RENAME TO renamed');
      expect(await ask(`${url}/v1/monitors?project_id=${project}`)).toBe(500);
      await client.query('ALTER TABLE renamed RENAME TO monitors');
      await client.end();
      expect(await ask(`${url}/v1/monitors`)).toBe(400);
    });
    const spans = collector.spans.slice(before);
    const failed = (name: string) =>
      spans
        .filter((span) => span.name === name)
        .map((span) => [span.status.code, attributesOf(span)['error.type']]);
    expect(failed('SELECT monitors')).toEqual([[2, '42P01']]);
    expect(failed('GET /v1/monitors')).toEqual([
      [2, 'internal_error'],
      [expect.toSatisfy((code) => code !== 2), 'validation_failed'],
    ]);
  });

  it('add no traceparent to public pages, which browsers and proxies cache', async () => {
    const before = collector.spans.length;
    await run({}, async ({ url }) => {
      const list = await fetch(`${url}/v1/status-pages?project_id=${project}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      const { data }: { data: { slug: string }[] } = JSON.parse(await list.text());
      for (const part of ['', '', '/feed.rss', '/badge.svg']) {
        const answer = await fetch(`${url}/status/${data[0]?.slug}${part}`, { headers: traced('01') });
        await answer.arrayBuffer();
        expect([part, answer.status, answer.headers.get('traceparent')]).toEqual([part, 200, null]);
      }
    });
    const visits = collector.spans.slice(before).filter(({ name }) => name.startsWith('GET /status/{slug}'));
    expect(visits.map(({ traceId }) => traceId)).toEqual([TRACE, TRACE, TRACE, TRACE]);
  });

  it('do not mix concurrent requests', async () => {
    const before = collector.spans.length;
    await run({}, async ({ url }) => {
      const lists = Array.from({ length: 12 }, () => ask(`${url}/v1/monitors?project_id=${project}`));
      const ones = Array.from({ length: 12 }, () => ask(`${url}/v1/projects`));
      expect(new Set(await Promise.all([...lists, ...ones]))).toEqual(new Set([200]));
    });
    const spans = collector.spans.slice(before);
    const parents = new Map(spans.map((span) => [span.spanId, span]));
    const statements = spans.filter(({ name }) => name === 'SELECT monitors' || name === 'SELECT projects');
    const owners = statements.map(
      ({ name, parentSpanId = '' }) => `${parents.get(parentSpanId)?.name}: ${name}`,
    );
    expect(owners.filter((owner) => owner === 'listMonitors: SELECT monitors')).toHaveLength(12);
    expect(owners.filter((owner) => owner === 'listProjects: SELECT projects')).toHaveLength(12);
    const used = statements
      .filter(({ name }) => name === 'SELECT monitors')
      .map(({ parentSpanId }) => parentSpanId);
    expect(new Set(used).size).toBe(12);
  });

  it("follow OTEL_TRACES_SAMPLER and the client's decision", async () => {
    const before = collector.spans.length;
    const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const log = await run(env, async ({ url }) => {
      await ask(`${url}/v1/me`);
      await ask(`${url}/v1/projects`, { headers: traced('00') });
      await ask(`${url}/v1/monitors?project_id=${project}`, { headers: traced('01') });
    });
    const names = collector.spans.slice(before).filter(({ kind }) => kind === 2);
    expect(names.map(({ name }) => name)).toEqual(['GET /v1/monitors']);
    expect(log.match(/"trace_id":"[0-9a-f]{32}"/g)).toHaveLength(3);
  });

  it('do not delay requests or shutdown if the collector is unavailable', async () => {
    await run(
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_BSP_SCHEDULE_DELAY: '50' },
      async ({ url }) => {
        for (let count = 0; count < 20; count++) expect(await ask(`${url}/v1/me`)).toBe(200);
      },
    );
  });
});
