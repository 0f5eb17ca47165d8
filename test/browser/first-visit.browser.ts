import { describe, expect, it } from 'vitest';
import { shiftsOf } from './layout-shifts.js';
import { useSite } from './use-site.js';

const MAX_FIRST_VISIT_BYTES = 40_000;

/** Bytes that a server sends before the first acknowledgement: ten segments of 1,460 bytes (RFC 6928). */
const FIRST_FLIGHT_BYTES = 14_600;

const PAGES = ['acme-cloud', 'healthy', 'partial-outage'];

const site = useSite();

/** Creates a resolved incident on a page, and returns its path. */
async function incidentOf(started_at: string, resolved_at: string): Promise<string> {
  const { server, tenant } = site;
  const { project_id, key } = tenant;
  const [monitor_id = ''] = await server.monitors(tenant, 1);
  const sections = [{ id: 'all', title: 'All', monitor_ids: [monitor_id] }];
  const { slug } = await server.page(tenant, { sections, history_days: 365 });
  const monitors = [{ monitor_id, status: 'major_outage' }];
  const incident = { project_id, title: 'Errors', body: 'Late', monitors, started_at };
  const { body } = await server.ask('/v1/incidents', { method: 'POST', key, json: incident });
  const update = { status: 'resolved', body: 'Over', posted_at: resolved_at };
  const path = `/v1/incidents/${body.data.id}/updates`;
  expect((await server.ask(path, { method: 'POST', key, json: update })).status).toBe(201);
  return `/status/${slug}/incidents/${body.data.id}`;
}

describe('the first visit of a page', () => {
  it.each([360, 390, 1440])(
    'loads at %i px without requests to other hosts, CSP violations, errors or layout shifts',
    async (width) => {
      for (const { name, path, status } of site.examples) {
        const { page, requests, faults } = await site.visit(path, { viewport: { width, height: 720 } });
        const others = requests.filter(
          (url) => !url.startsWith(`${site.server.url}/`) && !url.startsWith('data:'),
        );
        // Chromium logs the status of a document that is not found.
        const errors = faults.filter((fault) => status === 200 || !fault.includes('404 (Not Found)'));
        const shifts = await shiftsOf(page);
        const found = { others, errors, shifts };
        // The message shows them in the summary of CI, which contains no diff.
        expect(found, `${name}: ${JSON.stringify(found)}`).toEqual({ others: [], errors: [], shifts: [] });
        await page.context().close();
      }
    },
  );

  it.each([
    ['of the page', '2025-11-10T23:30:00.000Z', '2025-11-11T02:50:00.000Z'],
    ['of the visitor', '2025-11-11T03:00:00.000Z', '2025-11-11T06:20:00.000Z'],
  ])('moves nothing if a period contains midnight only in the time zone %s', async (_of, from, to) => {
    const path = await incidentOf(from, to);
    for (const width of [360, 390, 1440]) {
      const { page } = await site.visit(path, { viewport: { width, height: 720 } });
      expect({ width, shifts: await shiftsOf(page) }).toEqual({ width, shifts: [] });
      await page.context().close();
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
