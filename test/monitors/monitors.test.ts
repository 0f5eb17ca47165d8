import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Tenant, useTestServer } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';

const NEVER = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const server = useTestServer();
let tenant: Tenant;

beforeAll(async () => {
  tenant = await server.tenant();
});

const ask = (
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => server.ask(`/v1/monitors${path}`, { method, key: tenant.key, json, headers });

const make = async (fields: object = {}) =>
  (await ask('POST', '', { project_id: tenant.project_id, name: 'API', ...fields })).body.data;

describe('a monitor', () => {
  it('that is made is 201 with Location and ETag, and is then there to read and in the list', async () => {
    const { status, headers, body } = await ask('POST', '', {
      project_id: tenant.project_id.toUpperCase(),
      name: 'API 🚀',
      description: 'The public one.',
    });
    expect(status).toBe(201);
    expect(Object.entries(body.data)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)],
      ['name', 'API 🚀'],
      ['description', 'The public one.'],
      ['project_id', tenant.project_id],
      ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
      ['updated_at', body.data.created_at],
    ]);
    expect(headers.get('location')).toBe(`/v1/monitors/${body.data.id}`);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await ask('GET', `/${body.data.id}`)).body).toEqual(body);
    expect((await ask('GET', `?project_id=${tenant.project_id}&limit=1`)).body.data).toEqual([body.data]);
  });

  it('has no description by default, and may have the name of another', async () => {
    const [one, other] = [await make(), await make()];
    expect([one.description, other.name]).toEqual(['', one.name]);
    expect(other.id).not.toBe(one.id);
  });

  it.each([
    [{ name: undefined }, 'required', '#/name'],
    [{ project_id: undefined }, 'required', '#/project_id'],
    [{ project_id: 'x' }, 'invalid_format', '#/project_id'],
    [{ name: '' }, 'too_short', '#/name'],
    [{ name: '\u2003' }, 'blank', '#/name'],
    [{ name: 'x'.repeat(201) }, 'too_long', '#/name'],
    [{ name: 1 }, 'invalid_type', '#/name'],
    [{ description: null }, 'invalid_type', '#/description'],
    [{ description: 'x'.repeat(2_001) }, 'too_long', '#/description'],
    [{ id: NEVER }, 'unknown_field', '#/id'],
  ])('is not made of %j', async (fields, code, pointer) => {
    const { status, body } = await ask('POST', '', { project_id: tenant.project_id, name: 'API', ...fields });
    expect([status, body.errors]).toMatchObject([400, [{ code, pointer }]]);
  });

  it('is not made in a project that does not exist: 404', async () => {
    expect((await ask('POST', '', { project_id: NEVER, name: 'API' })).status).toBe(404);
  });

  it('changes what is sent, and nothing else; equal values, or none, change nothing', async () => {
    const made = await make({ description: 'Old.' });
    const first = await ask('PATCH', `/${made.id}`, { name: 'New' });
    expect(first.status).toBe(200);
    expect(first.body.data).toEqual({ ...made, name: 'New', updated_at: first.body.data.updated_at });
    expect(first.body.data.updated_at > made.updated_at).toBe(true);
    expect(first.headers.get('etag')).toBe(`"${first.body.data.updated_at}"`);
    const second = await ask('PATCH', `/${made.id}`, { description: '' });
    expect(second.body.data).toMatchObject({ name: 'New', description: '' });
    for (const json of [{}, { name: 'New' }, { name: 'New', description: '' }])
      expect((await ask('PATCH', `/${made.id}`, json)).body).toEqual(second.body);
  });

  it('loses nothing of patches of different fields at the same time', async () => {
    const { id } = await make();
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        ask('PATCH', `/${id}`, { name: `Name ${round}` }),
        ask('PATCH', `/${id}`, { description: `Text ${round}` }),
      ]);
      expect((await ask('GET', `/${id}`)).body.data).toMatchObject({
        name: `Name ${round}`,
        description: `Text ${round}`,
      });
    }
  });

  it.each([
    [{ name: null }, 'invalid_type', '#/name'],
    [{ project_id: NEVER }, 'unknown_field', '#/project_id'],
  ])('is not changed by %j', async (json, code, pointer) => {
    const { id } = await make();
    const { status, body } = await ask('PATCH', `/${id}`, json);
    expect([status, body.errors]).toMatchObject([400, [{ code, pointer }]]);
  });

  it('is changed or deleted only in the version that If-Match names: otherwise 412', async () => {
    const { id, updated_at } = await make();
    const late = { 'If-Match': '"2020-01-01T00:00:00.000Z"' };
    for (const json of [{ name: 'Late' }, {}])
      expect((await ask('PATCH', `/${id}`, json, late)).status).toBe(412);
    expect((await ask('DELETE', `/${id}`, undefined, late)).status).toBe(412);
    const now = { 'If-Match': `"${updated_at}"` };
    expect((await ask('PATCH', `/${id}`, {}, now)).status).toBe(200);
    expect((await ask('DELETE', `/${id}`, undefined, now)).status).toBe(204);
  });

  it('that does not exist is 404', async () => {
    expect((await ask('GET', `/${NEVER}`)).status).toBe(404);
    expect((await ask('PATCH', `/${NEVER}`, {})).status).toBe(404);
    expect((await ask('PATCH', `/${NEVER}`, { name: 'x' })).status).toBe(404);
    expect((await ask('DELETE', `/${NEVER}`)).status).toBe(404);
  });
});

describe('the list of monitors', () => {
  it('is newest first, in pages that neither skip nor repeat', async () => {
    const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const made = (await server.monitors(own, 57)).toReversed();
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `?project_id=${own.project_id}&limit=10${cursor && `&cursor=${cursor}`}`;
      const { status, body } = await ask('GET', query);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(made);
  });

  it('is of one project: of one that does not exist 404, without one 400, of an empty one []', async () => {
    expect((await ask('GET', `?project_id=${NEVER}`)).status).toBe(404);
    expect((await ask('GET', '')).body.errors).toMatchObject([{ code: 'required', parameter: 'project_id' }]);
    const project_id = await server.project(tenant.organization_id);
    const { body } = await ask('GET', `?project_id=${project_id}`);
    expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('takes no cursor of another list, though it is of the same project: 400 invalid_cursor', async () => {
    const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
    await server.monitors(own, 2);
    const cursor = String(
      (await ask('GET', `?project_id=${own.project_id}&limit=1`)).body.pagination.next_cursor,
    );
    const { status, body } = await server.list(own, { cursor });
    expect([status, body.code]).toEqual([400, 'invalid_cursor']);
    expect(body.errors).toMatchObject([{ code: 'invalid_cursor', parameter: 'cursor' }]);
  });
});

describe('a monitor that is deleted', () => {
  const remove = (id: string): Promise<Answer> => ask('DELETE', `/${id}`);

  it('is 204 without a body, and is then nowhere', async () => {
    const { id } = await make();
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    for (const [method, json] of [['GET'], ['PATCH', { name: 'Gone' }], ['DELETE']] as const)
      expect((await ask(method, `/${id}`, json)).status).toBe(404);
  });

  it('is taken out of every section that shows it, and only it; pages that show it get a new version', async () => {
    const [kept = '', doomed = ''] = await server.monitors(tenant, 2);
    const sections = [
      { id: 'b', title: 'B', monitor_ids: [kept, doomed] },
      { id: 'a', title: 'A', monitor_ids: [doomed] },
      { id: 'c', title: 'C', monitor_ids: [kept] },
      { id: 'd', title: 'D', monitor_ids: [] },
    ];
    const showing = [await server.page(tenant, { sections }), await server.page(tenant, { sections })];
    const other = await server.page(tenant, { sections: [{ id: 'a', title: 'A', monitor_ids: [kept] }] });
    expect((await remove(doomed)).status).toBe(204);
    for (const { id, updated_at } of showing) {
      const { body } = await server.ask(`/v1/status-pages/${id}`, { key: tenant.key });
      expect(JSON.stringify(body.data.sections)).toBe(
        JSON.stringify(
          sections.map((section) => ({
            ...section,
            monitor_ids: section.monitor_ids.filter((one) => one !== doomed),
          })),
        ),
      );
      expect(body.data.updated_at > updated_at.toISOString()).toBe(true);
    }
    const { body } = await server.ask(`/v1/status-pages/${other.id}`, { key: tenant.key });
    expect(body.data.updated_at).toBe(other.updated_at.toISOString());
  });

  it('is never shown afterwards, whichever of 300 races it wins or loses: patch, creation, or both', async () => {
    const { id } = await server.page(tenant);
    const outcomes = new Set<string>();
    for (let round = 0; round < 300; round++) {
      const [doomed = '', kept = ''] = await server.monitors(tenant, 2);
      const sections = [{ id: 'a', title: 'A', monitor_ids: [kept, doomed] }];
      const create = { project_id: tenant.project_id, name: 'Race', sections };
      const wait = () => new Promise((resolve) => setImmediate(resolve));
      const [patched, made, deleted] = await Promise.all([
        server.patch(tenant, id, { sections }),
        server.ask('/v1/status-pages', { method: 'POST', key: tenant.key, json: create }),
        // A little later in every other round, so that each side wins at times.
        round % 2 === 0 ? remove(doomed) : wait().then(() => remove(doomed)),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 400]).toContain(patched.status);
      expect([201, 400]).toContain(made.status);
      outcomes.add(`${patched.status} ${made.status}`);
      if (patched.status === 400)
        expect(patched.body.errors).toMatchObject([
          { code: 'unknown_monitor', pointer: '#/sections/0/monitor_ids/1' },
        ]);
    }
    // Every monitor that any page shows is there.
    const dangling = await server.sql<unknown[]>(`
      SELECT page.id
        FROM status_pages page,
             jsonb_array_elements(page.sections) section,
             jsonb_array_elements_text(section -> 'monitor_ids') shown
       WHERE NOT EXISTS (SELECT FROM monitors WHERE id = shown::uuid AND project_id = page.project_id)`);
    expect(dangling).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it('with others that the same pages show, all at once, ends with none of them shown, and no deadlock', async () => {
    const doomed = await server.monitors(tenant, 10);
    const sections = [{ id: 'a', title: 'A', monitor_ids: doomed }];
    const pages = await Promise.all(Array.from({ length: 10 }, () => server.page(tenant, { sections })));
    const answers = await Promise.all(doomed.map(remove));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    for (const { id } of pages) {
      const { body } = await server.ask(`/v1/status-pages/${id}`, { key: tenant.key });
      expect(body.data.sections).toEqual([{ id: 'a', title: 'A', monitor_ids: [] }]);
    }
  });

  it('finds the pages that show it by an index, however many there are', async () => {
    const own = await server.tenant();
    await server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections)
       SELECT gen_random_uuid(), $1, $2, 'Page', 'many-' || n,
              jsonb_build_array(jsonb_build_object('monitor_ids', jsonb_build_array(gen_random_uuid())))
         FROM generate_series(1, 3000) AS n`,
      [own.organization_id, own.project_id],
    );
    await server.sql('ANALYZE status_pages');
    const [doomed = ''] = await server.monitors(tenant, 1);
    const statements = await requestStatementsOf(() => remove(doomed));
    const statement = statements.find((one) => one.includes('UPDATE status_pages'));
    const rows = await server.sql<Record<'QUERY PLAN', string>[]>(`EXPLAIN ${statement}`, [
      own.organization_id,
      own.project_id,
      JSON.stringify([{ monitor_ids: [NEVER] }]),
      NEVER,
    ]);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('status_pages_sections_idx');
  });

  it('stays, and so does every page, if taking it out fails', async () => {
    const [doomed = ''] = await server.monitors(tenant, 1);
    await server.page(tenant, { sections: [{ id: 'a', title: 'A', monitor_ids: [doomed] }] });
    await server.sql(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
    await server.sql(
      'CREATE TRIGGER fail BEFORE UPDATE ON status_pages FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    expect((await remove(doomed)).status).toBe(500);
    await server.sql('DROP FUNCTION fail() CASCADE');
    expect((await ask('GET', `/${doomed}`)).status).toBe(200);
  });
});
