import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import prom from 'prom-client';
import { expect, describe, it } from 'vitest';
import { generateToken } from '../../src/platform/auth/token-format.js';
import { whileLocked } from '../support/database.js';
import { sendRaw } from '../support/raw-connection.js';
import { useAdmin } from './use-admin.js';

const server = useAdmin({ RATE_LIMIT: '50' });

async function metrics(): Promise<string> {
  const answer = await fetch(`${server.admin_url}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return answer.text();
}

/** The value of a sample, such as `name{label="value"}`; 0 if it does not exist yet. */
async function valueOf(sample: string): Promise<number> {
  const line = (await metrics()).split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1) ?? 0);
}

/** The increase of a sample during `work`. Waits for the end of its requests, which can follow their responses. */
async function expectGrowth(sample: string, by: number, work: () => Promise<unknown>): Promise<void> {
  const before = await valueOf(sample);
  await work();
  await expect.poll(() => valueOf(sample), { timeout: 10_000 }).toBe(before + by);
}

const requests = (method: string, route: string, status: number | string): string =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${server.key}`, ...init.headers };
  const answer = await fetch(server.program.url + path, { ...init, headers });
  await answer.arrayBuffer();
  return answer;
}

describe('GET /metrics', () => {
  it('returns the default metrics of prom-client, and exactly the metrics that docs/observability.md lists', async () => {
    const text = await metrics();
    const served = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    const registry = new prom.Registry();
    prom.collectDefaultMetrics({ register: registry });
    const defaults = (await registry.getMetricsAsJSON()).map(({ name, type }) => `${name} ${type}`);
    expect(served).toEqual(expect.arrayContaining(defaults));
    const document = readFileSync('docs/observability.md', 'utf8');
    const listed = [...document.matchAll(/^\| `([a-z][a-z0-9_]+)` +\| (counter|gauge|histogram|summary) /gm)];
    expect(listed.map(([, name, type]) => `${name} ${type}`).toSorted()).toEqual(
      served.filter((metric) => !defaults.includes(metric)).toSorted(),
    );
  });

  it('counts requests by method, route pattern and status', async () => {
    await expectGrowth(requests('GET', '/v1/monitors/{id}', 404), 2, async () => {
      for (const id of ['018cc251-f400-7000-8000-000000000001', '018cc251-f400-7000-8000-000000000002'])
        await ask(`/v1/monitors/${id}`);
    });
    await expectGrowth(requests('GET', '/v1/me', 401), 1, () =>
      ask('/v1/me', { headers: { Authorization: '' } }),
    );
    await expectGrowth(requests('HEAD', '/health/live', 200), 1, () =>
      ask('/health/live', { method: 'HEAD' }),
    );
  });

  it('counts all unknown routes, preflights and invalid HTTP under one name', async () => {
    await expectGrowth(requests('GET', 'none', 404), 3, async () => {
      for (const path of ['/nowhere', '/v1/nothing', '/x/y/z']) await ask(path);
    });
    await expectGrowth(requests('OPTIONS', 'none', 204), 1, () => ask('/v1/me', { method: 'OPTIONS' }));
    await expectGrowth(requests('other', 'none', 400), 1, () =>
      sendRaw(server.program.url, 'GARBAGE\r\n\r\n'),
    );
  });

  it('counts unusual methods under one name', async () => {
    for (const method of ['PROPFIND', 'REPORT']) {
      const { status } = await ask('/v1/nothing', { method });
      await expect
        .poll(() => valueOf(requests('other', 'none', status)), { timeout: 10_000 })
        .toBeGreaterThan(0);
    }
    expect(await metrics()).not.toMatch(/PROPFIND|REPORT/);
  });

  it('contains the versions and the delay of the event loop', async () => {
    const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
    const labels = `version="${version}",node_version="${process.versions.node}"`;
    expect(await valueOf(`status_pages_build_info{${labels}}`)).toBe(1);
    await expect
      .poll(() => valueOf('nodejs_eventloop_lag_p99_seconds'), { timeout: 10_000 })
      .toBeGreaterThan(0);
  });

  it('contains the connections in use and counts slow statements', async () => {
    const inUse = () => valueOf('status_pages_database_connections{state="in_use"}');
    const slow = () => valueOf('status_pages_database_slow_statements_total');
    const statements = () => valueOf('status_pages_database_statement_duration_seconds_count');
    const seconds = () =>
      Promise.all(
        [
          'status_pages_database_statement_duration_seconds_sum',
          requests('GET', '/v1/monitors', 200).replace('_count', '_sum'),
        ].map(valueOf),
      );
    const before = { slow: await slow(), statements: await statements(), seconds: await seconds() };
    const sent: Promise<Response>[] = [];
    await whileLocked(server.database, 'monitors', async () => {
      sent.push(ask(`/v1/monitors?project_id=${server.project_id}`));
      await expect.poll(inUse, { timeout: 10_000 }).toBeGreaterThan(0);
      await delay(700); // longer than SLOW_STATEMENT_MS
    });
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200]);
    await expect.poll(inUse, { timeout: 10_000 }).toBe(0);
    expect(await valueOf('status_pages_database_connections{state="idle"}')).toBeGreaterThan(0);
    expect(await valueOf('status_pages_database_connections_max')).toBe(10);
    expect(await slow()).toBeGreaterThan(before.slow);
    expect(await statements()).toBeGreaterThan(before.statements);
    const took = (await seconds()).map((sum, index) => sum - (before.seconds[index] ?? 0));
    for (const one of took) expect(one).toBeGreaterThan(0.5);
    // On the embedded PostgreSQL, the lookup of the key also waits.
    const slowLine =
      /^.*"statement":"SELECT (?:monitors|api_keys)".*"duration_ms":\d{3,}.*"msg":"slow statement".*$/m;
    const [line] = await server.program.prints(slowLine);
    expect(line).not.toContain(server.project_id);
  });

  it('counts visits served from memory under the same pattern', async () => {
    const list = await fetch(`${server.program.url}/v1/status-pages?project_id=${server.project_id}`, {
      headers: { Authorization: `Bearer ${server.key}` },
    });
    const { data }: { data: { slug: string }[] } = JSON.parse(await list.text());
    const [page] = data;
    expect(data).toHaveLength(1);
    const parts = [
      '',
      '/history',
      '/feed.rss',
      '/maintenance.ics',
      '/badge.svg',
      '/badge.json',
      '/og-image.png',
      '/api/v2/status.json',
    ];
    const hits = 'status_pages_page_cache_visits_total{result="hits"}';
    const misses = 'status_pages_page_cache_visits_total{result="misses"}';
    const before = { hits: await valueOf(hits), misses: await valueOf(misses) };
    const patterns = [...parts.slice(0, 2), '/feed.{format}', ...parts.slice(3, 7), '/api/v2/{document}'];
    for (const [index, part] of parts.entries()) {
      const path = `/status/${page?.slug}${part}`;
      const { status } = await ask(path);
      expect([part, status]).toEqual([part, 200]);
      const route = `/status/{slug}${patterns[index]}`;
      await expectGrowth(requests('GET', route, 200), 3, async () => {
        for (let visit = 0; visit < 3; visit++) await ask(path);
      });
    }
    const grown = {
      hits: (await valueOf(hits)) - before.hits,
      misses: (await valueOf(misses)) - before.misses,
    };
    expect(grown.misses).toBeGreaterThanOrEqual(parts.length);
    expect(grown.hits).toBeGreaterThan(0);
    expect(grown.hits + grown.misses).toBe(4 * parts.length);
  });

  it('counts ignored alerts, in recorded and in rejected deliveries', async () => {
    const ignored = (code: string) => valueOf(`status_pages_alerts_ignored_total{code="${code}"}`);
    const deliver = async (...keys: string[]) => {
      const alerts = keys.map((monitor_key) => ({
        status: 'firing',
        labels: { monitor_key },
        startsAt: new Date().toISOString(),
      }));
      const path = `/v1/receivers/alertmanager?project_id=${server.project_id}`;
      const headers = { 'Content-Type': 'application/json' };
      return (await ask(path, { method: 'POST', headers, body: JSON.stringify({ alerts }) })).status;
    };
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ project_id: server.project_id, name: 'Keyed', key: 'keyed' });
    expect((await ask('/v1/monitors', { method: 'POST', headers, body })).status).toBe(201);
    expect([await ignored('unknown_monitor'), await ignored('invalid_format')]).toEqual([0, 0]);
    expect(await deliver('keyed', 'unknown', 'unknown-2', 'No key')).toBe(200);
    expect(await deliver('unknown')).toBe(400);
    expect([await ignored('unknown_monitor'), await ignored('invalid_format')]).toEqual([3, 1]);
  });

  it('counts cached keys and requests above a rate limit', async () => {
    for (const result of ['hits', 'misses'])
      expect(await valueOf(`status_pages_api_key_cache_requests_total{result="${result}"}`)).toBeGreaterThan(
        0,
      );
    await expect.poll(async () => (await ask('/v1/me')).status, { timeout: 20_000, interval: 1 }).toBe(429);
    expect(await valueOf('status_pages_requests_rate_limited_total{policy="default"}')).toBeGreaterThan(0);
  });

  it('contains no key, path or query', async () => {
    const secret = generateToken('sp_');
    for (const path of [
      `/${secret}`,
      `/v1/monitors/${secret}`,
      `/status/${secret.slice(3, 30)}`,
      `/v1/me?x=${secret}`,
    ])
      await ask(path, { headers: { Authorization: `Bearer ${secret}` } });
    const text = await metrics();
    expect(text).toContain('/v1/monitors/{id}');
    expect(text).not.toContain(secret.slice(3, 15));
    expect(text).not.toContain(server.key.slice(0, 8));
  });
});
