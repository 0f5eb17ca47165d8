import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentCache } from '../../../src/visitors/cache/document-cache.js';
import { PageVersions } from '../../../src/visitors/cache/page-versions.js';
import { whileLocked } from '../../support/database.js';
import { statementsOf } from '../../support/statements.js';
import { TestServer, until } from '../../support/server.js';
import {
  databaseOf,
  newSlug,
  renderingsIn,
  useVisits,
  visit as visitUrl,
  visitorStatementsOf,
} from './use-visits.js';

const { server, tenant, page, visit, change } = useVisits();

/** Time until a change appears: two seconds plus a margin for slow test machines. */
const SHOWN_MS = 3_000;

let other: TestServer;
beforeAll(async () => {
  other = await TestServer.start(server.databaseEnv);
});
afterAll(() => other.stop());

const elsewhere = (path: string) => visitUrl(`${other.url}/status/${path}`);

/** Returns the time until `probe` succeeds, in milliseconds. */
async function timeUntil(probe: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  await until(probe);
  return performance.now() - started;
}

describe('PATCH /v1/status-pages/{id} and public pages', () => {
  it('shows the change within two seconds in every process', async () => {
    const { id, slug } = await page({ name: 'Before' });
    expect([(await visit(slug)).text, (await elsewhere(slug)).text].join()).toMatch(/Before.*Before/s);
    await change(id, { name: 'After' });
    const shown = async (text: Promise<{ text: string }>) => (await text).text.includes('After');
    expect(await timeUntil(() => shown(elsewhere(slug)))).toBeLessThan(SHOWN_MS);
    expect(await timeUntil(() => shown(visit(slug)))).toBeLessThan(SHOWN_MS);
  });

  it('serves the old copy while the new copy is rendered', async () => {
    const { id, slug } = await page();
    const { text } = await visit(slug);
    await change(id, { name: 'Another' });
    const versions = server.app.get(PageVersions);
    const checked = versions.check();
    const answers = Array.from({ length: 20 }, () => visit(slug));
    await checked;
    const texts = (await Promise.all(answers)).map((answer) => answer.text);
    expect(texts).toContain(text);
    await until(async () => (await visit(slug)).text.includes('Another'));
  });

  it('returns 404 for every part within two seconds after a page becomes private', async () => {
    const { id, slug } = await page();
    const paths = ['', '/history', '/feed.rss', '/badge.svg'];
    for (const path of paths)
      expect([(await visit(slug + path)).status, (await elsewhere(slug + path)).status]).toEqual([200, 200]);
    await change(id, { is_public: false });
    const isGone = async (answer: Promise<{ status: number }>) => (await answer).status === 404;
    expect(await timeUntil(() => isGone(elsewhere(slug)))).toBeLessThan(SHOWN_MS);
    expect(await timeUntil(() => isGone(visit(slug)))).toBeLessThan(SHOWN_MS);
    for (const path of paths)
      expect([(await visit(slug + path)).status, (await elsewhere(slug + path)).status]).toEqual([404, 404]);
  });

  it.each([
    ['returns 404 after a change to private', { is_public: false }, 404, 'Page not found'],
    ['shows the new page of a slug', { slug: newSlug() }, 200, 'Successor'],
  ])(
    '%s, even during a rendering',
    { tags: ['postgres'] }, // the embedded PostgreSQL has no locks between sessions
    async (_, json, status, text) => {
      const { id, slug } = await page({ name: 'Predecessor' });
      const { id: successor } = await page({ name: 'Successor' });
      const { first, later } = await whileLocked(databaseOf(server), 'maintenances', async () => {
        const visited = visit(slug);
        await until(async () => {
          const [row] = await server.sql<{ count: number }[]>(
            `SELECT count(*)::integer AS count FROM pg_locks WHERE relation = 'maintenances'::regclass AND NOT granted`,
          );
          return row?.count === 1;
        });
        await change(id, json);
        if ('slug' in json) await change(successor, { slug });
        const { directory } = server.app.get(DocumentCache);
        await until(async () => directory.get(slug)?.id !== id);
        return { first: visited, later: visit(slug) };
      });
      expect((await later).status).toBe(status);
      expect((await later).text).toContain(text);
      expect((await first).text).not.toContain('Predecessor');
    },
  );

  it('frees the old slug for another page', async () => {
    const { id, slug } = await page({ name: 'First' });
    const { id: second } = await page({ name: 'Second' });
    await visit(slug);
    const moved = newSlug();
    await change(id, { slug: moved });
    await change(second, { slug });
    await until(async () => (await visit(slug)).text.includes('Second'));
    expect((await visit(moved)).text).toContain('First');
  });

  it('returns 404 after the page is deleted', async () => {
    const { id, slug } = await page();
    await visit(slug);
    await server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key: tenant.key });
    const isGone = async () => (await visit(slug)).status === 404;
    expect(await timeUntil(isGone)).toBeLessThan(SHOWN_MS);
  });

  it('renders a page again only after reports that change something', async () => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const { slug } = await page({ sections: [{ id: 'a', title: 'A', monitor_ids: [monitor_id] }] });
    const report = async (status: string) => {
      const json = { project_id: tenant.project_id, reports: [{ monitor_id, status }] };
      const answer = await server.ask('/v1/monitor-reports', { method: 'POST', key: tenant.key, json });
      expect(answer.status).toBe(200);
    };
    const versions = server.app.get(PageVersions);
    await report('operational');
    await visit(slug);
    await versions.check();
    // If the minute of "As of" ends during this test, try again.
    await until(async () => {
      const statements = await visitorStatementsOf(async () => {
        await visit(slug);
        await report('operational');
        await versions.check();
        await visit(slug);
      });
      return statements.filter((text) => text.includes('REPEATABLE READ')).length === 0;
    });
    const minute = new Date().getMinutes();
    const statements = await visitorStatementsOf(async () => {
      await report('major_outage');
      await versions.check();
      await visit(slug);
      await delay(50);
    });
    if (minute === new Date().getMinutes()) expect(renderingsIn(statements)).toBeGreaterThan(0);
  });
});

describe('a new status page', () => {
  it('appears within two seconds, even if visitors have requested its slug before', async () => {
    const slug = newSlug();
    expect((await visit(slug)).status).toBe(404);
    await page({ slug });
    expect(await timeUntil(async () => (await visit(slug)).status === 200)).toBeLessThan(SHOWN_MS);
  });
});

describe('PageVersions.check', () => {
  it('executes one statement for all pages', async () => {
    for (let count = 0; count < 5; count++) await visit((await page()).slug);
    const versions = server.app.get(PageVersions);
    await versions.check();
    const statements = await statementsOf(() => Promise.all([versions.check(), versions.check()]));
    expect(statements.filter((text) => text.includes('id = ANY($1::uuid[]) AND is_public'))).toHaveLength(1);
  });

  it('executes no statement if no page is cached', async () => {
    const own = await TestServer.start();
    try {
      expect(await statementsOf(() => own.app.get(PageVersions).check())).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});
