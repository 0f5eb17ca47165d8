import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useSite } from './use-site.js';

const MAX_FIRST_VISIT_BYTES = 40_000;

const site = useSite();

/** The layout shifts since the page was opened. */
const shiftsOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const shifts: string[] = [];
        const add = (entries: PerformanceEntry[]) =>
          shifts.push(...entries.map((entry) => JSON.stringify(entry)));
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // After two frames, what the script does to the loaded page is painted, and its shifts are reported.
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            setTimeout(() => {
              add(observer.takeRecords());
              resolve(shifts);
            }),
          ),
        );
      }),
  );

describe('a first visit', () => {
  it('asks no other host, violates no CSP, logs no error and shifts no layout, on every page', async () => {
    for (const { name, path, status } of site.examples) {
      for (const width of [360, 1280]) {
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

  it(`of the demo page takes at most ${MAX_FIRST_VISIT_BYTES} bytes over the wire, headers included`, async () => {
    const { page } = await site.open();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto('/status/acme-cloud', { waitUntil: 'networkidle' });
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_VISIT_BYTES);
  });

  it('paints its largest content from the document alone, before any other response', async () => {
    const { page } = await site.open();
    await page.route(
      (url) => !url.pathname.endsWith('/status/acme-cloud'),
      () => {}, // never answered
    );
    await page.goto('/status/acme-cloud', { waitUntil: 'commit' });
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
