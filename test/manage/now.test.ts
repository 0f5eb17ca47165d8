import { describe, expect, it } from 'vitest';
import { statementsOf } from '../support/statements.js';
import { type Tenant, useTestServer } from '../support/server.js';
import { useConsole } from './use-console.js';

const HOUR = 3_600_000;
const CALM = 'Visitors read that everything works.';
const server = useTestServer();
const { person } = useConsole(server);

const now = async (of: Tenant) => (await (await person(of)).get('/manage')).text;
const headline = (text: string) => /<h1 class="headline-now">(.*?)<\/h1>/s.exec(text)?.[1] ?? '';

const report = async (of: Tenant, monitor_id: string, status: string) => {
  const { project_id } = of;
  const reports = [{ monitor_id, status, observed_at: new Date().toISOString() }];
  const sent = await server.ask('/v1/monitor-reports', {
    method: 'POST',
    key: of.key,
    json: { project_id, reports },
  });
  expect(sent.status).toBeLessThan(300);
};

const insertWindows = (of: Tenant, count: number, title: string, [from, to]: [number, number]) =>
  server.sql(
    `INSERT INTO maintenances (id, organization_id, project_id, title, body, starts_at, ends_at, monitor_ids, created_at, updated_at)
     SELECT gen_random_uuid(), $1, $2, $3 || ' ' || n, '', $4, $5, '{}', now() + n * interval '1 ms', now()
       FROM generate_series(1, $6::integer) AS n`,
    [of.organization_id, of.project_id, title, new Date(Date.now() + from), new Date(Date.now() + to), count],
  );

describe('GET /manage', () => {
  it('shows that everything works only if all monitors are operational', async () => {
    const one = await server.tenant();
    const [first = '', second = ''] = await server.monitors(one, 2);
    await report(one, first, 'operational');
    await report(one, second, 'operational');
    const calm = await now(one);
    expect(calm).toContain(CALM);
    expect(headline(calm)).toContain('#i-ok');
    await report(one, second, 'major_outage');
    const down = await now(one);
    expect(down).not.toContain(CALM);
    expect(down).toContain('1 monitor has a problem that no incident explains to visitors.');
    expect(headline(down)).toContain('#i-major');
    expect(headline(down)).toContain('No open incident');
  });

  it('shows a neutral sign if there are further projects', async () => {
    const one = await server.tenant();
    const [monitor = ''] = await server.monitors(one, 1);
    await report(one, monitor, 'operational');
    await server.sql(
      `INSERT INTO projects
       SELECT (jsonb_populate_record(project, jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || n))).*
         FROM projects AS project, generate_series(1, 25) AS n WHERE project.id = $1`,
      [one.project_id],
    );
    await server.sql("UPDATE projects SET created_at = created_at - interval '1 day' WHERE id = $1", [
      one.project_id,
    ]);
    const text = await now(one);
    expect(text).not.toContain(CALM);
    expect(headline(text)).toContain('#i-neutral');
    expect(headline(text)).toContain('No open incident in these projects');
    const { get } = await person(one);
    expect((await get('/manage/pages')).text).toContain('Only the newest 25 projects are shown.');
    expect((await get('/manage/incidents/new')).text).toContain(one.project_id);
  });

  it('takes as many statements for five projects as for one', async () => {
    const one = await server.tenant();
    const shown = await person(one);
    const contents = async (of: Tenant) => {
      const { id } = await server.page(of);
      const json = { time_zone: 'Asia/Tokyo' };
      await server.ask(`/v1/status-pages/${id}/branding`, { method: 'PATCH', key: of.key, json });
      const [monitor_id = ''] = await server.monitors(of, 2);
      await report(of, monitor_id, 'major_outage');
      await server.ask('/v1/incidents', {
        method: 'POST',
        key: of.key,
        json: { project_id: of.project_id, title: `Incident in ${of.project_id}`, monitors: [] },
      });
      await insertWindows(of, 1, `Window in ${of.project_id}`, [-HOUR, HOUR]);
    };
    const read = () => statementsOf(() => shown.get('/manage'));
    await contents(one);
    await shown.get('/manage');
    const first = await read();
    const ids = [one.project_id];
    for (let count = 1; count < 5; count++) {
      const project_id = await server.project(one.organization_id);
      await contents({ ...one, project_id });
      ids.push(project_id);
    }
    expect((await read()).toSorted()).toEqual(first.toSorted());
    const { text } = await shown.get('/manage');
    for (const id of ids) {
      expect(text).toContain(`Incident in ${id}`);
      expect(text).toContain(`Window in ${id}`);
    }
    expect(headline(text)).toContain('5 open incidents');
    expect(text.match(/>Monitor 1<|>Major outage</g)?.length).toBeGreaterThanOrEqual(10);
    expect(text.match(/GMT\+9/g)?.length).toBe(5); // the windows are in the zones of the pages
    expect(first.length).toBeLessThan(20);
  });

  it('counts all open incidents, also those that it does not list', async () => {
    const one = await server.tenant();
    await server.sql(
      `INSERT INTO incidents (id, organization_id, project_id, title, status, impact, monitors, started_at, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'Problem ' || n, 'investigating', 'none', '[]', now(), now() - n * interval '1 s', now()
         FROM generate_series(1, 103) AS n`,
      [one.organization_id, one.project_id],
    );
    const text = await now(one);
    expect(headline(text)).toContain('103 open incidents');
    expect(text).toContain('83 older incidents are open.');
    expect([text.includes('Problem 20<'), text.includes('Problem 21<')]).toEqual([true, false]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000);
  });

  it('shows the windows that have not ended, among any number of others', async () => {
    const one = await server.tenant();
    await insertWindows(one, 1, 'Active', [-HOUR, HOUR]);
    await insertWindows(one, 150, 'Over', [-3 * HOUR, -2 * HOUR]);
    await insertWindows(one, 30, 'Later', [24 * HOUR, 25 * HOUR]);
    const text = await now(one);
    expect(text).toContain('Active 1');
    expect(text).not.toContain('Over');
    expect(text.match(/Later \d+/g)?.length).toBe(9);
    expect(text).toContain('21 further windows start later.');
    expect(await now(await server.tenant())).not.toContain('Active');
  });

  it('names the first monitors that an incident or a window affects, and counts the others', async () => {
    const one = await server.tenant();
    const ids = await server.monitors(one, 6);
    const { key, project_id } = one;
    const create = (path: string, json: object) =>
      server.ask(path, { method: 'POST', key, json: { project_id, ...json } });
    const grades = ids.map((monitor_id, index) => ({
      monitor_id,
      status: index === 0 ? 'operational' : 'partial_outage',
    }));
    await create('/v1/incidents', { title: 'Many', monitors: grades });
    await create('/v1/incidents', { title: 'One', monitors: grades.slice(1, 2) });
    await create('/v1/incidents', { title: 'None', monitors: grades.slice(0, 1) });
    const [starts_at, ends_at] = [HOUR, 2 * HOUR].map((ms) => new Date(Date.now() + ms).toISOString());
    await create('/v1/maintenances', { title: 'Window', monitor_ids: ids.slice(0, 4), starts_at, ends_at });
    const text = await now(one);
    const affectedIn = (title: string) =>
      new RegExp(`<bdi class="what">${title}</bdi>.*?</a>`, 's')
        .exec(text)?.[0]
        .split('</span>')
        .slice(1)
        .join('')
        .replaceAll(/<[^>]*>/g, '');
    expect(['Many', 'One', 'None', 'Window'].map(affectedIn)).toEqual([
      'Monitor 2, Monitor 3, Monitor 4 +2',
      'Monitor 2',
      '',
      'Monitor 1, Monitor 2, Monitor 3 +1',
    ]);
  });
});
