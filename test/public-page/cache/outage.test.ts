import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Outage } from '../../../src/public-page/cache/outage.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { DatabaseProxy } from '../../support/proxy.js';
import { type Tenant, TestServer, until } from '../../support/server.js';
import { newSlug, visit as visitUrl } from './use-visits.js';

/** A visitor waits at most this long for a database that is silent: a second, and what slow machines of tests take. */
const PATIENCE_MS = 2_500;

it('an outage that begins during a rendering goes on after it', async () => {
  const outage = new Outage(pino({ enabled: false }));
  await outage.guard(async () => outage.begin(new Error('terminated')));
  expect([outage.isDown, outage.isPausing]).toEqual([true, true]);
});

describe('while the database is away', { tags: ['postgres'] }, () => {
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

  /** Makes the copies out of date, as the clock does at the end of each minute. */
  const endMinute = async () => {
    const seconds = 60 - new Date().getSeconds();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  };

  it('each visit of a copy is 200, also after the minute of the copy, and a change shows again afterwards', async () => {
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
    const started = performance.now();
    await until(() => Promise.resolve(performance.now() - started > 3_000));
    over.abort();
    await Promise.all(visits);
    expect(failed).toEqual([]);
    proxy.mend();
    await until(async () => (await server.patch(tenant, id, { name: 'Afterwards' })).status === 200);
    await until(async () => (await visit(slug)).text.includes('Afterwards'));
  });

  it('a part without a copy is a page for people: 503 with Retry-After, which nobody keeps', async () => {
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
    expect((await visit('Bad--Slug')).status).toBe(404);
    proxy.mend();
    await until(async () => (await visit(`${slug}/history`)).status === 200);
  });

  it('a database that is silent keeps no visitor of a copy waiting for longer than a second', async () => {
    const { slug } = await page();
    const { text } = await visit(slug);
    proxy.stall();
    try {
      await endMinute();
      for (let round = 0; round < 30; round++) {
        const started = performance.now();
        const answer = await visit(slug);
        expect([answer.status, answer.text]).toEqual([200, text]);
        expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    } finally {
      proxy.resume();
    }
    await until(async () => (await visit(newSlug())).status === 404);
  });
});
