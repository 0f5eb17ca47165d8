import { describe, expect, it } from 'vitest';
import type { BrandingDto } from '../../src/branding/dto/branding.dto.js';
import type { MonitorDaysDto } from '../../src/summaries/days/dto/monitor-days.dto.js';
import type { One, Tenant } from '../support/server.js';
import {
  ago,
  component,
  DAY_MS,
  incident,
  page,
  update,
  useStatuspage,
  withMaintenance,
} from './use-statuspage.js';

const { imported, send, server } = useStatuspage();
const HOUR_MS = 3_600_000;
const dayOf = (time: string) => time.slice(0, 10);

/** The last 90 days of a monitor before today, oldest first. */
async function daysOf({ key }: Tenant, monitor_id: string | undefined): Promise<MonitorDaysDto> {
  const range = `from=${dayOf(ago(90 * DAY_MS))}&to=${dayOf(ago(DAY_MS))}`;
  const { body } = await server.ask<One<MonitorDaysDto>>(`/v1/monitors/${monitor_id}/days?${range}`, { key });
  return body.data;
}

/** The number of days of the last 90 that contain unknown time, and the uptime. */
async function historyOf(file: object) {
  const { tenant, statuses } = await imported(file);
  const { days, uptime } = await daysOf(tenant, statuses.get('a')?.monitor_id);
  return { unknown: days.filter(({ unknown }) => unknown > 0).length, uptime };
}

const operational = { status: 'operational', updated_at: ago(HOUR_MS) };

describe('POST /v1/imports/statuspage with times of components', () => {
  it.each([
    ['start_date', { start_date: dayOf(ago(30 * DAY_MS)), created_at: ago(80 * DAY_MS) }, 60],
    [
      'created_at if start_date is null',
      { start_date: null, created_at: `${dayOf(ago(50 * DAY_MS))}T00:00:00Z` },
      40,
    ],
    ['created_at more than 400 days ago', { created_at: '2014-08-06T17:48:56.368-06:00' }, 0],
  ])('makes monitors operational since %s', async (_name, times, unknown) => {
    const file = { page, components: [component('a', { ...operational, ...times })] };
    expect(await historyOf(file)).toEqual({ unknown, uptime: 100 });
  });

  it('makes monitors operational since the day of an incident before their creation', async () => {
    const start = `${dayOf(ago(60 * DAY_MS))}T10:00:00.000Z`;
    const end = `${dayOf(ago(60 * DAY_MS))}T12:00:00.000Z`;
    const updates = [
      update('resolved', end, { affected_components: [{ code: 'a', new_status: 'operational' }] }),
      update('investigating', start, { affected_components: [{ code: 'a', new_status: 'major_outage' }] }),
    ];
    const { unknown, uptime } = await historyOf({
      page,
      components: [component('a', { ...operational, created_at: ago(HOUR_MS) })],
      incidents: [
        incident({ status: 'resolved', created_at: start, resolved_at: end, incident_updates: updates }),
      ],
    });
    expect([unknown, uptime]).toEqual([30, 99.86]); // 2 of 1,440 hours
  });

  it('makes monitors operational since the day of a maintenance window before their creation', async () => {
    const day = dayOf(ago(20 * DAY_MS));
    const window = { scheduled_for: `${day}T10:00:00Z`, scheduled_until: `${day}T11:00:00Z` };
    const { components, ...file } = withMaintenance({ ...window, components: [{ id: 'a' }] });
    const later = components.map((one) => ({ ...one, created_at: ago(HOUR_MS) }));
    expect(await historyOf({ ...file, components: later })).toEqual({ unknown: 70, uptime: 100 });
  });

  it('keeps the status of the file since its last change', async () => {
    const changed = `${dayOf(ago(10 * DAY_MS))}T00:00:00Z`;
    const fields = { status: 'major_outage', updated_at: changed, created_at: ago(500 * DAY_MS) };
    const { unknown, uptime } = await historyOf({ page, components: [component('a', fields)] });
    expect([unknown, uptime]).toEqual([0, 88.88]); // 80 of 90 days
  });

  it('ignores times that it cannot read, and counts only the statuses of the file as reports', async () => {
    const times = { start_date: 'last year', created_at: ago(3 * DAY_MS) };
    const { report } = await imported({
      page,
      components: [component('a', { ...operational, ...times }), component('b', times)],
    });
    expect(report).toMatchObject({ monitors: 2, reports: 1, not_imported: [] });
  });

  it('omits them for a key that cannot report', async () => {
    const tenant = await server.tenant();
    const { key } = await server.key(tenant.organization_id, {
      scopes: ['status_pages:write', 'monitors:write'],
    });
    const file = { page, components: [component('a', { created_at: ago(5 * DAY_MS) })] };
    const { monitors, reports } = await send(tenant, file, { key });
    expect([monitors, reports]).toEqual([1, 0]);
    const states = await server.sql(
      'SELECT count(*)::int AS count FROM monitor_states WHERE organization_id = $1',
      [tenant.organization_id],
    );
    expect(states).toEqual([{ count: 0 }]);
  });
});

describe('POST /v1/imports/statuspage with a time zone', () => {
  it.each([
    ['America/Denver', 'America/Denver', []],
    ['Mountain Time (US & Canada)', 'UTC', ['page.time_zone (1 without an equivalent)']],
    [null, 'UTC', []],
  ])('reads %s', async (time_zone, expected, not_imported) => {
    const file = { page: { ...page, time_zone }, components: [component('a')] };
    const { tenant, report } = await imported(file);
    expect(report.not_imported).toEqual(not_imported);
    const path = `/v1/status-pages/${report.status_page_id}/branding`;
    const { body } = await server.ask<One<BrandingDto>>(path, { key: tenant.key });
    expect(body.data.time_zone).toBe(expected);
  });
});

describe('not_imported', () => {
  it('lists the settings that are lost, not the IDs and addresses of the former page', async () => {
    const { report } = await imported({
      page: { ...page, url: 'https://status.example.com', updated_at: ago(0) },
      status: { indicator: 'none', description: 'All Systems Operational' },
      components: [component('a', { showcase: true, page_id: 'p' })],
      incidents: [incident({ id: 'i', shortlink: 'https://stspg.io/i', updated_at: ago(0) })],
    });
    expect(report.not_imported).toEqual(['components.showcase']);
  });

  it('counts all times of incidents and maintenance windows that cannot be kept', async () => {
    const at = (hour: number) => `2026-11-10T${String(hour).padStart(2, '0')}:00:00.000Z`;
    const resolved = (name: string, resolved_at: string, incident_updates: object[]) =>
      incident({ name, status: 'resolved', created_at: at(10), resolved_at, incident_updates });
    const window = { status: 'completed', scheduled_for: at(10), scheduled_until: at(12) };
    const { report, incidents } = await imported({
      page,
      components: [component('a')],
      incidents: [
        resolved('declared after its end', at(9), [
          update('resolved', at(10), { display_at: at(9) }),
          update('investigating', at(10), { display_at: at(8) }),
        ]),
        resolved('ended before it began', at(9), []),
        resolved('ended before its last update', at(10), [update('monitoring', at(11))]),
        resolved('resolved at two times', at(11), [update('resolved', at(12))]),
        resolved('of one instant', at(10), [update('resolved', at(10)), update('investigating', at(10))]),
        resolved('written within seconds', at(11), [update('resolved', '2026-11-10T11:00:02.000Z')]),
        incident({ name: 'open again', created_at: at(10), resolved_at: at(11) }),
      ],
      scheduled_maintenances: [{ name: 'Maintenance', ...window, resolved_at: at(9) }],
    });
    const times = incidents.map(({ title, started_at, resolved_at }) => [title, started_at, resolved_at]);
    expect(new Map(times.map(([title, ...both]) => [title, both]))).toEqual(
      new Map([
        ['declared after its end', [at(8), at(9)]],
        ['ended before it began', [at(10), at(10)]],
        ['ended before its last update', [at(10), at(11)]],
        ['resolved at two times', [at(10), at(12)]],
        ['of one instant', [at(10), at(10)]],
        ['written within seconds', [at(10), '2026-11-10T11:00:02.000Z']], // the time of the update
        ['open again', [at(10), null]],
      ]),
    );
    expect(report.not_imported.toSorted()).toEqual([
      'incidents.resolved_at (1 before the last update)',
      'incidents.resolved_at (1 before the start)',
      'incidents.resolved_at (1 of an open incident)',
      'incidents.resolved_at (1 unlike the resolving update)',
      'incidents.started_at (1 after the first update)',
      'scheduled_maintenances.resolved_at (1 before the start)',
    ]);
  });
});
