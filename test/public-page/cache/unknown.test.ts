import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  constantHeaders,
  newSlug,
  renderingsIn,
  useVisits,
  visitorStatementsOf,
  withinMinute,
} from './use-visits.js';

const { server, page, visit } = useVisits();

const many = <Item>(count: number, one: (index: number) => Promise<Item>): Promise<Item[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

describe('a public path without a resource', () => {
  it('returns the same 404 for private, unknown and malformed slugs and disabled parts', async () => {
    const hidden = await page({ is_public: false });
    const off = await page({ rss_enabled: false, show_history: false });
    const monitor = `monitors/${randomUUID()}`;
    const paths = [
      hidden.slug,
      `${hidden.slug}/history`,
      `${hidden.slug}/feed.rss`,
      `${hidden.slug}/api/v2/summary.json`,
      newSlug(),
      `${newSlug()}/badge.svg`,
      'upper_',
      'a--b',
      'x'.repeat(64),
      `${off.slug}/history`,
      `${off.slug}/feed.rss`,
      `${off.slug}/feed.atom`,
      `${off.slug}/feed.json`,
      `${off.slug}/maintenance.ics`,
      `${off.slug}/${monitor}`,
      `${off.slug}/incidents/${randomUUID()}`,
      `${off.slug}/maintenances/${randomUUID()}`,
      `${off.slug}/incidents/1`,
      `${off.slug}/nothing`,
    ];
    const answers = [];
    for (const path of [...paths, ...paths]) answers.push(await visit(path));
    const seen = answers.map((answer) =>
      JSON.stringify([answer.status, constantHeaders(answer), answer.text]),
    );
    expect([...new Set(seen)]).toHaveLength(1);
    expect(answers[0]?.status).toBe(404);
  });

  it('executes the same statements for private pages and unknown slugs', async () => {
    const { slug } = await page({ is_public: false });
    const ofPrivate = await visitorStatementsOf(() => visit(slug));
    const ofUnknown = await visitorStatementsOf(() => visit(newSlug()));
    expect(ofPrivate).toEqual(ofUnknown);
    expect(ofPrivate).toHaveLength(2); // for public pages, and for private ones with rules of who may see them
  });

  it.each(['subscribe', 'access/password', 'access/email', 'access/oidc'])(
    'executes the same statements for the form %s of private pages and unknown slugs',
    async (form) => {
      const { slug } = await page({ is_public: false });
      const statementsOfForm = (one: string) =>
        visitorStatementsOf(async () => {
          const { status } = await fetch(`${server.url}/status/${one}/${form}`, {
            method: 'POST',
            body: new URLSearchParams({ email: 'a@acme.example', password: 'x', detail: 'all' }),
          });
          expect(status).toBe(404);
        });
      const ofPrivate = await statementsOfForm(slug);
      expect(ofPrivate).toEqual(await statementsOfForm(newSlug()));
      expect(ofPrivate.length).toBeGreaterThan(0);
    },
  );

  it('executes no statement for a malformed slug', async () => {
    const statements = await visitorStatementsOf(() =>
      many(100, (index) => visit(['A', '-a', 'a-', 'a--b', 'a_b', 'x'.repeat(64), '%00'][index % 7] ?? '')),
    );
    expect(statements).toEqual([]);
  });

  it('executes no statement for a malformed month and caches nothing', () =>
    withinMinute(async () => {
      const { slug } = await page();
      await visit(slug);
      const months = ['', '2026', '2026-13', '1900-01', '9999-12', 'x'.repeat(8_000)];
      const statements = await visitorStatementsOf(async () => {
        for (const month of months) expect((await visit(`${slug}/history?month=${month}`)).status).toBe(404);
      });
      expect(renderingsIn(statements)).toBe(0);
    }));

  it('executes two statements for many visits of the same slug', async () => {
    const slug = newSlug();
    const started = performance.now();
    const statements = await visitorStatementsOf(() => many(200, () => visit(slug)));
    // Cached for 1.5 s, which 200 visits can exceed on a busy machine.
    expect(statements.length).toBeLessThanOrEqual(2 * (1 + (performance.now() - started) / 1_500));
    expect(statements.length).toBeGreaterThan(0);
  });

  it('executes a few statements for a flood of different slugs', async () => {
    const started = performance.now();
    const statements = await visitorStatementsOf(async () => {
      const answers = await many(1_000, () => visit(newSlug()));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    });
    // At most two in 25 ms.
    expect(statements.length).toBeLessThanOrEqual(2 * (1 + (performance.now() - started) / 25));
    expect(statements.length).toBeLessThan(200);
  });

  it('stays cached until the page changes', () =>
    withinMinute(async () => {
      const { slug } = await page();
      await visit(slug);
      const path = `${slug}/incidents/${randomUUID()}`;
      const statements = await visitorStatementsOf(() => many(50, () => visit(path)));
      expect(renderingsIn(statements)).toBe(1);
      expect(await visitorStatementsOf(() => visit(path))).toEqual([]);
    }));

  it('returns 503 after a long wait in a flood, while the page remains available', async () => {
    const { slug } = await page();
    const flood = many(600, () => visit(`${slug}/incidents/${randomUUID()}`));
    expect((await visit(slug)).status).toBe(200);
    const answers = await flood;
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect([...counts.keys()].filter((status) => status !== 404 && status !== 503)).toEqual([]);
    for (const { status, headers } of answers)
      if (status === 503)
        expect([headers['retry-after'], headers['cache-control']]).toEqual(['1', 'no-store']);
  });
});
