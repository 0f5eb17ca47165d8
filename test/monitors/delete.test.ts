import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Answer, type Tenant } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';
import { isThorough } from '../support/thorough.js';
import { UNKNOWN_ID, useMonitors } from './use-monitors.js';

const { server, tenant, ask, make } = useMonitors();

describe('DELETE /v1/monitors/{id}', () => {
  const remove = (id: string): Promise<Answer> => ask('DELETE', `/${id}`);

  it('returns 204 without a body and deletes the monitor', async () => {
    const { id } = await make();
    const { status, text } = await remove(id);
    expect([status, text]).toEqual([204, '']);
    for (const [method, json] of [['GET'], ['PATCH', { name: 'Gone' }], ['DELETE']] as const)
      expect((await ask(method, `/${id}`, json)).status).toBe(404);
  });

  it('removes the monitor from every section and gives those pages a new version', async () => {
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

  it('removes the monitor from all pages despite concurrent patches and creations', async () => {
    const { id } = await server.page(tenant);
    const outcomes = new Set<string>();
    for (let round = 0; round < (isThorough ? 120 : 24); round++) {
      const [doomed = '', kept = ''] = await server.monitors(tenant, 2);
      const sections = [{ id: 'a', title: 'A', monitor_ids: [kept, doomed] }];
      const create = { project_id: tenant.project_id, name: 'Race', sections };
      const deletion = remove(doomed);
      // In every other round after the deletion is sent or done, so that each side sometimes wins.
      const start = [undefined, delay(round % 10), undefined, deletion][round % 4];
      const [patched, made, deleted] = await Promise.all([
        Promise.resolve(start).then(() => server.patch(tenant, id, { sections })),
        Promise.resolve(start).then(() =>
          server.ask('/v1/status-pages', { method: 'POST', key: tenant.key, json: create }),
        ),
        deletion,
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
    // Every monitor that a page shows exists.
    const dangling = await server.sql<unknown[]>(`
      SELECT page.id
        FROM status_pages page,
             jsonb_array_elements(page.sections) section,
             jsonb_array_elements_text(section -> 'monitor_ids') shown
       WHERE NOT EXISTS (SELECT FROM monitors WHERE id = shown::uuid AND project_id = page.project_id)`);
    expect(dangling).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it('causes no deadlock for concurrent deletions of monitors on the same pages', async () => {
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

  it('finds the pages that show the monitor by an index', async () => {
    const own = await server.tenant();
    await server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections)
       SELECT gen_random_uuid(), $1, $2, 'Page', 'many-' || n,
              jsonb_build_array(jsonb_build_object('monitor_ids', jsonb_build_array(gen_random_uuid())))
         FROM generate_series(1, 3000) AS n`,
      [own.organization_id, own.project_id],
    );
    await server.vacuum('status_pages'); // a GIN index with many pending entries seems expensive
    const [doomed = ''] = await server.monitors(tenant, 1);
    const statements = await requestStatementsOf(() => remove(doomed));
    const statement = statements.find((one) => /FROM status_pages[^]*FOR NO KEY UPDATE/.test(one));
    const rows = await server.sql<Record<'QUERY PLAN', string>[]>(`EXPLAIN ${statement}`, [
      own.organization_id,
      own.project_id,
      JSON.stringify([{ monitor_ids: [UNKNOWN_ID] }]),
    ]);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('status_pages_sections_idx');
  });

  it('changes nothing if a page cannot be updated', async () => {
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

  describe('for a monitor on many pages', () => {
    const PAGES = 450;

    /** Creates a monitor on many pages of a new tenant. */
    async function spread(): Promise<{ own: Tenant; doomed: string; pages: string[] }> {
      const own = await server.tenant();
      const [doomed = '', kept = ''] = await server.monitors(own, 2);
      const sections = JSON.stringify([{ id: 'a', title: 'A', monitor_ids: [kept, doomed] }]);
      const rows = await server.sql<{ id: string }[]>(
        `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections)
         SELECT gen_random_uuid(), $1, $2, 'Page', $3::text || n, $4::jsonb FROM generate_series(1, ${PAGES}) AS n
         RETURNING id`,
        [own.organization_id, own.project_id, `${doomed}-`, sections],
      );
      return { own, doomed, pages: rows.map(({ id }) => id).toSorted() };
    }

    const removeFrom = (own: Tenant, id: string, headers: Record<string, string> = {}) =>
      server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: own.key, headers, undocumented: true });

    /** Returns the number of pages that show the monitor, and the number of revisions of its removal. */
    async function countsOf(own: Tenant, id: string): Promise<{ showing: number; revisions: number }[]> {
      return server.sql(
        `SELECT (SELECT count(*)::int FROM status_pages WHERE project_id = $1 AND sections::text LIKE $2) AS showing,
                (SELECT count(*)::int FROM status_page_revisions WHERE organization_id = $3 AND operation = 'delete_monitor')
                  AS revisions`,
        [own.project_id, `%${id}%`, own.organization_id],
      );
    }

    it('writes one revision per page during concurrent updates', async () => {
      const { own, doomed, pages } = await spread();
      const [removed, ...patched] = await Promise.all([
        removeFrom(own, doomed),
        ...pages.slice(0, 20).map((id) => server.patch(own, id, { name: 'New' })),
      ]);
      expect([removed.status, ...patched.map(({ status }) => status)]).toEqual([
        204,
        ...patched.map(() => 200),
      ]);
      expect(await countsOf(own, doomed)).toEqual([{ showing: 0, revisions: PAGES }]);
    });

    it('keeps the monitor if it fails halfway, and can be completed later', async () => {
      const { own, doomed, pages } = await spread();
      await server.sql(`
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '57014'; END $$`);
      const last = pages.at(-1);
      await server.sql(`
        CREATE TRIGGER fail BEFORE UPDATE ON status_pages FOR EACH ROW WHEN (OLD.id = '${last}')
        EXECUTE FUNCTION fail()`);
      const failed = await removeFrom(own, doomed).finally(() => server.sql('DROP FUNCTION fail() CASCADE'));
      expect(failed.status).toBe(503);
      expect((await server.ask(`/v1/monitors/${doomed}`, { key: own.key })).status).toBe(200);
      const [half] = await countsOf(own, doomed);
      expect(half?.showing).toBeGreaterThan(0);
      expect((half?.showing ?? 0) + (half?.revisions ?? 0)).toBe(PAGES);

      expect((await removeFrom(own, doomed)).status).toBe(204);
      expect(await countsOf(own, doomed)).toEqual([{ showing: 0, revisions: PAGES }]);
    });

    it('returns 412 for an old If-Match and changes no page', async () => {
      const { own, doomed } = await spread();
      expect((await removeFrom(own, doomed, { 'If-Match': '"stale"' })).status).toBe(412);
      expect(await countsOf(own, doomed)).toEqual([{ showing: PAGES, revisions: 0 }]);
    });

    it('returns 412 and keeps the monitor if it changes during the deletion', async () => {
      const { own, doomed, pages } = await spread();
      const path = `/v1/monitors/${doomed}`;
      const { headers } = await server.ask(path, { key: own.key });
      await server.sql(`
        CREATE FUNCTION rename() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE monitors SET name = 'Meanwhile', updated_at = updated_at + interval '1 second' WHERE id = '${doomed}';
          RETURN NEW;
        END $$`);
      await server.sql(`
        CREATE TRIGGER rename BEFORE UPDATE ON status_pages FOR EACH ROW WHEN (OLD.id = '${pages[0]}')
        EXECUTE FUNCTION rename()`);
      const ifMatch = { 'If-Match': String(headers.get('etag')) };
      const late = await removeFrom(own, doomed, ifMatch).finally(() =>
        server.sql('DROP FUNCTION rename() CASCADE'),
      );
      expect(late.status).toBe(412);
      expect((await server.ask(path, { key: own.key })).body.data.name).toBe('Meanwhile');
    });

    it('locks few pages at a time', async () => {
      const { own, doomed } = await spread();
      const statements = await requestStatementsOf(() => removeFrom(own, doomed));
      expect(statements.filter((one) => one.includes('UPDATE status_pages')).length).toBeGreaterThan(
        PAGES / 100,
      );
    });
  });
});
