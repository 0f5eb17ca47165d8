import { describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import type { ResponseTime, ResponseTimesData } from '../../src/page-model/response-times-data.js';
import { LANGUAGES } from '../../src/branding/languages.js';
import { servedLinks } from '../../src/page-model/links.js';
import { viewOf } from '../../src/page-model/view.js';
import { renderMonitor } from '../../src/page-documents/components/monitor-page.js';
import { ResponseTimesService } from '../../src/reports/response-times/response-times.service.js';
import { AS_OF, DEFAULT_BRANDING, head, monitor as shownMonitor, view } from './components-data.js';
import { useVisits } from './use-visits.js';

const { server, tenant, monitor, pageOf, visit, visitUntil } = useVisits();

const HOUR_MS = 3_600_000;
const to = Math.ceil(AS_OF.getTime() / HOUR_MS) * HOUR_MS;
const from = to - 168 * HOUR_MS;

const hoursOf = (values: Record<number, Pick<ResponseTime, 'p50' | 'p95'>>): ResponseTime[] =>
  Object.entries(values).map(([hour, value]) => ({ at: from + Number(hour) * HOUR_MS, ...value }));

/** The page of a monitor with these hours, which are also its days. */
const pageWith = (hours: ResponseTime[], fields: Partial<ResponseTimesData> = {}, own = view): string => {
  const days = [{ at: Date.UTC(2026, 10, 21), p50: 118, p95: 1_240 }];
  const response_times = { from, to, hours, days, total: { p50: 118, p95: 1_240 }, ...fields };
  return renderMonitor({ page: head(), monitor: shownMonitor('API'), response_times, day_incidents: [] }, own)
    .body;
};

const pathsOf = (html: string): string[] =>
  [...(/<svg role="img".*?<\/svg>/s.exec(html)?.[0] ?? '').matchAll(/ d="([^"]*)"/g)].map(([, d = '']) => d);

describe('the response times on the page of a monitor', () => {
  it('draw a line of medians and an area below the 95th percentiles, with gaps without reports', () => {
    const html = pageWith(
      hoursOf({ 0: { p50: 100, p95: 200 }, 1: { p50: 50, p95: 150 }, 5: { p50: 10, p95: 20 } }),
    );
    const [, area, line] = pathsOf(html);
    expect(line).toBe('M0 50h1V75h1M5 95h1');
    expect(area).toBe('M0 0h1V25h1V100h-2zM5 90h1V100h-1z');
  });

  it('end their scale at 1, 2 or 5 times a power of ten, and show the numbers in a text and a table', () => {
    const html = pageWith(hoursOf({ 3: { p50: 118, p95: 1_240 } }));
    expect(html).toContain('<p class="facts">Median 118\u{a0}ms · 95th percentile 1,240\u{a0}ms</p>');
    expect(html).toContain('<span>2,000\u{a0}ms</span>');
    expect(html).toContain('aria-label="Last 7 days: Median 118\u{a0}ms · 95th percentile 1,240\u{a0}ms"');
    expect(html).toContain('<th scope="row">21 Nov 2026</th><td>118\u{a0}ms</td><td>1,240\u{a0}ms</td>');
  });

  it('end their scale near twice the usual 95th percentile, so that one slow hour does not flatten the others', () => {
    const total = { p50: 100, p95: 150 };
    const html = pageWith(hoursOf({ 0: { p50: 100, p95: 150 }, 1: { p50: 120, p95: 9_000 } }), { total });
    expect(html).toContain('<span>≥ 500\u{a0}ms</span>');
    expect(pathsOf(html)[1]).toBe('M0 70h1V0h1V100h-2z');
  });

  it('show nothing without reports', () => {
    expect(pageWith([], { days: [], total: null })).not.toContain('response-times');
  });

  it.each(LANGUAGES)('begin with a heading in %s', (language) => {
    const own = viewOf(
      servedLinks({ public_url: 'https://status.example.com' }, 'acme'),
      head({ branding: { ...DEFAULT_BRANDING, language } }),
    );
    expect(pageWith(hoursOf({ 3: { p50: 1, p95: 2 } }), {}, own)).toContain(
      `<h2 id="response-times">${own.words.response_times}</h2>`,
    );
  });
});

describe('show_response_times', () => {
  it('shows them on the pages of monitors, of seven days, and only there', async () => {
    const [id, other] = [await monitor(), await monitor()];
    const page = await pageOf([id, other]);
    const now = Date.now();
    const reports = [100, 110, 120].map((response_ms, index) => ({
      monitor_id: id,
      observed_at: new Date(now - index * HOUR_MS),
      response_ms,
    }));
    const old = { monitor_id: id, observed_at: new Date(now - 8 * 24 * HOUR_MS), response_ms: 9_000 };
    const service = server.app.get(ResponseTimesService, { strict: false });
    await server.app
      .get(DataSource)
      .transaction((manager) => service.add(tenant.organization_id, [...reports, old], manager));
    const path = `${page.slug}/monitors/${id}`;
    expect((await visit(path)).text).not.toContain('response-times');
    await server.ask(`/v1/status-pages/${page.id}/branding`, {
      method: 'PATCH',
      key: tenant.key,
      json: { show_response_times: true },
    });
    const { text } = await visitUntil(path, (visited) => visited.text.includes('response-times'));
    const [, median = ''] = /Median (\d+)/.exec(text) ?? [];
    expect(Math.abs(Number(median) / 110 - 1)).toBeLessThan(0.06);
    expect(text).not.toMatch(/[89],\d{3}\u{a0}ms/u);
    expect((await visit(`${page.slug}/monitors/${other}`)).text).not.toContain('response-times');
    expect((await visit(page.slug)).text).not.toContain('response-times');
  });
});
