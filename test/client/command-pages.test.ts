import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Incident,
  Maintenance,
  Monitor,
  StatusPage,
  StatusPageSummary,
} from '../../clients/typescript/src/index.js';
import { type Tenant, until, useTenant, useTestServer } from '../support/server.js';
import { callCommand, cells, useCommand } from './use-command.js';

const server = useTestServer();
const tenant = useTenant(server);

const UUID = /^[0-9a-f-]{36}$/;

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
    const client = server.client(tenant.key);
    const { project_id } = tenant;
    await client.monitors.create({ project_id, name: 'API' });
    const web = await client.monitors.create({ project_id, name: 'Web' });
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
