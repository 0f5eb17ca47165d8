import { describe, expect, it } from 'vitest';
import { TestServer } from '../../support/server.js';
import {
  constantHeaders,
  renderingsIn,
  useVisits,
  visit as visitUrl,
  visitorStatementsOf,
  withinMinute,
} from './use-visits.js';

const { server, tenant, page, visit } = useVisits();

const times = <Result>(count: number, one: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, one));

describe('GET /status/{slug} with a cached copy', () => {
  it('executes no SQL statement', () =>
    withinMinute(async () => {
      const { slug } = await page();
      await visit(slug);
      const statements = await visitorStatementsOf(async () => {
        for (let round = 0; round < 10; round++) {
          const answers = await times(50, () => visit(slug));
          expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        }
      });
      expect(statements).toEqual([]);
    }));

  it('renders the page and looks up the slug once for concurrent visits', () =>
    withinMinute(async () => {
      const { slug } = await page();
      const statements = await visitorStatementsOf(async () => {
        const answers = await times(100, () => visit(slug));
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      });
      expect(renderingsIn(statements)).toBe(1);
      expect(statements.filter((text) => text.includes('slug = ANY'))).toHaveLength(1);
    }));

  it.each(['?utm_source=feed', '?month=2026-01', '?a=1&a=2', '?', '?%zz'])(
    'ignores other query parameters: %s',
    (query) =>
      withinMinute(async () => {
        const { slug } = await page();
        const { text } = await visit(slug);
        const statements = await visitorStatementsOf(async () => {
          const answer = await visit(slug + query);
          expect([answer.status, answer.text]).toEqual([200, text]);
        });
        expect(statements).toEqual([]);
      }),
  );

  it('caches the history by month and shares the copy of the current month', () =>
    withinMinute(async () => {
      const { slug } = await page();
      const month = new Date().toISOString().slice(0, 7);
      const rendered = async (path: string) =>
        renderingsIn(await visitorStatementsOf(async () => expect((await visit(path)).status).toBe(200)));
      expect(await rendered(`${slug}/history`)).toBe(1);
      expect(await rendered(`${slug}/history?month=${month}`)).toBe(0);
      expect(await rendered(`${slug}/history?month=2026-01&utm=x`)).toBe(1);
      expect(await rendered(`${slug}/history?utm=y&month=2026-01`)).toBe(0);
    }));

  it.each([
    '',
    '/history',
    '/feed.rss',
    '/feed.json',
    '/maintenance.ics',
    '/badge.svg',
    '/og-image.png',
    '/api/v2/summary.json',
  ])('returns a new request ID for each response: %s', async (path) => {
    const { slug } = await page();
    const answers = [await visit(slug + path), await visit(slug + path), await visit(slug + path)];
    const ids = answers.map(({ headers }) => headers['x-request-id'] ?? '');
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
    const [first, ...others] = answers.map((answer) => [constantHeaders(answer), answer.text]);
    expect(others).toEqual([first, first]);
  });

  it('ignores RATE_LIMIT', async () => {
    const limited = await TestServer.start({ ...server.databaseEnv, RATE_LIMIT: '2' });
    try {
      const { slug } = await page();
      const answers = await times(20, () => visitUrl(`${limited.url}/status/${slug}`));
      expect(answers.map(({ status, headers }) => [status, headers['ratelimit']])).toEqual(
        answers.map(() => [200, undefined]),
      );
      const { status } = await limited.ask('/v1/me', tenant);
      expect(status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});
