import { type Logger, pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LOGGER } from '../../../src/platform/logging/logging.module.js';
import { Outage } from '../../../src/visitors/cache/outage.js';
import { passTime } from '../../support/clock.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { DatabaseProxy } from '../../support/proxy.js';
import { type Tenant, TestServer, until } from '../../support/server.js';
import { newSlug, visit as visitUrl } from './use-visits.js';

/** Longest wait of a visitor for a silent database: one second plus a margin for slow test machines. */
const PATIENCE_MS = 2_500;

it('an outage that begins during a rendering continues after the rendering', async () => {
  const outage = new Outage(pino({ enabled: false }));
  await outage.guard(async () => outage.begin(new Error('terminated')));
  expect([outage.isDown, outage.isPausing]).toEqual([true, true]);
});

describe('GET /status/{slug} while the database is down', { tags: ['postgres'] }, () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let server: TestServer;
  let tenant: Tenant;
  beforeAll(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.start(database.env.DATABASE_URL);
    server = await TestServer.start({ DATABASE_URL: proxy.url });
    tenant = await server.tenant();
  });
  afterAll(async () => {
    await server.stop();
    await proxy.stop();
    await database.drop();
  });

  const visit = (path: string, headers?: Record<string, string>) =>
    visitUrl(`${server.url}/status/${path}`, headers);
  const page = () => server.page(tenant, { slug: newSlug() });

  afterEach(() => void vi.useRealTimers());

  /** Begins the next minute, in which copies are stale. The service then renders them at the next check, once a second. */
  const endMinute = async () => {
    vi.setSystemTime(Math.ceil((Date.now() + 1) / 60_000) * 60_000);
    await passTime(1_000);
  };

  it('returns the stale copy with 200 and shows changes after the database recovers', async () => {
    const { id, slug } = await page();
    const { text } = await visit(slug);
    const failed: unknown[] = [];
    const over = new AbortController();
    const visits = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
        const answer = await visit(slug);
        if (answer.status !== 200 || answer.text !== text) failed.push(answer);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    proxy.cut();
    await endMinute();
    await until(async () => (await fetch(`${server.url}/health/ready`)).status === 503);
    for (let second = 1; second <= 3; second++) {
      await passTime(1_000);
      await visit(slug);
    }
    over.abort();
    await Promise.all(visits);
    expect(failed).toEqual([]);
    proxy.mend();
    await until(async () => (await server.patch(tenant, id, { name: 'Afterwards' })).status === 200);
    await until(async () => (await visit(slug)).text.includes('Afterwards'));
  });

  it('returns an HTML 503 with Retry-After for parts without a copy', async () => {
    const { slug } = await page();
    await visit(slug);
    proxy.cut();
    await until(async () => (await fetch(`${server.url}/health/ready`)).status === 503);
    for (const path of [`${slug}/history`, newSlug()]) {
      const { status, headers } = await visit(path);
      expect([status, headers['content-type'], headers['retry-after'], headers['cache-control']]).toEqual([
        503,
        'text/html; charset=utf-8',
        '1',
        'no-store',
      ]);
    }
    expect((await visit('bad--slug')).status).toBe(404);
    proxy.mend();
    await until(async () => (await visit(`${slug}/history`)).status === 200);
  });

  it('redirects the former slugs that visitors have used, and returns 503 for others', async () => {
    const pages = await Promise.all([page(), page()]);
    const slugs = [newSlug(), newSlug()];
    for (const [index, { id }] of pages.entries())
      await server.ask(`/v1/status-pages/${id}/settings`, {
        method: 'PATCH',
        key: tenant.key,
        json: { slug: slugs[index] },
      });
    const [used = '', unused = ''] = pages.map(({ slug }) => slug);
    expect((await visit(used)).status).toBe(308);
    proxy.cut();
    await until(async () => (await fetch(`${server.url}/health/ready`)).status === 503);
    await passTime(1_600); // the lookup is out of date
    const { status, headers } = await visit(`${used}/feed.rss`);
    expect([status, headers['location']]).toEqual([308, `/status/${slugs[0]}/feed.rss`]);
    expect((await visit(unused)).status).toBe(503);
    proxy.mend();
    await until(async () => (await visit(unused)).status === 308);
  });

  it('returns a saved copy within a second if the database does not respond', async () => {
    const { slug } = await page();
    const { text } = await visit(slug);
    const warn = vi.spyOn(server.app.get<Logger>(LOGGER), 'warn');
    proxy.stall();
    try {
      await endMinute();
      for (let round = 0; round < 30; round++) {
        const started = performance.now();
        const answer = await visit(slug);
        expect([answer.status, answer.text]).toEqual([200, text]);
        expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
        await passTime(100);
      }
      const reason = 'the check of page versions has not finished within 1 second';
      expect(warn.mock.calls).toContainEqual([
        { err: expect.objectContaining({ message: reason }) },
        'the database is unavailable; serving saved copies of public pages',
      ]);
    } finally {
      vi.restoreAllMocks();
      proxy.resume();
    }
    await until(async () => (await visit(newSlug())).status === 404);
  });
});
