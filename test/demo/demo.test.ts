import { beforeAll, describe, expect, it } from 'vitest';
import { MONITORS, PAGES } from '../../src/demo/demo-pages.js';
import { type Demo, DemoService } from '../../src/demo/demo.service.js';
import type { MonitorDaysDto } from '../../src/summaries/days/dto/monitor-days.dto.js';
import type { IncidentUpdateDto } from '../../src/incidents/dto/incident-update.dto.js';
import type { IncidentDto } from '../../src/incidents/dto/incident.dto.js';
import type { MaintenanceDto } from '../../src/maintenances/dto/maintenance.dto.js';
import type { MonitorDto } from '../../src/monitors/dto/monitor.dto.js';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import type { StatusPageSummaryDto } from '../../src/summaries/dto/status-page-summary.dto.js';
import type { MonitorStatusDto } from '../../src/summaries/statuses/dto/monitor-status.dto.js';
import { actorIn } from '../support/actors.js';
import { type One, type ListPage, useTestServer, type Wire } from '../support/server.js';

const MINUTE = 60;

const server = useTestServer();
let demo: Demo;
beforeAll(async () => {
  demo = await server.app.get(DemoService).create(PAGES.length, actorIn);
});

/** Returns all items of a demo list. */
async function listOf<Row>(path: string, query = `project_id=${demo.project_id}`): Promise<Row[]> {
  const { body } = await server.ask<ListPage<Row>>(`${path}?limit=100&${query}`, { key: demo.key });
  return body.data;
}

const incidents = () => listOf<Wire<IncidentDto>>('/v1/incidents');

/** Returns the days of all monitors by name. */
async function daysOfMonitors(): Promise<Map<string, MonitorDaysDto['days']>> {
  const days = new Map<string, MonitorDaysDto['days']>();
  for (const { id, name } of await listOf<MonitorDto>('/v1/monitors')) {
    const { body } = await server.ask<One<MonitorDaysDto>>(`/v1/monitors/${id}/days`, { key: demo.key });
    days.set(name, body.data.days);
  }
  return days;
}

it('the demo has 90 known days for each of its monitors, mostly without problems', async () => {
  const days = await daysOfMonitors();
  expect([...days.keys()].toSorted()).toEqual(MONITORS.map(({ name }) => name).toSorted());
  for (const own of days.values()) {
    expect(own).toHaveLength(90);
    expect(own.filter(({ unknown }) => unknown > 0)).toEqual([]);
    const wrong = own.filter(
      ({ degraded_performance, partial_outage, major_outage }) =>
        degraded_performance + partial_outage + major_outage > 0,
    );
    expect(wrong.length).toBeLessThan(8);
  }
  const degraded = [...days.values()].flat().filter(({ degraded_performance: seconds }) => seconds > 0);
  expect(degraded.length).toBeGreaterThan(10);
});

it('the demo has outages only during incidents', async () => {
  const days = await daysOfMonitors();
  const secondsOf = (status: 'major_outage' | 'partial_outage' | 'under_maintenance') =>
    Object.fromEntries(
      [...days].flatMap(([name, own]) => {
        const seconds = own.reduce((sum, day) => sum + day[status], 0);
        return seconds > 0 ? [[name, seconds]] : [];
      }),
    );
  expect(secondsOf('major_outage')).toEqual({ 'Europe (Frankfurt)': 41 * MINUTE });
  expect(secondsOf('partial_outage')).toEqual({
    'Europe (Frankfurt)': 25 * MINUTE,
    'File storage': 41 * MINUTE,
    'Email delivery': 55 * MINUTE,
  });
  expect(secondsOf('under_maintenance')).toEqual({ Payments: 30 * MINUTE });
});

it('the demo has four incidents, one of which is open and explains the degraded monitors', async () => {
  const all = await incidents();
  expect(all.map(({ status }) => status).toSorted()).toEqual([
    'identified',
    'resolved',
    'resolved',
    'resolved',
  ]);
  for (const { id } of all) {
    const updates = await listOf<IncidentUpdateDto>(`/v1/incidents/${id}/updates`, '');
    expect(updates.length).toBeGreaterThan(1);
  }
  const statuses = await listOf<MonitorStatusDto>('/v1/monitor-statuses');
  const wrong = statuses.filter(({ status }) => status !== 'operational');
  const open = all.find(({ resolved_at }) => resolved_at === null);
  expect(wrong).toMatchObject([
    { status: 'degraded_performance', reported_status: 'degraded_performance', incident_ids: [open?.id] },
  ]);
  for (const { observed_at } of statuses) {
    const age = Date.now() - new Date(observed_at ?? 0).getTime();
    expect(age / 60_000).toBeGreaterThanOrEqual(2);
    expect(age / 60_000).toBeLessThan(10);
  }
});

it('the demo has an upcoming and a past maintenance window', async () => {
  const maintenances = await listOf<MaintenanceDto>('/v1/maintenances');
  expect(maintenances.map(({ status }) => status).toSorted()).toEqual(['completed', 'scheduled']);
});

describe('each page of the demo', () => {
  const pages = () => listOf<StatusPageDto>('/v1/status-pages');
  const summaryOf = async ({ id }: StatusPageDto) => {
    const path = `/v1/status-pages/${id}/summary`;
    return (await server.ask<One<Wire<StatusPageSummaryDto>>>(path, { key: demo.key })).body.data;
  };

  it('shows different data in a different color, and the page with the open incident is the newest', async () => {
    const all = await pages();
    expect(all.map(({ slug, is_public }) => [slug, is_public])).toEqual([
      ['acme-cloud', true],
      ['acme-shop', true],
      ['acme-internal', false],
    ]);
    expect(new Set(all.map(({ accent_color }) => accent_color)).size).toBe(3);
    expect(demo.slug).toBe('acme-cloud');
    expect(demo.status_page_ids).toEqual(all.map(({ id }) => id).toReversed());
    const [cloud, shop] = await Promise.all(all.map(summaryOf));
    expect(cloud).toMatchObject({
      status: 'degraded_performance',
      incidents: [{ status: 'identified' }],
      maintenances: [{ status: 'scheduled' }],
    });
    expect(shop).toMatchObject({ status: 'operational', incidents: [], maintenances: [] });
  });

  it('shows a resolved incident and a degradation in the last 14 days on the first page', async () => {
    const since = Date.now() - 14 * 86_400_000;
    const recent = (await incidents()).filter(({ started_at }) => Date.parse(started_at) > since);
    const resolved = recent.find(({ status }) => status === 'resolved');
    const updates = await listOf<IncidentUpdateDto>(`/v1/incidents/${resolved?.id}/updates`, '');
    expect(updates.length).toBeGreaterThan(2);
    const { text } = await server.ask('/status/acme-cloud');
    expect(text).toContain('Emails are delayed');
    const storage = (await daysOfMonitors()).get('File storage')?.slice(-14) ?? [];
    const degraded = storage.reduce((sum, { degraded_performance: seconds }) => sum + seconds, 0);
    expect(degraded).toBeGreaterThanOrEqual(14 * MINUTE);
  });
});

it('a larger demo has pages with different names and the sections of the first one', async () => {
  const large = await server.app.get(DemoService).create(60, actorIn);
  const { body } = await server.ask<ListPage<StatusPageDto>>(
    `/v1/status-pages?limit=100&project_id=${large.project_id}`,
    { key: large.key },
  );
  expect(new Set(body.data.map(({ name }) => name)).size).toBe(60);
  const titles = body.data.slice(3).map(({ sections }) => sections.map(({ title }) => title).join());
  expect(new Set(titles)).toEqual(new Set(['Core services,Regions,Integrations']));
});
