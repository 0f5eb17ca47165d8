import { beforeAll, describe, expect, it } from 'vitest';
import { HistoryReader } from '../../src/page-model/history-reader.service.js';
import { unpackMonitor, unpackOverview } from '../../src/page-model/packed-monitor.js';
import { PageReader } from '../../src/page-model/page-reader.service.js';
import type { PageSnapshot } from '../../src/page-model/page-snapshot.js';
import { monthAfter, monthOf, rangeOfMonth } from '../../src/page-model/months.js';
import { useVisits } from './use-visits.js';

const { server, tenant, monitor, monitorIn, make, post, incident, send, maintenance, pageOf, visit } =
  useVisits();

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Returns the content of a page. */
async function read<Result>(id: string, part: (reader: PageReader, page: PageSnapshot) => Promise<Result>) {
  const reader = server.app.get(PageReader);
  const result = await reader.read(id, async (page) => ({
    data: await part(reader, page),
    until: page.until,
  }));
  if (!result) throw new Error('the page does not exist');
  return result;
}

const overviewOf = async (id: string) =>
  unpackOverview((await read(id, (reader, page) => reader.overview(page))).data);
const latestOf = async (id: string) =>
  (await read(id, (_reader, page) => server.app.get(HistoryReader).latest(page))).data;

/** Creates an incident with one resolved interval, in days ago. */
async function past(monitors: Record<string, string>, from: number, to: number): Promise<string> {
  const { id } = await incident(monitors, { started_at: daysAgo(from) });
  await send('POST', `/v1/incidents/${id}/updates`, {
    status: 'resolved',
    body: 'Over.',
    posted_at: daysAgo(to),
  });
  return id;
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

describe('PageReader.overview', () => {
  it('returns open incidents with all updates, newest first', async () => {
    const one = await monitor();
    const { id } = await incident({ [one]: 'major_outage' }, { started_at: daysAgo(1) });
    for (const [status, at] of [
      ['monitoring', 0.2],
      ['identified', 0.5],
    ] as const)
      await send('POST', `/v1/incidents/${id}/updates`, { status, body: status, posted_at: daysAgo(at) });
    const overview = await overviewOf((await pageOf([one])).id);
    expect(idsOf(overview.incidents)).toEqual([id]);
    expect(overview.incidents[0]?.updates.map(({ status }) => status)).toEqual([
      'monitoring',
      'identified',
      'investigating',
    ]);
    expect(overview.incidents[0]?.affected).toEqual([
      { monitor_id: one, name: 'Monitor', status: 'major_outage' },
    ]);
  });

  it('returns the monitors that an open incident affects now, with their current status', async () => {
    const [worse, over, same] = [await monitor(), await monitor(), await monitor()];
    const affected = (entries: Record<string, string>) =>
      Object.entries(entries).map(([monitor_id, status]) => ({ monitor_id, status }));
    const { id } = await incident({ [worse]: 'degraded_performance', [over]: 'partial_outage' });
    await send('POST', `/v1/incidents/${id}/updates`, {
      status: 'identified',
      body: 'Found.',
      monitors: affected({ [worse]: 'major_outage', [over]: 'operational', [same]: 'partial_outage' }),
    });
    await send('POST', `/v1/incidents/${id}/updates`, {
      status: 'monitoring',
      body: 'Better.',
      monitors: affected({ [worse]: 'degraded_performance', [same]: 'partial_outage' }),
    });
    const page = await pageOf([worse, over, same]);
    const statusesOf = (entries: { monitor_id: string; status: string }[] = []) =>
      Object.fromEntries(entries.map(({ monitor_id, status }) => [monitor_id, status]));
    const [open] = (await overviewOf(page.id)).incidents;
    const worst = { [worse]: 'major_outage', [over]: 'partial_outage', [same]: 'partial_outage' };
    expect(statusesOf(open?.affected)).toEqual(worst);
    expect(statusesOf(open?.affected_now)).toEqual({
      [worse]: 'degraded_performance',
      [same]: 'partial_outage',
    });
    const components: unknown = JSON.parse((await visit(`${page.slug}/api/v2/incidents.json`)).text);
    expect(components).toMatchObject({ incidents: [{ components: [{}, {}, {}] }] });

    await send('POST', `/v1/incidents/${id}/updates`, { status: 'resolved', body: 'Fixed.' });
    const [resolved] = (await overviewOf(page.id)).recent.incidents;
    expect(statusesOf(resolved?.affected)).toEqual(worst);
    expect(resolved?.affected_now).toEqual([]);
  });

  it('returns incidents and maintenance windows that ended within 14 days', async () => {
    const one = await monitor();
    const [late, , open] = [
      await past({ [one]: 'major_outage' }, 20, 13),
      await past({ [one]: 'major_outage' }, 20, 15),
      (await incident({ [one]: 'partial_outage' })).id,
    ];
    const ended = await maintenance(-3, -2, { monitor_ids: [one] });
    await maintenance(-20, -19, { monitor_ids: [one] });
    const ahead = await maintenance(3, 4, { monitor_ids: [one] });
    const { recent, incidents, maintenances } = await overviewOf((await pageOf([one])).id);
    expect([idsOf(recent.incidents), idsOf(recent.maintenances)]).toEqual([[late], [ended]]);
    expect([idsOf(incidents), idsOf(maintenances)]).toEqual([[open], [ahead]]);
  });

  it('returns recently closed items even if more items are open than it reads', async () => {
    const one = await monitor();
    const resolved = await past({ [one]: 'major_outage' }, 20, 10);
    const ended = await maintenance(-3, -2, { monitor_ids: [one] });
    for (let index = 0; index < 100; index++) {
      await incident({ [one]: 'degraded_performance' });
      await maintenance(-1, 1, { monitor_ids: [one] });
    }
    const { recent } = await overviewOf((await pageOf([one])).id);
    expect([idsOf(recent.incidents), idsOf(recent.maintenances)]).toEqual([[resolved], [ended]]);
  });

  it('returns only today and days with problems', async () => {
    const one = await monitor();
    const reports = [
      [daysAgo(40), 'operational'],
      [daysAgo(5), 'major_outage'],
      [new Date(Date.parse(daysAgo(5)) + MINUTE_MS).toISOString(), 'operational'],
    ].map(([observed_at, status]) => ({ monitor_id: one, status, observed_at }));
    await post(reports);
    const { sections } = await overviewOf((await pageOf([one], { history_days: 30 })).id);
    const [found] = sections[0]?.monitors ?? [];
    const day = daysAgo(5).slice(0, 10);
    const bad = found?.days.filter(({ major_outage }) => major_outage > 0) ?? [];
    expect(bad.reduce((sum, { major_outage }) => sum + major_outage, 0)).toBe(60);
    expect(bad[0]?.day).toBe(day);
    expect(found?.days.at(-1)?.day).toBe(daysAgo(0).slice(0, 10));
    expect(found?.days.length).toBeLessThanOrEqual(3);
    expect(found?.uptime).toBe(99.99);
  });

  it('returns no days for a page that does not show its history', async () => {
    const one = await monitorIn('operational');
    await incident({ [one]: 'major_outage' });
    const { sections, day_incidents } = await overviewOf((await pageOf([one], { show_history: false })).id);
    expect([sections[0]?.monitors[0]?.days, day_incidents]).toEqual([[], []]);
  });

  it('links the days of monitors to the incidents that affected them', async () => {
    const one = await monitor();
    const id = await past({ [one]: 'major_outage' }, 4, 3);
    const { day_incidents } = await overviewOf((await pageOf([one])).id);
    expect(day_incidents).toMatchObject([{ id, monitor_id: one, title: 'Errors' }]);
  });

  it('returns plain texts without control characters and bidi overrides', async () => {
    const name = 'a\u202eb\u0007c\u200fd\ufffee \u05d0';
    const { id } = await server.page(tenant, { name, description: name });
    const { page } = await overviewOf(id);
    expect([page.name, page.description]).toEqual(['abcde \u05d0', 'abcde \u05d0']);
  });
});

describe('updates of maintenance windows', () => {
  it('appear with the window, newest first, unless they are in the future', async () => {
    const one = await monitor();
    const id = await maintenance(1, 2, { monitor_ids: [one] });
    const path = `/v1/maintenances/${id}/updates`;
    const soon = new Date(Date.now() + 60_000).toISOString();
    for (const [body, posted_at] of [
      ['first', daysAgo(3)],
      ['third', daysAgo(1)],
      ['second', daysAgo(2)],
      ['soon', soon],
    ])
      await send('POST', path, { body, posted_at });
    const page = await pageOf([one]);
    const { data, until } = await read(page.id, (reader, snapshot) => reader.maintenance(snapshot, id));
    const bodies = ({ updates }: { updates: { body: string }[] }) => updates.map(({ body }) => body);
    const expected = ['third', 'second', 'first'];
    expect(data && bodies(data.maintenance)).toEqual(expected);
    expect(until.getTime()).toBeLessThanOrEqual(Date.parse(soon));
    expect((await overviewOf(page.id)).maintenances.map(bodies)).toEqual([expected]);
    expect((await latestOf(page.id)).maintenances.map(bodies)).toEqual([expected]);
  });

  it('on a page make its content expire when they are shown', async () => {
    const one = await monitor();
    const id = await maintenance(1, 2, { monitor_ids: [one] });
    const [page, other] = [await pageOf([one]), await pageOf([])];
    const posted = Date.now() + 2_000;
    await send('POST', `/v1/maintenances/${id}/updates`, {
      body: 'Soon.',
      posted_at: new Date(posted).toISOString(),
    });
    const expiryOf = async (pageId: string) =>
      (await read(pageId, (reader, snapshot) => reader.overview(snapshot))).until.getTime();
    expect(await expiryOf(page.id)).toBeLessThanOrEqual(posted);
    const minute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    expect([minute, minute + MINUTE_MS]).toContain(await expiryOf(other.id));
  });
});

describe('the expiry of page content', () => {
  it('comes at the next full minute', async () => {
    const { until } = await read((await pageOf([])).id, (reader, page) => reader.overview(page));
    const left = until.getTime() - Date.now();
    expect([until.getTime() % MINUTE_MS, left > -1_000, left <= MINUTE_MS]).toEqual([0, true, true]);
  });

  it('comes when a maintenance window changes status or a monitor goes stale', async () => {
    const stale = await monitor(60);
    const observed = Date.now() - 57_000;
    await post([{ monitor_id: stale, status: 'operational', observed_at: new Date(observed).toISOString() }]);
    const ofReport = await read((await pageOf([stale])).id, (reader, page) => reader.overview(page));
    expect(ofReport.until.getTime()).toBeLessThanOrEqual(observed + 60_000);
    const planned = await monitor();
    const starts = Date.now() + 2_000;
    const window = { starts_at: new Date(starts).toISOString(), ends_at: daysAgo(-1) };
    const id = await make('/v1/maintenances', { title: 'Upgrade', ...window, monitor_ids: [planned] });
    const page = await pageOf([planned]);
    for (const part of [
      (reader: PageReader, one: PageSnapshot) => reader.overview(one),
      (_reader: PageReader, one: PageSnapshot) => server.app.get(HistoryReader).latest(one),
      (_reader: PageReader, one: PageSnapshot) =>
        server.app.get(HistoryReader).month(one, monthOf(new Date())),
      (reader: PageReader, one: PageSnapshot) => reader.maintenance(one, id),
    ])
      expect((await read<unknown>(page.id, part)).until.getTime()).toBeLessThanOrEqual(starts);
  });
});

describe('the expiry of page content at upcoming changes', () => {
  const soon = () => Date.now() + 2_000;
  const untilOf = async (id: string) =>
    (await read(id, (reader, page) => reader.overview(page))).until.getTime();

  it('respects maintenance windows on no page that include a monitor of the page', async () => {
    const one = await monitor();
    const { id } = await pageOf([one]);
    const starts = soon();
    const window = { starts_at: new Date(starts).toISOString(), ends_at: daysAgo(-1) };
    await make('/v1/maintenances', { title: 'Upgrade', ...window, monitor_ids: [one], status_page_ids: [] });
    expect(await untilOf(id)).toBeLessThanOrEqual(starts);
  });

  it('respects incidents on no page that affect a monitor of the page', async () => {
    const one = await monitor();
    const { id } = await pageOf([one]);
    const starts = soon();
    const started_at = new Date(starts).toISOString();
    await incident({ [one]: 'major_outage' }, { started_at, status_page_ids: [] });
    expect(await untilOf(id)).toBeLessThanOrEqual(starts);
  });

  it('respects incidents that affect no monitor', async () => {
    const { id } = await pageOf([]);
    const starts = soon();
    await incident({}, { started_at: new Date(starts).toISOString(), status_page_ids: [id] });
    expect(await untilOf(id)).toBeLessThanOrEqual(starts);
  });

  it('respects updates of incidents that affect no monitor', async () => {
    const { id } = await pageOf([]);
    const made = await incident({}, { status_page_ids: [id] });
    const posted = soon();
    const posted_at = new Date(posted).toISOString();
    await send('POST', `/v1/incidents/${made.id}/updates`, { status: 'resolved', body: 'Over.', posted_at });
    expect(await untilOf(id)).toBeLessThanOrEqual(posted);
  });
});

describe('PageReader.monitor', () => {
  it('returns status, uptime, days and incidents without reading other monitors', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const { id, slug } = await pageOf([one, other], { history_days: 30 });
    await post(
      [one, other].map((monitor_id) => ({ monitor_id, status: 'operational', observed_at: daysAgo(9) })),
    );
    const shown = await past({ [one]: 'major_outage' }, 4, 3);
    await past({ [other]: 'major_outage' }, 6, 5);
    const part = (await read(id, (reader, page) => reader.monitor(page, one))).data;
    const kept = 'SELECT FROM monitor_days WHERE monitor_id = $1';
    expect(await server.sql(kept, [one])).toHaveLength(29);
    expect(await server.sql(kept, [other])).toEqual([]);
    expect(part).toMatchObject({ monitor: { monitor_id: one, name: 'Monitor', status: 'operational' } });
    expect(part?.day_incidents).toMatchObject([{ id: shown, monitor_id: one }]);
    const { sections } = await overviewOf(id);
    expect(part?.monitor).toMatchObject({ uptime: sections[0]?.monitors[0]?.uptime });
    const days = part && unpackMonitor(part.monitor).days;
    expect(days?.slice(0, -1)).toEqual(sections[0]?.monitors[0]?.days.slice(0, -1));
    expect((await visit(`${slug}/monitors/${one}`)).status).toBe(200);
  });
});

describe('HistoryReader.month', () => {
  let page_id: string;
  let old: string;

  beforeAll(async () => {
    const one = await monitor();
    old = await past({ [one]: 'major_outage' }, 70, 69.9);
    ({ id: page_id } = await pageOf([one]));
  });

  const monthPart = async (month: string) =>
    (await read(page_id, (_reader, page) => server.app.get(HistoryReader).month(page, month))).data;

  it('returns the incidents of a month and no month before the first incident', async () => {
    const month = monthOf(new Date(daysAgo(70)));
    const first = await monthPart(month);
    expect(first).toMatchObject({ month, previous: null, next: monthAfter(month, 1) });
    expect(idsOf(first?.incidents ?? [])).toEqual([old]);
    expect(await monthPart(monthAfter(month, 1))).toMatchObject({ previous: month, incidents: [] });
    expect(await monthPart(monthAfter(month, -1))).toMatchObject({ previous: null, incidents: [] });
  });

  it('returns upcoming months with maintenance windows, without incidents that are open now', async () => {
    const now = monthOf(new Date());
    const one = await monitor();
    const { id } = await pageOf([one]);
    await incident({ [one]: 'major_outage' });
    const planned = await maintenance(40, 41, { monitor_ids: [one] });
    const ahead = monthOf(new Date(daysAgo(-40)));
    const partOf = async (month: string) =>
      (await read(id, (_reader, page) => server.app.get(HistoryReader).month(page, month))).data;
    expect(await partOf(now)).toMatchObject({ next: monthAfter(now, 1) });
    const found = await partOf(ahead);
    expect([found?.incidents, idsOf(found?.maintenances ?? [])]).toEqual([[], [planned]]);
    expect(found?.next).toBe(monthOf(new Date(daysAgo(-41))) === ahead ? null : monthAfter(ahead, 1));
  });

  it.each([
    ['UTC', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['Australia/Sydney', '2026-02-28T13:00:00.000Z', '2026-03-31T13:00:00.000Z'],
    ['America/New_York', '2026-03-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z'],
    ['Asia/Kolkata', '2026-02-28T18:30:00.000Z', '2026-03-31T18:30:00.000Z'],
  ])('begins and ends a month in the time zone %s', (timeZone, from, to) => {
    expect(rangeOfMonth('2026-03', timeZone)).toEqual({ from: new Date(from), to: new Date(to) });
    for (const [time, month] of [
      [new Date(from), '2026-03'],
      [new Date(Date.parse(from) - 1), '2026-02'],
      [new Date(Date.parse(to) - 1), '2026-03'],
      [new Date(to), '2026-04'],
    ] as const)
      expect(monthOf(time, timeZone)).toBe(month);
  });

  it('contains an incident on the first day of the month in the time zone of the page', async () => {
    const one = await monitor();
    const { id } = await pageOf([one]);
    await send('PATCH', `/v1/status-pages/${id}/branding`, { time_zone: 'Australia/Sydney' });
    const month = monthOf(new Date(daysAgo(70)), 'Australia/Sydney');
    const { from } = rangeOfMonth(month, 'Australia/Sydney');
    const days = (Date.now() - from.getTime()) / 86_400_000;
    const early = await past({ [one]: 'major_outage' }, days - 0.1, days - 0.2);
    const partOf = async (name: string) =>
      (await read(id, (_reader, page) => server.app.get(HistoryReader).month(page, name))).data;
    expect(idsOf((await partOf(month))?.incidents ?? [])).toEqual([early]);
    expect(idsOf((await partOf(monthAfter(month, -1)))?.incidents ?? [])).toEqual([]);
  });

  it('covers 120 months back and 12 months ahead', async () => {
    const now = monthOf(new Date());
    for (const count of [-120, 12]) expect(await monthPart(monthAfter(now, count))).toBeDefined();
    for (const count of [-121, 13]) expect(await monthPart(monthAfter(now, count))).toBeUndefined();
  });
});

describe('HistoryReader.latest', () => {
  it('returns visible incidents and maintenance windows, latest start first, including cancelled ones', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const page = await pageOf([one]);
    const older = await past({ [one]: 'major_outage' }, 3, 2);
    const newer = (await incident({}, { status_page_ids: [page.id] })).id;
    await incident({ [other]: 'major_outage' });
    await incident({ [one]: 'major_outage' }, { status_page_ids: [] });
    const cancelled = await maintenance(5, 6, { monitor_ids: [one] });
    await send('PATCH', `/v1/maintenances/${cancelled}`, { status: 'cancelled' });
    const sooner = await maintenance(1, 2, { monitor_ids: [], status_page_ids: [page.id] });
    const { incidents, maintenances } = await latestOf(page.id);
    expect(idsOf(incidents)).toEqual([newer, older]);
    expect(maintenances.map(({ id, status }) => [id, status])).toEqual([
      [cancelled, 'cancelled'],
      [sooner, 'scheduled'],
    ]);
  });
});
