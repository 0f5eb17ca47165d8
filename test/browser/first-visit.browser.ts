import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useSite } from './use-site.js';

const MAX_FIRST_VISIT_BYTES = 40_000;

/** Bytes that a server sends before the first acknowledgement: ten segments of 1,460 bytes (RFC 6928). */
const FIRST_FLIGHT_BYTES = 14_600;

const PAGES = ['acme-cloud', 'healthy', 'partial-outage'];

const site = useSite();

/**
 * Largest score of a shift that passes: one line. A time that spans midnight can take two lines at 360 px until the script omits
 * "UTC". Scores below 0.1 are good (https://web.dev/articles/cls).
 */
const ONE_LINE = 0.02;

/** Layout shifts of more than one line since the page was opened. */
const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    (limit) =>
      new Promise<string[]>((resolve) => {
        const shifts: string[] = [];
        const add = (entries: PerformanceEntry[]) =>
          shifts.push(
            ...entries
              .filter((entry) => Number(Reflect.get(entry, 'value')) > limit)
              .map((entry) => JSON.stringify(entry)),
          );
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // After two frames, the changes by the script are painted and their shifts reported.
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            setTimeout(() => {
              add(observer.takeRecords());
              resolve(shifts);
            }),
          ),
        );
      }),
    ONE_LINE,
  );

describe('the first visit of a page', () => {
  it('loads without requests to other hosts, CSP violations, errors or layout shifts', async () => {
    for (const { name, path, status } of site.examples) {
      for (const width of [360, 390, 1440]) {
        const { page, requests, faults } = await site.visit(path, { viewport: { width, height: 720 } });
        const others = requests.filter(
          (url) => !url.startsWith(`${site.server.url}/`) && !url.startsWith('data:'),
        );
        // Chromium logs the status of a document that is not found.
        const errors = faults.filter((fault) => status === 200 || !fault.includes('404 (Not Found)'));
        const shifts = await shiftsOf(page);
        expect({ name, width, others, errors, shifts }).toEqual({
          name,
          width,
          others: [],
          errors: [],
          shifts: [],
        });
        await page.context().close();
      }
    }
  });

  it(`transfers at most ${MAX_FIRST_VISIT_BYTES} bytes for the demo page, including headers`, async () => {
    const { page } = await site.open();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto('/status/acme-cloud', { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_VISIT_BYTES);
  });

  it.each(PAGES)('gets the document of %s in one round trip', async (slug) => {
    const { page } = await site.open();
    const response = await page.goto(`/status/${slug}`);
    const { responseHeadersSize = 0, responseBodySize = 0 } = (await response?.request().sizes()) ?? {};
    expect(responseBodySize).toBeGreaterThan(1_000);
    expect(responseHeadersSize + responseBodySize).toBeLessThanOrEqual(FIRST_FLIGHT_BYTES);
  });

  it.each(PAGES)('paints the largest content of %s before any other response', async (slug) => {
    const { page } = await site.open();
    await page.route(
      (url) => !url.pathname.endsWith(`/status/${slug}`),
      () => {}, // never responded to
    );
    await page.goto(`/status/${slug}`, { waitUntil: 'commit' });
    const largest = await page.evaluate(
      () =>
        new Promise<{ url: string; size: number }>((resolve) => {
          new PerformanceObserver((list) => {
            const entry = list.getEntries().at(-1);
            if (entry) resolve(entry.toJSON());
          }).observe({ type: 'largest-contentful-paint', buffered: true });
        }),
    );
    expect(largest).toMatchObject({ url: '' });
    expect(largest.size).toBeGreaterThan(1_000);
  });
});
