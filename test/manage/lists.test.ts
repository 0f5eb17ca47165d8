import { describe, expect, it } from 'vitest';
import { type Tenant, useTenant, useTestServer } from '../support/server.js';
import { useConsole } from './use-console.js';

const MAX_BYTES = 30_000;
const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

const create = async ({ key, project_id }: Tenant, path: string, json: object) => {
  const own = path.includes('/') ? {} : { project_id };
  return (await server.ask(`/v1/${path}`, { method: 'POST', key, json: { ...own, ...json } })).body.data.id;
};

/** Inserts copies of a row, one second apart and older. */
const copy = (table: string, id: string | undefined, number: number) =>
  server.sql(
    `INSERT INTO ${table}
     SELECT (jsonb_populate_record(row, jsonb_build_object(
              'id', gen_random_uuid(), 'created_at', row.created_at - n * interval '1 second'))).*
       FROM ${table} AS row, generate_series(1, $2::integer) AS n WHERE row.id = $1`,
    [id, number],
  );

const rowsIn = (text: string) =>
  [...text.matchAll(/<li class="row [^"]*"><a href="([^"]*)"/g)].map(([, to]) => to);
const nextIn = (text: string) => /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');

describe('GET /manage/incidents', () => {
  it('lists open and resolved incidents, and leads to their screens', async () => {
    const own = await server.tenant();
    const [monitor_id = ''] = await server.monitors(own, 1);
    const open = await create(own, 'incidents', {
      title: 'Still <open>',
      monitors: [{ monitor_id, status: 'major_outage' }],
    });
    const past = await create(own, 'incidents', {
      title: 'Long over',
      started_at: '2026-03-01T10:00:00Z',
    });
    await create(own, `incidents/${past}/updates`, { status: 'resolved', posted_at: '2026-03-01T11:06:00Z' });
    const { get } = await person(own, 'viewer');
    const rows = async (state: string) => rowsIn((await get(`/manage/incidents${state}`)).text);
    const [openPath, pastPath] = [open, past].map((id) => `/manage/incidents/${id}`);
    expect(await rows('')).toEqual([pastPath, openPath]);
    expect(await rows('?state=open')).toEqual([openPath]);
    expect(await rows('?state=past')).toEqual([pastPath]);
    const { text } = await get('/manage/incidents');
    expect(text).toContain('Still &lt;open>');
    expect(text).toMatch(/Investigating · Major outage · since \d+\s\w+,\s\d\d:\d\d\sUTC</);
    expect(text).toMatch(/<li class="row ok"><a href="[^"]*"><span class="ok">.{0,200}Long over/);
    expect(text).toMatch(/Resolved · 1\sMar,\s10:00\sUTC · 1\sh\s6\smin</);
    expect((await get(pastPath ?? '')).text).toContain('Long over');
  });

  it('pages through many incidents, each part in at most 30 kB', async () => {
    const own = await server.tenant();
    const id = await create(own, 'incidents', { title: '“Payments” fail & '.repeat(11), status: 'resolved' });
    await copy('incidents', id, 60);
    const { get } = await person(own, 'admin');
    const seen = new Set<string | undefined>();
    let path: string | undefined = '/manage/incidents?state=past';
    for (let part = 1; part <= 3; part++) {
      const { status, text } = await get(path ?? '');
      expect([status, Buffer.byteLength(text) <= MAX_BYTES]).toEqual([200, true]);
      for (const row of rowsIn(text)) seen.add(row);
      path = nextIn(text);
    }
    expect([seen.size, path]).toEqual([60, expect.stringContaining('state=past')]);
  });

  it('leads there from the menu and from the open incidents that the first screen leaves out', async () => {
    const own = await server.tenant();
    await server.monitors(own, 1);
    await copy('incidents', await create(own, 'incidents', { title: 'Many' }), 120);
    const { text } = await (await person(own, 'viewer')).get('/manage');
    expect(text).toContain('<a href="/manage/incidents">Incidents</a>');
    const [, to = ''] = /<a href="([^"]*)">101 older incidents are open/.exec(text) ?? [];
    expect(to.replaceAll('&amp;', '&')).toBe(`/manage/incidents?project=${own.project_id}&state=open`);
  });

  it('asks for the project if there are several, and hides the projects of others', async () => {
    const own = await server.tenant();
    const second = await server.project(own.organization_id);
    const { get } = await person(own, 'viewer');
    expect((await get('/manage/incidents')).text).toContain(`/manage/incidents?project=${second}`);
    expect((await get(`/manage/incidents?project=${tenant.project_id}`)).status).toBe(404);
  });
});

describe('GET /manage/maintenances', () => {
  it('lists past and planned windows, and leads to their screens, in at most 30 kB', async () => {
    const own = await server.tenant();
    const times = { starts_at: '2026-01-11T02:00:00Z', ends_at: '2026-01-11T03:00:00Z' };
    const id = await create(own, 'maintenances', { title: 'Database & <upgrade> '.repeat(9), ...times });
    await copy('maintenances', id, 40);
    const { get } = await person(own, 'admin');
    const { status, text } = await get('/manage/maintenances');
    expect([status, Buffer.byteLength(text) <= MAX_BYTES]).toEqual([200, true]);
    expect(rowsIn(text)[0]).toBe(`/manage/maintenances/${id}`);
    expect(text).toMatch(/Completed · 11\sJan,\s02:00–03:00\sUTC/);
    expect(rowsIn((await get(nextIn(text) ?? '')).text).length).toBe(20);
  });

  it('shows only what the role may do', async () => {
    const { text } = await (await person(tenant, 'viewer')).get('/manage/maintenances');
    expect(text).toContain('No maintenance was scheduled yet.');
    expect(text).not.toContain('/manage/maintenances/new');
  });
});
