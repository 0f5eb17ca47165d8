import { beforeAll, describe, expect, it } from 'vitest';
import { useSite } from './use-site.js';

const site = useSite();

let incident: string;
let maintenance: string;
let monitorPath: string;

async function post(path: string, json: object): Promise<string> {
  const { server, tenant } = site;
  const { body, status, text } = await server.ask(path, { method: 'POST', key: tenant.key, json });
  if (status !== 201) throw new Error(text);
  return body.data.id;
}

beforeAll(async () => {
  const { server, tenant } = site;
  const { project_id } = tenant;
  const [monitor = ''] = await server.monitors(tenant, 1);
  const sections = [{ id: 'all', title: 'All', monitor_ids: [monitor] }];
  const { slug } = await server.page(tenant, { sections, history_days: 365 });
  // In New York, clocks went back an hour at 06:00 UTC.
  const monitors = [{ monitor_id: monitor, status: 'major_outage' }];
  const [started_at, ended_at] = ['2025-11-02T05:30:00.000Z', '2025-11-02T06:30:00.000Z'];
  const id = await post('/v1/incidents', { project_id, title: 'Errors', body: 'Late', monitors, started_at });
  await post(`/v1/incidents/${id}/updates`, { status: 'resolved', body: 'Over', posted_at: ended_at });
  // In the last 365 days, so that the page of the monitor has tables.
  const recent = new Date(Date.now() - 3_600_000).toISOString();
  await post('/v1/incidents', { project_id, title: 'Recent', body: 'Now', monitors, started_at: recent });
  // In Berlin, clocks went forward an hour at 01:00 UTC.
  const planned = await post('/v1/maintenances', {
    project_id,
    title: 'Upgrade',
    body: 'New disks',
    monitor_ids: [monitor],
    starts_at: '2025-03-30T00:30:00.000Z',
    ends_at: '2025-03-30T01:30:00.000Z',
  });
  incident = `/status/${slug}/incidents/${id}`;
  maintenance = `/status/${slug}/maintenances/${planned}`;
  monitorPath = `/status/${slug}/monitors/${monitor}`;
});

/** Returns the period of a document in the time zone of its page, and its title for a visitor in another time zone. */
async function periodsIn(timezoneId: string, path: string): Promise<string[]> {
  const { page, faults } = await site.visit(path, { timezoneId });
  const time = page.locator('.facts time');
  const texts = [await time.innerText(), (await time.getAttribute('title')) ?? ''];
  expect(faults).toEqual([]);
  return texts.map((text) => text.replaceAll('\u00a0', ' '));
}

describe('times around a daylight saving time change', () => {
  it.each([
    ['America/New_York', '2 Nov 2025, 01:30 EDT – 2 Nov 2025, 01:30 EST'],
    ['Europe/Berlin', '2 Nov 2025, 06:30–07:30 CET'],
  ])('appear in titles in the time zone %s for an incident', async (zone, period) => {
    expect(await periodsIn(zone, incident)).toEqual(['2 Nov 2025, 05:30–06:30 UTC', period]);
  });

  it.each([
    ['America/New_York', '29 Mar 2025, 20:30–21:30 EDT'],
    ['Europe/Berlin', '30 Mar 2025, 01:30 CET – 30 Mar 2025, 03:30 CEST'],
  ])('appear in titles in the time zone %s for a maintenance window', async (zone, period) => {
    expect(await periodsIn(zone, maintenance)).toEqual(['30 Mar 2025, 00:30–01:30 UTC', period]);
  });
});

describe('uptime bars', () => {
  it('show UTC days in all time zones', async () => {
    const drawings: string[] = [];
    for (const timezoneId of ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland']) {
      const { page } = await site.visit(monitorPath, { timezoneId });
      drawings.push(await page.locator('svg.bars').first().innerHTML());
      drawings.push((await page.locator('table.days').first().innerText()) ?? '');
    }
    expect(new Set(drawings).size).toBe(2);
  });
});
