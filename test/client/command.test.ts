import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Incident,
  IncidentUpdate,
  Maintenance,
  MaintenanceWindowUpdate,
  Monitor,
  StatusPage,
  StatusPagesClient,
} from '../../clients/typescript/src/index.js';
import { useTenant, useTestServer } from '../support/server.js';
import { cells, useCommand } from './use-command.js';

const server = useTestServer();
const tenant = useTenant(server);
const { prints, json, fails } = useCommand(server, tenant);

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
const UUID = /^[0-9a-f-]{36}$/;

let client: StatusPagesClient;
let api: Monitor;
let web: Monitor;
let acme: StatusPage;

beforeAll(async () => {
  client = server.client(tenant.key);
  const { project_id } = tenant;
  api = await client.monitors.create({ project_id, name: 'API', key: 'api' });
  web = await client.monitors.create({ project_id, name: 'Web', key: 'web' });
  const sections = [{ id: 'core', title: 'Core', monitor_ids: [api.id, web.id] }];
  acme = await client.statusPages.create({ project_id, name: 'Acme', slug: 'acme', sections });
});

describe('status-pages incident', () => {
  it('opens, updates and resolves an incident by the keys of monitors and the slugs of pages', async () => {
    const open = ['incident', 'open', 'API is slow', '--page', 'acme', '--body', 'We look at it.'];
    const monitors = ['--monitor', 'api=degraded_performance', '--monitor', `${web.id}=operational`];
    const opened = cells(await prints(...open, ...monitors));
    expect(opened).toEqual([
      ['id', expect.stringMatching(UUID)],
      ['title', 'API is slow'],
      ['status', 'investigating'],
      ['impact', 'minor'],
      ['monitors', `api=degraded_performance, ${web.id}=operational`],
      ['pages', 'acme'],
      ['started', expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/)],
    ]);
    const id = opened[0]?.[1] ?? '';
    expect(await client.incidents.get(id)).toMatchObject({
      status_page_ids: [acme.id],
      monitors: [
        { monitor_id: api.id, status: 'degraded_performance' },
        { monitor_id: web.id, status: 'operational' },
      ],
    });

    const update = ['incident', 'update', id, '--status', 'identified', '--monitor', 'api=major_outage'];
    expect(await prints(...update)).toContain('\nmonitors  api=major_outage\n');
    expect(await client.incidents.get(id)).toMatchObject({ status: 'identified', impact: 'critical' });

    expect(cells(await prints('incident', 'list', '--open'))).toEqual([
      ['ID', 'STATUS', 'IMPACT', 'STARTED', 'TITLE'],
      [id, 'identified', 'critical', expect.any(String), 'API is slow'],
    ]);
    expect(await prints('incident', 'resolve', id, '--body', 'Fixed.')).toMatch(/\nstatus +resolved\n/);
    expect(await prints('incident', 'list', '--open')).toBe('No incident is open.\n');
    const updates = await client.incidents.updates(id).list().toArray();
    expect(updates.map(({ status, body }) => [status, body])).toEqual([
      ['resolved', 'Fixed.'],
      ['identified', expect.any(String)],
      ['investigating', 'We look at it.'],
    ]);
  });

  it('opens an incident without monitors on all pages, with an impact', async () => {
    const text = await prints('incident', 'open', 'Phones are down', '--impact', 'major');
    expect(text).toMatch(/\nimpact +major\nmonitors +none\npages +all\n/);
    await prints('incident', 'resolve');
  });

  it('updates and resolves the only open incident without an ID', async () => {
    const { id } = await json<Incident>('incident', 'open', 'Odd', '--monitor', 'api=partial_outage');
    const updated = cells(await prints('incident', 'update', '--body', 'We look.'));
    expect(updated.slice(0, 2)).toEqual([
      ['incident', id],
      ['title', 'Odd'],
    ]);
    expect(await json('incident', 'resolve')).toMatchObject({ incident_id: id, status: 'resolved' });
    expect(await client.incidents.get(id)).toMatchObject({ status: 'resolved' });
    expect(await fails(1, {}, 'incident', 'resolve')).toBe('error: The project has no open incident.\n');
  });

  it('lists the open incidents if several are open and no ID is given', async () => {
    const first = await json<Incident>('incident', 'open', 'First', '--monitor', 'api=major_outage');
    const second = await json<Incident>('incident', 'open', 'Second', '--monitor', 'web=major_outage');
    expect(await fails(2, {}, 'incident', 'resolve')).toBe(
      'error: Several incidents are open. Pass the ID of one of them:\n' +
        `  ${second.id}  investigating  Second\n  ${first.id}  investigating  First\n`,
    );
    for (const { id } of [first, second]) {
      expect(await client.incidents.get(id)).toMatchObject({ status: 'investigating' });
      await prints('incident', 'resolve', id);
    }
  });

  it('prints the data of the API with --json', async () => {
    const opened = await json<Incident>('incident', 'open', 'Data', '--status', 'monitoring');
    expect(opened).toEqual(await client.incidents.get(opened.id));
    const update = await json<IncidentUpdate>('incident', 'resolve', opened.id);
    expect(update).toEqual(await client.incidents.updates(opened.id).get(update.id));
    const all = await json<Incident[]>('incident', 'list');
    expect(all).toEqual(await client.incidents.list({ project_id: tenant.project_id }).toArray());
  });

  it('rejects an unknown monitor, status page or incident', async () => {
    const open = ['incident', 'open', 'x'];
    expect(await fails(1, {}, ...open, '--monitor', 'apii=major_outage')).toBe(
      'error: Monitor "apii" not found. The keys of the project\'s monitors are:\n  web  Web\n  api  API\n',
    );
    expect(await fails(1, {}, ...open, '--monitor', 'Not a key=major_outage')).toContain(
      '"Not a key" not found',
    );
    expect(await fails(1, {}, ...open, '--page', 'acm')).toBe(
      'error: Status page "acm" not found. The project\'s status pages are:\n  acme  Acme\n',
    );
    expect(await fails(1, {}, ...open, '--page', UNKNOWN_ID)).toMatch(/status_page_ids\/0 "0193f5a0-/);
    expect(await fails(1, {}, 'incident', 'resolve', UNKNOWN_ID)).toBe('error: Incident not found.\n');
    expect(await fails(2, {}, 'incident', 'resolve', 'x')).toContain('"x" is not the ID of an incident');
  });

  it('rejects an invalid command line before it sends a request', async () => {
    const down = { STATUS_PAGES_URL: 'http://127.0.0.1:9' };
    const open = ['incident', 'open', 'x', '--monitor'];
    for (const bad of ['api', 'api=', 'api=down', '=major_outage', 'api=major_outage='])
      expect(await fails(2, down, ...open, bad)).toContain('invalid');
    expect(await fails(2, down, 'incident', 'open')).toContain('Pass a title or --template');
    expect(await fails(2, down, 'incident', 'open', 'x', '--status', 'open')).toContain(
      'one of investigating',
    );
    expect(await fails(2, down, 'incident', 'update')).toContain('Pass --status, --body or --monitor');
  });
});

describe('status-pages report', () => {
  it('reports statuses by key and by ID', async () => {
    expect(cells(await prints('report', 'api=major_outage', `${web.id}=operational`))).toEqual([
      ['reports', '2'],
      ['changed statuses', '2'],
    ]);
    expect(await client.monitors.status(api.id)).toMatchObject({ status: 'major_outage' });
    expect(await client.monitors.status(web.id)).toMatchObject({ status: 'operational' });
    const at = ['--at', '2026-11-20 13:00+01:00'];
    expect(await json('report', 'api=operational', ...at)).toEqual({
      reports: 1,
      changed: expect.any(Number),
    });
    expect(await client.monitors.status(api.id)).toMatchObject({ status: 'major_outage' });
    await prints('report', 'api=operational');
  });

  it('requires only the scope monitor_reports:write for a key of one project', async () => {
    const scopes = ['monitor_reports:write'] as const;
    const { key } = await server.key(tenant.organization_id, {
      scopes: [...scopes],
      project_ids: [tenant.project_id],
    });
    const probe = useCommand(server, { key });
    expect(await probe.json('report', 'api=operational')).toEqual({ reports: 1, changed: 0 });
  });

  it('shows the key of an unknown monitor in the error', async () => {
    expect(await fails(1, {}, 'report', 'api=operational', 'apii=major_outage')).toBe(
      'error: 1 field is invalid.\n  reports/1/monitor_key "apii" is not a monitor of the project.\n',
    );
  });
});

describe('status-pages maintenance', () => {
  const START = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

  it('schedules a window with an offset and a duration', async () => {
    const schedule = ['maintenance', 'schedule', 'DB upgrade', '--monitor', 'api', '--page', 'acme'];
    const text = await prints(
      ...schedule,
      '--start',
      `${START}T13:00+01:00`,
      '--for',
      '1h30m',
      '--body',
      'Slow.',
    );
    expect(cells(text)).toEqual([
      ['id', expect.stringMatching(UUID)],
      ['title', 'DB upgrade'],
      ['status', 'scheduled'],
      ['start', `${START} 12:00 UTC`],
      ['end', `${START} 13:30 UTC`],
      ['monitors', 'api'],
      ['pages', 'acme'],
    ]);
    expect(await client.maintenances.get(cells(text)[0]?.[1] ?? '')).toMatchObject({
      body: 'Slow.',
      starts_at: `${START}T12:00:00.000Z`,
      ends_at: `${START}T13:30:00.000Z`,
      monitor_ids: [api.id],
      status_page_ids: [acme.id],
    });
  });

  it('updates and ends a window that starts now', async () => {
    const window = ['--start', 'now', '--for', '2h', '--monitor', 'web'];
    const { id, status } = await json<Maintenance>('maintenance', 'schedule', 'Now', ...window);
    expect(status).toBe('in_progress');
    const update = await json<MaintenanceWindowUpdate>('maintenance', 'update', id, '--body', 'Half done.');
    expect(update).toEqual(await client.maintenances.updates(id).get(update.id));
    expect(await prints('maintenance', 'update', id, '--body', 'Soon.')).toMatch(/\nbody +Soon\.\n/);
    expect(await prints('maintenance', 'end', id)).toMatch(/\nstatus +completed\n/);
  });

  it('updates and ends the only window in progress, or the only scheduled one, without an ID', async () => {
    const own = await server.tenant();
    const ownCommand = useCommand(server, own);
    expect(await ownCommand.fails(1, {}, 'maintenance', 'end')).toContain(
      'No maintenance window is in progress',
    );
    const later = ['--start', new Date(Date.now() + 86_400_000).toISOString(), '--for', '1h'];
    const scheduled = await ownCommand.json<Maintenance>('maintenance', 'schedule', 'Later', ...later);
    const running = await ownCommand.json<Maintenance>(
      'maintenance',
      'schedule',
      'Now',
      '--start',
      'now',
      '--for',
      '1h',
    );
    const update = await ownCommand.json<MaintenanceWindowUpdate>(
      'maintenance',
      'update',
      '--body',
      'Half done.',
    );
    expect(update.maintenance_id).toBe(running.id);
    const text = await ownCommand.prints('maintenance', 'end');
    expect(text).toMatch(/\nplanned end +\S.*\nclosed +\S.*\nmonitors +none\npages +all\n/);
    expect(await ownCommand.json('maintenance', 'cancel')).toMatchObject({
      id: scheduled.id,
      status: 'cancelled',
    });
    for (const title of ['One', 'Two']) await ownCommand.prints('maintenance', 'schedule', title, ...later);
    expect(await ownCommand.fails(2, {}, 'maintenance', 'cancel')).toMatch(
      /Pass the ID of one of them:\n.*Two\n.*One/s,
    );
  });

  it('cancels a window and lists all windows', async () => {
    const window = ['--start', `${START}T00:00Z`, '--end', `${START}T01:00:00Z`];
    const { id } = await json<Maintenance>('maintenance', 'schedule', 'Later', ...window);
    expect(await json('maintenance', 'cancel', id)).toMatchObject({ id, status: 'cancelled' });
    expect(cells(await prints('maintenance', 'list')).slice(0, 2)).toEqual([
      ['ID', 'STATUS', 'START', 'END', 'TITLE'],
      [id, 'cancelled', `${START} 00:00 UTC`, `${START} 01:00 UTC`, 'Later'],
    ]);
  });

  it('rejects a window without an end, with two ends, or with an invalid time', async () => {
    const schedule = ['maintenance', 'schedule', 'x', '--start'];
    expect(await fails(2, {}, ...schedule, 'now')).toContain('Pass --end or --for');
    expect(await fails(2, {}, ...schedule, 'now', '--end', 'now', '--for', '1h')).toContain('cannot be used');
    expect(await fails(2, {}, ...schedule, '2026-11-20T02:00', '--for', '1h')).toContain('with an offset');
    for (const duration of ['', '2', '0h', '2 h', '1h1d'])
      expect(await fails(2, {}, ...schedule, 'now', '--for', duration)).toContain('a duration such as');
    for (const time of ['2026-02-30T02:00Z', '2026-13-01T02:00Z'])
      expect(await fails(1, {}, ...schedule, time, '--for', '1h')).toContain('starts_at "2026-');
    expect(await fails(1, {}, 'maintenance', 'end', UNKNOWN_ID)).toContain('not found');
  });
});
