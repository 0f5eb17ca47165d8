import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { type Person, useConsole } from './use-console.js';

const PATH = '/manage/log';
const MAX_BYTES = 30_000;

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let admin: Person;
beforeAll(async () => {
  admin = await person(tenant, 'admin');
});

const api = async (method: string, path: string, json: object) =>
  (await server.ask<{ data: { id: string } }>(path, { method, key: tenant.key, json })).body.data;

/** Returns the text of the entries, without tags. */
const entriesIn = (text: string) =>
  text
    .split('<li class="row log">')
    .slice(1)
    .map((entry) => (entry.split('</li>')[0] ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '));

describe('GET /manage/log', () => {
  it('shows who has done what, and the former and the new values', async () => {
    const { project_id } = tenant;
    const monitor = await api('POST', '/v1/monitors', { project_id, name: 'API' });
    await api('PATCH', `/v1/monitors/${monitor.id}`, { name: 'Web API' });
    const { status, text } = await admin.get(`${PATH}?resource=${monitor.id}`);
    const [changed, added] = entriesIn(text);
    expect([status, changed]).toEqual([
      200,
      expect.stringMatching(/changed a monitor “API” name API → becomes Web API .* by the API/),
    ]);
    expect(added).toMatch(/added a monitor “API” name API/);
  });

  it('lists the values of a list', async () => {
    const { project_id } = tenant;
    const scopes = ['monitors:read', 'incidents:read'];
    const { id } = await api('POST', '/v1/api-keys', { name: 'Reader', scopes, project_ids: [project_id] });
    const [entry] = entriesIn((await admin.get(`${PATH}?resource=${id}`)).text);
    expect(entry).toContain('scopes monitors:read, incidents:read');
    expect(entry).not.toContain('[');
  });

  it('names pages, and shows no JSON', async () => {
    const { id, name } = await server.page(tenant);
    const links = [{ label: 'Docs', url: 'https://docs.acme.example' }];
    await api('PATCH', `/v1/status-pages/${id}/branding`, { links });
    await api('PATCH', `/v1/status-pages/${id}`, { accent_color: '#123456' });
    const entries = entriesIn((await admin.get(`${PATH}?resource=${id}`)).text);
    expect(entries).toEqual([
      expect.stringContaining(`changed a page “${name}” `),
      expect.stringMatching(new RegExp(`changed the branding of a page “${name}” links 1 entry `)),
      expect.stringContaining(`created a page “${name}” `),
    ]);
    await server.sql('DELETE FROM status_pages WHERE id = $1', [id]);
    expect(entriesIn((await admin.get(`${PATH}?resource=${id}`)).text)).toHaveLength(3);
  });

  it('names the member who has used the console', async () => {
    await admin.post('/manage/monitors', { project_id: tenant.project_id, name: 'Own', key: UNKNOWN_ID });
    const { text } = await admin.get(`${PATH}?actor=${admin.id}&type=monitor.created`);
    expect(entriesIn(text)).toEqual([
      expect.stringMatching(/Pat &lt;admin> added a monitor “Own” .* in the console/),
    ]);
  });

  it('chooses entries by who, what, project, resource and time', async () => {
    const { project_id } = tenant;
    const { id } = await api('POST', '/v1/incidents', { project_id, title: 'Outage' });
    const count = async (query: Record<string, string>) =>
      entriesIn((await admin.get(`${PATH}?${new URLSearchParams({ resource: id, ...query })}`)).text).length;
    expect(await count({})).toBe(1);
    expect(await count({ type: 'incident.created' })).toBe(1);
    expect(await count({ type: 'incident.resolved' })).toBe(0);
    expect(await count({ actor: admin.id })).toBe(0);
    expect(await count({ project: project_id, from: '2020-01-01T00:00', to: '2199-01-01T00:00' })).toBe(1);
    expect(await count({ to: '2020-01-01T00:00' })).toBe(0);
  });

  it('shows what is wrong with a choice at its field', async () => {
    const { status, text } = await admin.get(`${PATH}?from=tomorrow&actor=nobody&type=x`);
    expect(status).toBe(400);
    for (const field of ['from', 'actor', 'type']) expect(text).toContain(`id="${field}-error"`);
    const order = await admin.get(`${PATH}?from=2026-02-01T00:00&to=2026-01-01T00:00`);
    expect([order.status, order.text]).toEqual([400, expect.stringContaining('id="to-error"')]);
    const cursor = await admin.get(`${PATH}?after=x`);
    expect(cursor.status).toBe(400);
  });

  it('hides entries of other projects and organizations', async () => {
    const other = await server.tenant();
    const project_id = await server.project(tenant.organization_id);
    const hidden = await api('POST', '/v1/monitors', { project_id, name: 'Secret monitor' });
    const restricted = await person(tenant, 'admin', [tenant.project_id]);
    expect(entriesIn((await restricted.get(`${PATH}?resource=${hidden.id}`)).text)).toEqual([]);
    expect((await restricted.get(PATH)).text).not.toContain('Secret monitor');
    for (const project of [project_id, other.project_id, 'x'])
      expect((await restricted.get(`${PATH}?project=${project}`)).status).toBe(404);
  });

  it('shows many long entries in steps, of at most 30 kB each', async () => {
    const large = await server.tenant();
    const { get } = await person(large, 'viewer');
    const value = JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [
          `field_${index}`,
          { from: '<'.repeat(900), to: ['x'.repeat(900)] },
        ]),
      ),
    );
    await server.sql(
      `INSERT INTO events (id, organization_id, project_id, type, resource_id, data, changes, actor_type, actor_id, actor_name, via, is_notified, created_at)
       SELECT gen_random_uuid(), $1, $2, 'monitor.updated', gen_random_uuid(), '{}', $3::jsonb, 'api_key', gen_random_uuid(), repeat('k', 200), 'api', false, now() - i * interval '1 minute'
         FROM generate_series(1, 45) i`,
      [large.organization_id, large.project_id, value],
    );
    let path: string | undefined = `${PATH}?type=monitor.updated`;
    let rows = 0;
    for (let count = 0; path !== undefined && count < 5; count++) {
      const { text } = await get(path);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
      rows += entriesIn(text).length;
      path = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(rows).toBe(45);
  });

  it('appears in the menu', async () => {
    expect((await admin.get('/manage')).text).toContain(`href="${PATH}"`);
  });
});
