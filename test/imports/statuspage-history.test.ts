import { describe, expect, it } from 'vitest';
import { ImportsService } from '../../src/imports/imports.service.js';
import { actorIn } from '../support/actors.js';
import { expectRefused } from '../support/imports.js';
import { GITHUB, INSTRUCTURE } from './real-statuspages.js';
import {
  ago,
  component,
  DAY_MS,
  incident,
  page,
  update,
  withMaintenance,
  useStatuspage,
} from './use-statuspage.js';

const { imported, readBack, send, server } = useStatuspage();

describe('POST /v1/imports/statuspage with a real file', () => {
  it('creates incidents with updates and the components that each update affects', async () => {
    const { report, incidents } = await imported(GITHUB);
    expect(report).toMatchObject({ monitors: 3, reports: 3, incidents: 2, maintenances: 1 });
    const [newest, oldest] = incidents;
    expect(newest).toMatchObject({
      title: 'Incident with Pages and Actions',
      status: 'resolved',
      impact: 'major',
      started_at: '2024-09-16T21:31:02.713Z',
      resolved_at: '2024-09-16T22:08:39.333Z',
      status_page_ids: null,
      monitors: {},
    });
    expect(newest?.updates.map(({ status, posted_at, monitors }) => [status, posted_at, monitors])).toEqual([
      ['investigating', '2024-09-16T21:31:02.798Z', { Pages: 'partial_outage', Actions: 'partial_outage' }],
      ['investigating', '2024-09-16T21:37:26.995Z', { Pages: 'partial_outage', Actions: 'major_outage' }],
      ['investigating', '2024-09-16T21:52:44.092Z', { Pages: 'operational', Actions: 'major_outage' }],
      ['investigating', '2024-09-16T21:55:28.472Z', { Pages: 'operational', Actions: 'partial_outage' }],
      ['resolved', '2024-09-16T22:08:39.333Z', { Pages: 'operational', Actions: 'operational' }],
    ]);
    expect(oldest).toMatchObject({ title: 'Disruption with Git SSH', status: 'resolved', impact: 'minor' });
    expect(oldest?.updates[1]?.body).toBe(GITHUB.incidents[1]?.incident_updates[1]?.body);
  });

  it('creates maintenance windows with the text of their first update, and with their other updates', async () => {
    const { report, maintenances } = await imported(GITHUB);
    expect(maintenances).toMatchObject([
      {
        title: 'Sunsetting API Authentication via Query Parameters, and the OAuth Applications API',
        body: expect.stringMatching(/^We will be removing <a href/),
        status: 'completed',
        starts_at: '2021-08-11T14:00:00.000Z',
        ends_at: '2021-08-13T14:00:00.000Z',
        status_page_ids: null,
        monitors: ['API Requests'],
        updates: [
          {
            body: 'Scheduled maintenance is currently in progress. We will provide updates as necessary.',
            posted_at: '2021-08-11T14:00:34.154Z',
          },
          {
            body: 'The scheduled maintenance has been completed.',
            posted_at: '2021-08-13T14:00:29.892Z',
          },
        ],
      },
    ]);
    expect(report.not_imported.filter((one) => one.includes('incident_updates ('))).toEqual([]);
  });

  it('keeps an open incident open, with times of any offset', async () => {
    const { report, incidents, statuses } = await imported(INSTRUCTURE);
    expect(report).toMatchObject({ monitors: 3, reports: 3, incidents: 1, maintenances: 0 });
    expect(report.not_imported).toEqual(['components.only_show_if_degraded', 'components.showcase']);
    expect(incidents).toMatchObject([
      {
        status: 'identified',
        started_at: '2021-12-07T16:06:43.172Z',
        resolved_at: null,
        monitors: { Website: 'degraded_performance', Canvas: 'degraded_performance' },
      },
    ]);
    const canvas = statuses.get('Canvas');
    expect(canvas).toMatchObject({ status: 'degraded_performance', reported_status: 'degraded_performance' });
    expect(canvas?.incident_ids).toEqual(incidents.map(({ id }) => id));
    expect(statuses.get('— Chat')).toMatchObject({ status: 'operational', incident_ids: [] });
  });
});

describe('POST /v1/imports/statuspage with component statuses', () => {
  it('creates a report at the last change, at most 400 days ago', async () => {
    const updated_at = ago(3 * DAY_MS);
    const { report, statuses } = await imported({
      page,
      components: [
        component('recent', { status: 'partial_outage', updated_at }),
        component('old', { status: 'operational', updated_at: '2019-06-26T12:17:36.935-06:00' }),
        component('ahead', { status: 'operational', updated_at: ago(-3 * DAY_MS) }),
        component('timeless', { status: 'major_outage' }),
      ],
    });
    expect(report.reports).toBe(4);
    expect(statuses.get('recent')).toMatchObject({ status: 'partial_outage', observed_at: updated_at });
    const ageOf = (name: string) => Date.now() - new Date(statuses.get(name)?.observed_at ?? 0).getTime();
    expect(Math.round(ageOf('old') / DAY_MS)).toBe(400);
    for (const name of ['ahead', 'timeless']) {
      expect(ageOf(name)).toBeGreaterThanOrEqual(0);
      expect(ageOf(name)).toBeLessThan(60_000);
    }
  });

  it('creates no report for a status that is a maintenance, unknown or missing', async () => {
    const { report, statuses } = await imported({
      page,
      components: [
        component('maintained', { status: 'under_maintenance' }),
        component('odd', { status: 'on_fire' }),
        component('null', { status: null }),
        component('none'),
      ],
    });
    expect(report.reports).toBe(0);
    expect(report.not_imported).toEqual(['components.status (2 without an equivalent)']);
    expect(statuses.get('maintained')).toMatchObject({ status: 'operational', observed_at: null });
  });
});

describe('POST /v1/imports/statuspage with maintenance windows', () => {
  it('ends completed ones early and omits those without end or out of range', async () => {
    const [scheduled_for, scheduled_until] = [ago(2 * DAY_MS), ago(-DAY_MS)];
    const early = await imported(
      withMaintenance({
        status: 'completed',
        scheduled_for,
        scheduled_until,
        resolved_at: ago(DAY_MS),
        components: [{ id: 'b' }],
      }),
    );
    expect(early.maintenances).toMatchObject([
      { status: 'completed', ends_at: scheduled_until, monitors: ['b'] },
    ]);
    expect(early.statuses.get('b')).toMatchObject({ maintenance_ids: [] });
    const running = await imported(
      withMaintenance({ status: 'verifying', scheduled_for, scheduled_until, components: [{ id: 'b' }] }),
    );
    expect(running.maintenances).toMatchObject([{ status: 'in_progress' }]);
    expect(running.statuses.get('b')).toMatchObject({ status: 'under_maintenance' });
    for (const window of [
      { scheduled_for, scheduled_until: null },
      { scheduled_for, scheduled_until: scheduled_for },
      { scheduled_for: '1999-01-01T00:00:00Z', scheduled_until: '1999-01-02T00:00:00Z' },
      { scheduled_for: ago(-401 * DAY_MS), scheduled_until: ago(-402 * DAY_MS) },
    ]) {
      const { report } = await imported(withMaintenance(window));
      expect(report.maintenances).toBe(0);
      expect(report.not_imported).toEqual([
        'scheduled_maintenances (1 without an end, before 2000, or more than 400 days in the future)',
      ]);
    }
  });

  it('omits updates without a text or with a time out of range, and all but the last 1,000', async () => {
    const window = { scheduled_for: ago(DAY_MS), scheduled_until: ago(-DAY_MS) };
    const first = update('scheduled', '1998-01-01T00:00:00Z');
    const some = await imported(
      withMaintenance({
        ...window,
        incident_updates: [
          update('completed', ago(-DAY_MS)),
          update('verifying', ago(60_000), { body: 'x'.repeat(10_001) }),
          update('in_progress', ago(120_000), { body: ' \n' }),
          update('in_progress', ago(180_000), { body: null }),
          update('scheduled', '1999-01-01T00:00:00Z'),
          first,
        ],
      }),
    );
    expect(some.maintenances).toMatchObject([
      { body: 'scheduled', updates: [{ body: `${'x'.repeat(9_999)}…` }] },
    ]);
    const field = 'scheduled_maintenances.incident_updates';
    expect(some.report.not_imported.toSorted()).toEqual([
      `${field} (2 with a time before 2000 or in the future)`,
      `${field}.body (1 cut to 10000 characters)`,
      `${field}.body (2 empty)`,
    ]);
    const many = Array.from({ length: 1_003 }, (_, index) => update('scheduled', ago(index * 1_000)));
    const { report } = await imported(withMaintenance({ ...window, incident_updates: many }));
    expect(report.not_imported).toContain(`${field} (2 before the last 1000)`);
  });

  it('shows those without monitors only on the imported page', async () => {
    const window = { scheduled_for: ago(DAY_MS), scheduled_until: ago(-DAY_MS) };
    const { report, maintenances } = await imported(withMaintenance(window));
    expect(maintenances).toMatchObject([{ monitors: [], status_page_ids: [report.status_page_id] }]);
    const affecting = await imported(withMaintenance({ ...window, components: [{ id: 'b' }] }));
    expect(affecting.maintenances).toMatchObject([{ monitors: ['b'], status_page_ids: null }]);
  });

  it('shortens them to 30 days', async () => {
    const { report, maintenances } = await imported(
      withMaintenance({
        scheduled_for: '2026-01-01T00:00:00Z',
        scheduled_until: '2026-06-01T00:00:00+02:00',
      }),
    );
    expect(maintenances).toMatchObject([{ ends_at: '2026-01-31T00:00:00.000Z' }]);
    expect(report.not_imported).toEqual(['scheduled_maintenances.scheduled_until (1 cut to 30 days)']);
  });
});

it('POST /v1/imports/statuspage imports the newest 1,000 incidents and maintenance windows together', async () => {
  const tenant = await server.tenant();
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();
  const file = {
    page,
    components: [component('a')],
    incidents: Array.from({ length: 600 }, (_, index) =>
      incident({ name: `${index}`, created_at: at(2 * index) }),
    ),
    scheduled_maintenances: Array.from({ length: 500 }, (_, index) => ({
      name: `${index}`,
      status: 'scheduled',
      scheduled_for: at(2 * index + 1),
      scheduled_until: at(2 * index + 2),
    })),
  };
  const report = await send(tenant, file, { query: '&dry_run=true' });
  expect(report).toMatchObject({ incidents: 550, maintenances: 450 });
  expect(report.not_imported).toEqual([
    'incidents (50 beyond the newest 1000)',
    'scheduled_maintenances (50 beyond the newest 1000)',
  ]);
});

it('POST /v1/imports/statuspage creates nothing in a dry run and returns the same summary', async () => {
  const tenant = await server.tenant();
  const foretold = await send(tenant, GITHUB, { query: '&dry_run=true' });
  expect(await readBack(tenant)).toMatchObject({ incidents: [], maintenances: [] });
  const { status_page_id, ...made } = await send(tenant, GITHUB);
  expect({ ...made, dry_run: true, status_page_id: null }).toEqual(foretold);
  expect(status_page_id).not.toBeNull();
});

it('POST /v1/imports/statuspage skips parts for which the key lacks a scope, and reports the scope', async () => {
  const tenant = await server.tenant();
  const scopes = ['status_pages:write', 'monitors:write'] as const;
  const { key } = await server.key(tenant.organization_id, { scopes: [...scopes] });
  const report = await send(tenant, GITHUB, { key });
  expect(report).toMatchObject({ monitors: 3, reports: 0, incidents: 0, maintenances: 0 });
  expect(report.not_imported.slice(-3)).toEqual([
    'components.status (requires the scope monitor_reports:write)',
    'incidents (requires the scope incidents:write)',
    'scheduled_maintenances (requires the scope maintenances:write)',
  ]);
  const { incidents, maintenances, statuses } = await readBack(tenant);
  expect([incidents, maintenances, statuses.get('Pages')?.observed_at]).toEqual([[], [], null]);

  const some = await server.key(tenant.organization_id, { scopes: [...scopes, 'incidents:write'] });
  expect(await send(tenant, GITHUB, some)).toMatchObject({ reports: 0, incidents: 2, maintenances: 0 });
});

it.each<[object, { pointer: string; code: string }]>([
  [{ incidents: {} }, { pointer: '#/incidents', code: 'invalid_type' }],
  [{ incidents: [5] }, { pointer: '#/incidents/0', code: 'invalid_type' }],
  [{ incidents: [incident({ name: ' ' })] }, { pointer: '#/incidents/0/name', code: 'blank' }],
  [
    { incidents: [incident({ created_at: 'today' })] },
    { pointer: '#/incidents/0/created_at', code: 'invalid_format' },
  ],
  [{ incidents: [incident({ status: 5 })] }, { pointer: '#/incidents/0/status', code: 'invalid_type' }],
  [
    { incidents: [incident({ incident_updates: [{ status: 'resolved' }] })] },
    { pointer: '#/incidents/0/incident_updates/0/created_at', code: 'required' },
  ],
  [
    { incidents: [incident({ incident_updates: [update('resolved', ago(1_000), { body: 'a\u0000b' })] })] },
    { pointer: '#/incidents/0/incident_updates/0/body', code: 'invalid_format' },
  ],
  [
    {
      incidents: [
        incident({
          incident_updates: [update('resolved', ago(1_000), { affected_components: [{ code: 1 }] })],
        }),
      ],
    },
    { pointer: '#/incidents/0/incident_updates/0/affected_components/0/code', code: 'invalid_type' },
  ],
  [
    { scheduled_maintenances: [{ name: 'x', status: 'scheduled' }] },
    { pointer: '#/scheduled_maintenances/0/scheduled_for', code: 'required' },
  ],
  [{ incidents: Array.from({ length: 5_001 }, () => ({})) }, { pointer: '#/incidents', code: 'too_long' }],
])('POST /v1/imports/statuspage rejects malformed history, case %#', async (fields, error) => {
  const file = { page, components: [component('a')], ...fields };
  const imports = server.app.get(ImportsService);
  await expectRefused(
    server,
    (tenant) =>
      imports.importIn(
        'statuspage',
        actorIn(tenant.organization_id),
        tenant.project_id,
        structuredClone(file),
      ),
    error,
  );
});

it('POST /v1/imports/statuspage accepts null for lists and times', async () => {
  const { report } = await imported({
    page,
    components: [component('a', { status: null, updated_at: null })],
    incidents: [
      incident({
        started_at: null,
        resolved_at: null,
        impact: null,
        components: null,
        incident_updates: [update('resolved', ago(1_000), { body: null, display_at: null })],
      }),
      incident({ incident_updates: null }),
    ],
    scheduled_maintenances: null,
  });
  expect(report).toMatchObject({ incidents: 2, maintenances: 0, reports: 0 });
});
