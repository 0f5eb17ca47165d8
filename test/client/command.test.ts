import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Incident,
  IncidentUpdate,
  Maintenance,
  MaintenanceWindowUpdate,
  Monitor,
  StatusPage,
  StatusPagesClient,
  StatusPageSummary,
} from '../../clients/typescript/src/index.js';
import { type Tenant, until, useTenant, useTestServer } from '../support/server.js';
import { callCommand, useCommand } from './use-command.js';

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

/** Splits aligned text into cells. */
function cells(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
}

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

describe('status-pages monitor', () => {
  it('adds a monitor and lists the monitors of the project', async () => {
    const own = await server.tenant();
    const ownCommand = useCommand(server, own);
    expect(await ownCommand.prints('monitor', 'list')).toBe('The project has no monitors.\n');
    const options = ['--key', 'db', '--description', 'Primary.', '--stale-after', '5m'];
    const { id } = await ownCommand.json<Monitor>('monitor', 'add', 'Database', ...options);
    expect(await server.client(own.key).monitors.get(id)).toMatchObject({
      name: 'Database',
      key: 'db',
      description: 'Primary.',
      stale_after_seconds: 300,
    });
    const second = cells(await ownCommand.prints('monitor', 'add', 'Long name of a queue'))[0]?.[1];
    expect(await ownCommand.prints('monitor', 'list')).toBe(
      `KEY  NAME                  ID\n-    Long name of a queue  ${second}\ndb   Database              ${id}\n`,
    );
  });

  it('mentions further items of a list on standard error', async () => {
    const env = { STATUS_PAGES_URL: server.url, STATUS_PAGES_KEY: tenant.key };
    const { code, stdout, stderr } = await callCommand(
      server,
      env,
      'monitor',
      'list',
      '--limit',
      '1',
      '--json',
    );
    expect([code, stderr]).toEqual([0, 'The list has more items. Pass a higher --limit.\n']);
    expect(JSON.parse(stdout)).toEqual([web]);
  });

  it('replaces control characters of names', async () => {
    const own = await server.tenant();
    await server
      .client(own.key)
      .monitors.create({ project_id: own.project_id, name: 'A\u001B[2J\nB\u202EC' });
    expect(await useCommand(server, own).prints('monitor', 'list')).toContain(' A [2J B C ');
  });
});

describe('status-pages page', () => {
  let own: Tenant;
  let ownCommand: ReturnType<typeof useCommand>;

  beforeAll(async () => {
    own = await server.tenant();
    ownCommand = useCommand(server, own);
    for (const key of ['a', 'b']) await ownCommand.prints('monitor', 'add', key.toUpperCase(), '--key', key);
  });

  it('creates a status page with its monitors in one section', async () => {
    const create = ['page', 'create', 'Shop', '--slug', 'shop', '--monitor', 'a', '--monitor', 'b'];
    const { id, slug } = await ownCommand.json<StatusPage>(
      ...create,
      '--accent-color',
      '#0f766e',
      '--private',
    );
    const page = await server.client(own.key).statusPages.get(id);
    expect(slug).toBe('shop');
    expect(page).toMatchObject({ name: 'Shop', is_public: false, accent_color: '#0f766e' });
    expect(page.sections).toEqual([
      { id: 'systems', title: 'Systems', monitor_ids: [expect.any(String), expect.any(String)] },
    ]);
    expect(cells(await ownCommand.prints('page', 'get'))).toEqual([
      ['id', id],
      ['slug', 'shop'],
      ['name', 'Shop'],
      ['visibility', 'private'],
      ['url', `${server.url.replace('127.0.0.1', 'localhost')}/status/shop`],
      ['accent color', '#0f766e'],
      ['subscriptions by mail', 'no'],
      ['sections', 'Systems (2)'],
    ]);
  });

  it('changes only the given settings, and keeps the IDs of sections with the same title', async () => {
    const { id, sections } = await ownCommand.json<StatusPage>('page', 'get', 'shop');
    await ownCommand.prints('page', 'set', 'shop', '--name', 'Shop 2', '--public');
    const renamed = await server.client(own.key).statusPages.get(id);
    expect(renamed).toMatchObject({ name: 'Shop 2', is_public: true, accent_color: '#0f766e', sections });

    const wanted = ['--section', 'Región=b,a', '--section', 'Systems=', '--section', '東京=a'];
    const changed = await ownCommand.json<StatusPage>('page', 'set', id, ...wanted);
    expect(
      changed.sections.map(({ id: section, title, monitor_ids }) => [section, title, monitor_ids.length]),
    ).toEqual([
      ['region', 'Región', 2],
      ['systems', 'Systems', 0],
      ['section', '東京', 1],
    ]);
    const again = [
      '--section',
      'Region=b',
      '--section',
      'Región=a',
      '--section',
      'Región=',
      '--section',
      'A=b=a',
    ];
    const last = await ownCommand.json<StatusPage>('page', 'set', 'shop', ...again);
    expect(last.sections.map(({ id: section, title }) => [section, title])).toEqual([
      ['region-2', 'Region'],
      ['region', 'Región'],
      ['region-3', 'Región'],
      ['a-b', 'A=b'],
    ]);
  });

  it('lists status pages, and requires one of several', async () => {
    const { id } = await ownCommand.json<StatusPage>(
      'page',
      'create',
      'Second page',
      '--description',
      'Other.',
    );
    expect(cells(await ownCommand.prints('page', 'list'))).toEqual([
      ['SLUG', 'NAME', 'VISIBILITY', 'ID'],
      ['second-page', 'Second page', 'public', id],
      ['shop', 'Shop 2', 'public', expect.stringMatching(UUID)],
    ]);
    expect(await ownCommand.fails(2, {}, 'page', 'get')).toBe(
      'error: The project has several status pages. Pass one of them:\n  second-page  Second page\n  shop  Shop 2\n',
    );
  });

  it('rejects invalid settings', async () => {
    expect(await ownCommand.fails(1, {}, 'page', 'set', 'shop', '--accent-color', 'red')).toMatch(
      /^error: 1 field is invalid\.\n {2}accent_color "red" must be [^\n]+\.\n$/,
    );
    expect(await ownCommand.fails(2, {}, 'page', 'set', 'shop')).toContain('Pass at least one option');
    expect(await ownCommand.fails(2, {}, 'page', 'set', 'shop', '--public', '--private')).toContain(
      'cannot be used',
    );
    expect(await ownCommand.fails(2, {}, 'page', 'set', 'shop', '--section', 'x')).toContain(
      'must be a title',
    );
    expect(
      await ownCommand.fails(2, {}, 'page', 'set', 'shop', '--section', 'x=', '--monitor', 'a'),
    ).toContain('cannot be used');
  });
});

describe('status-pages status', () => {
  let ownCommand: ReturnType<typeof useCommand>;
  let own: Tenant;

  beforeAll(async () => {
    own = await server.tenant();
    ownCommand = useCommand(server, own);
    for (const key of ['a', 'b']) await ownCommand.prints('monitor', 'add', key.toUpperCase(), '--key', key);
    await ownCommand.prints('report', 'a=operational', 'b=operational');
    await ownCommand.prints('page', 'create', 'Now', '--section', 'Core=a', '--section', 'Edge=b');
  });

  const exitCode = async (...options: string[]) => {
    const env = { STATUS_PAGES_URL: server.url, STATUS_PAGES_KEY: own.key };
    const { code, stdout, stderr } = await callCommand(server, env, 'status', 'now', ...options);
    expect([stdout.length > 0, stderr]).toEqual([true, '']);
    return code;
  };

  it('shows the headline and the monitors of each section', async () => {
    expect(await ownCommand.prints('status')).toMatch(
      /^Now: All systems operational \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\)\n\nSECTION {2}MONITOR {2}STATUS\nCore {5}A {8}operational\nEdge {5}B {8}operational\n$/,
    );
    const { id } = await ownCommand.json<StatusPage>('page', 'get');
    // Retries, because a summary also counts today's seconds, which can change between the two requests.
    await until(async () => {
      const summary = await ownCommand.json<StatusPageSummary>('status', id);
      const current = await server.client(own.key).statusPages.summary(id);
      return isDeepStrictEqual({ ...summary, as_of: '' }, { ...current, as_of: '' });
    });
  });

  it('shows open incidents and maintenance windows', async () => {
    const window = ['Disk', '--start', 'now', '--for', '1h', '--monitor', 'b'];
    const { id } = await ownCommand.json<Maintenance>('maintenance', 'schedule', ...window);
    const incident = await ownCommand.json<Incident>(
      'incident',
      'open',
      'A fails',
      '--monitor',
      'a=major_outage',
    );
    const text = await ownCommand.prints('status', 'now');
    expect(text).toContain('\nCore     A        major_outage\nEdge     B        under_maintenance\n');
    expect(text).toContain(`\n\nINCIDENT                              STATUS         IMPACT    STARTED `);
    expect(text).toMatch(new RegExp(`\n${incident.id}  investigating  critical  .* UTC  A fails\n`));
    expect(text).toMatch(new RegExp(`\n${id}  in_progress  .* UTC  .* UTC  Disk\n$`));
    await ownCommand.prints('incident', 'resolve');
    await ownCommand.prints('maintenance', 'end', id);
  });

  it('exits with 4 with --exit-code if an incident is open or a monitor has a problem', async () => {
    expect(await exitCode('--exit-code')).toBe(0);
    await ownCommand.prints('incident', 'open', 'Odd');
    expect(await exitCode('--exit-code')).toBe(4);
    expect(await exitCode('--exit-code', '--json')).toBe(4);
    expect(await exitCode()).toBe(0);
    await ownCommand.prints('incident', 'resolve');
    await ownCommand.prints('report', 'a=degraded_performance');
    expect(await exitCode('--exit-code')).toBe(4);
    const window = ['Disk', '--start', 'now', '--for', '1h', '--monitor', 'a'];
    await ownCommand.prints('maintenance', 'schedule', ...window);
    expect(await exitCode('--exit-code')).toBe(0);
  });
});
