import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, publish, useConsole, valueIn } from './use-console.js';

const MAX_BYTES = 30_000;
const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let pat: Person;
beforeAll(async () => {
  pat = await person(tenant, 'admin');
});

describe('GET /manage', () => {
  it('shows on the first day what to do next', async () => {
    const fresh = await server.tenant();
    const { text } = await (await person(fresh, 'admin')).get('/manage');
    expect(text).toContain('Add what you run');
    expect(text).toContain('href="/manage/monitors"');
  });

  it('shows what is not operational of a thousand monitors, in at most 30 kB', async () => {
    const large = await server.tenant();
    const monitors = await server.monitors(large, 1_000);
    const json = {
      project_id: large.project_id,
      title: 'Outage',
      monitors: monitors.slice(0, 40).map((monitor_id) => ({ monitor_id, status: 'partial_outage' })),
    };
    await server.ask('/v1/incidents', { method: 'POST', key: large.key, json });
    const { get } = await person(large, 'admin');
    for (const path of ['/manage', '/manage/incidents/new', '/manage/maintenances/new', '/manage/monitors']) {
      const { status, text } = await get(path);
      expect([path, status, Buffer.byteLength(text) <= MAX_BYTES]).toEqual([path, 200, true]);
    }
    const { text } = await get('/manage');
    expect(text).toContain('1 open incident');
    expect(text).toContain('Monitor 1<');
  });

  it('counts what waits and what has failed', async () => {
    const busy = await server.tenant();
    const insert = (status: string, channel: string) =>
      server.sql(
        `INSERT INTO deliveries (id, organization_id, project_id, channel, kind, recipient_id, status, due_at, finished_at)
         VALUES (gen_random_uuid(), $1, $2, $3, 'confirmation', gen_random_uuid(), $4, now(),
                 CASE WHEN $4 = 'failed' THEN now() END)`,
        [busy.organization_id, busy.project_id, channel, status],
      );
    await server.monitors(busy, 1);
    await insert('pending', 'email');
    await insert('pending', 'email');
    await insert('failed', 'webhook');
    const { text } = await (await person(busy, 'viewer')).get('/manage');
    expect(text).toContain('2 emails are waiting');
    expect(text).toContain('1 webhook could not be delivered today');
    const second = await server.project(busy.organization_id);
    const other = await (await person(busy, 'viewer', [second])).get('/manage');
    expect(other.text).not.toContain('emails are waiting');
  });

  it('asks for the project if there are several', async () => {
    const several = await server.tenant();
    const second = await server.project(several.organization_id);
    const { get } = await person(several);
    const { text } = await get('/manage/incidents/new');
    expect(text).toContain('Which project?');
    expect(text).toContain(`/manage/incidents/new?project=${second}`);
  });

  it('shows the form directly if only one of them has monitors, with a link to choose another one', async () => {
    const several = await server.tenant();
    await server.project(several.organization_id);
    await server.monitors(several, 1);
    const { get } = await person(several);
    for (const path of ['/manage/incidents/new', '/manage/maintenances/new']) {
      const { text } = await get(path);
      expect(text).toContain(`name="project_id" value="${several.project_id}"`);
      expect(text).toContain(`<a href="${path}?choose">Change</a>`);
      expect((await get(`${path}?choose`)).text).toContain('Which project?');
      const { get: alone } = await person(several, 'responder', [several.project_id]);
      expect((await alone(path)).text).not.toContain('?choose');
    }
  });
});

describe('maintenance windows', () => {
  const fields = () => ({
    project_id: tenant.project_id,
    title: 'Database upgrade',
    body: 'Short.',
    starts_at: '2027-01-10T02:00',
    ends_at: '2027-01-10T03:00',
    notify: 'on',
  });

  const read = async (path: string) =>
    (await server.ask<{ data: Record<string, unknown> }>(path.replace('/manage', '/v1'), { key: tenant.key }))
      .body.data;

  it('start at the scheduled time in the time zone of the page', async () => {
    const { id } = await server.page(tenant);
    const json = { time_zone: 'America/New_York' };
    await server.ask(`/v1/status-pages/${id}/branding`, { method: 'PATCH', key: tenant.key, json });
    const shown = await pat.get('/manage/maintenances/new');
    expect(shown.text).toContain('America/New_York');
    const path = await publish(pat, '/manage/maintenances', fields());
    expect(await read(path)).toMatchObject({
      starts_at: '2027-01-10T07:00:00.000Z',
      ends_at: '2027-01-10T08:00:00.000Z',
    });
    expect((await pat.get(`${path}/edit`)).text).toContain('value="2027-01-10T02:00"');
  });

  it('start, extend, end and cancel by a button', async () => {
    const path = await publish(pat, '/manage/maintenances', fields());
    const act = async (action: string) => {
      const updated_at = valueIn(await pat.get(path), 'updated_at');
      await publish(pat, `${path}/actions`, { updated_at, action, back: path });
      return read(path);
    };
    // 30 days at most: the end moves closer first
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    const soon = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const [starts_at, ends_at] = [`${soon.slice(0, 11)}02:00`, `${soon.slice(0, 11)}03:00`];
    await publish(pat, `${path}/edit`, { ...fields(), updated_at, starts_at, ends_at });
    expect(await act('start')).toMatchObject({ status: 'in_progress' });
    const before = await read(path);
    const after = await act('extend');
    expect(Date.parse(String(after['ends_at'])) - Date.parse(String(before['ends_at']))).toBe(30 * 60_000);
    expect(await act('end')).toMatchObject({ status: 'completed' });
    const other = await publish(pat, '/manage/maintenances', fields());
    const version = valueIn(await pat.get(other), 'updated_at');
    await publish(pat, `${other}/actions`, {
      updated_at: version,
      action: 'cancel',
      back: 'https://evil.example',
    });
    expect(await read(other)).toMatchObject({ status: 'cancelled' });
  });

  it('get updates', async () => {
    const path = await publish(pat, '/manage/maintenances', fields());
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    await publish(pat, `${path}/updates`, { updated_at, body: 'The rehearsal is done.' });
    expect((await pat.get(path)).text).toContain('The rehearsal is done.');
  });

  it("show another member's change beside one's own", async () => {
    const path = await publish(pat, '/manage/maintenances', fields());
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    await publish(pat, `${path}/edit`, { ...fields(), updated_at, title: 'By Sam' });
    const { status, text } = await pat.post(`${path}/edit`, { ...fields(), updated_at, title: 'By Pat' });
    expect(status).toBe(409);
    for (const title of ['By Sam', 'By Pat']) expect(text).toContain(title);
  });

  it('show what is wrong with their times', async () => {
    const { status, text } = await pat.post('/manage/maintenances', {
      ...fields(),
      ends_at: '2027-01-10T01:00',
    });
    expect([status, text]).toEqual([400, expect.stringContaining('End must be after start')]);
  });

  it('lead back only into the console', async () => {
    const path = await publish(pat, '/manage/maintenances', fields());
    const updated_at = valueIn(await pat.get(path), 'updated_at');
    const { text } = await pat.post(`${path}/actions`, {
      updated_at,
      action: 'cancel',
      back: 'javascript:alert(1)',
    });
    expect(text).not.toContain('href="javascript:');
  });
});

describe('monitors and pages', () => {
  it('creates a monitor once', async () => {
    const shown = await pat.get(`/manage/monitors?project=${tenant.project_id}`);
    const fields = { ...hiddenIn(shown), project_id: tenant.project_id, name: 'Web <b>' };
    for (const _ of [1, 2]) expect((await pat.post('/manage/monitors', fields)).status).toBe(303);
    const rows = await server.sql<unknown[]>("SELECT FROM monitors WHERE name = 'Web <b>'");
    expect(rows.length).toBe(1);
    expect((await pat.get(`/manage/monitors?project=${tenant.project_id}`)).text).toContain('Web &lt;b>');
  });

  it('links the pages to what visitors see', async () => {
    const { slug } = await server.page(tenant, { name: 'Page <i>' });
    const { text } = await pat.get('/manage/pages');
    expect(text).toContain(`/status/${slug}"`);
    expect(text).toContain('Page &lt;i>');
  });
});
