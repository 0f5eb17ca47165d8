import { describe, expect, it } from 'vitest';
import type { Maintenance } from '../../clients/typescript/src/index.js';
import { requestStatementsOf } from '../support/statements.js';
import { isThorough } from '../support/thorough.js';
import { inHours, UNKNOWN_ID, useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make, get } = useMaintenances();

const remove = (path: string) => server.ask<unknown>(path, { method: 'DELETE', key: tenant.key });

describe('DELETE /v1/maintenances/{id}', () => {
  it('returns 204 without a body and deletes the maintenance window', async () => {
    const { id } = await make([1, 2], { monitor_ids: await server.monitors(tenant, 1) });
    const { status, text } = await remove(`/v1/maintenances/${id}`);
    expect([status, text]).toEqual([204, '']);
    for (const [method, json] of [
      ['GET'],
      ['PATCH', { title: 'x' }],
      ['PATCH', { status: null }],
      ['DELETE'],
    ] as const)
      expect((await ask(method, `/${id}`, json)).status).toBe(404);
  });
});

describe('DELETE /v1/projects/{id} with maintenance windows', () => {
  it('deletes maintenance windows without monitors and pages', async () => {
    const project_id = await server.project(tenant.organization_id);
    const { id } = await make([1, 2], { project_id });
    expect((await remove(`/v1/projects/${project_id}`)).status).toBe(204);
    expect((await ask('GET', `/${id}`)).status).toBe(404);
  });
});

describe('DELETE /v1/status-pages/{id} with maintenance windows', () => {
  it('removes the page from status_page_ids and keeps the order, [] and null', async () => {
    const [one, two] = [await server.page(tenant), await server.page(tenant)];
    const made = await make([1, 2], { status_page_ids: [one.id, two.id] });
    const every = await make([1, 2]);
    await remove(`/v1/status-pages/${one.id}`);
    const left = await get(made.id);
    expect(left).toEqual({ ...made, status_page_ids: [two.id], updated_at: left.updated_at });
    expect(left.updated_at > made.updated_at).toBe(true);
    await remove(`/v1/status-pages/${two.id}`);
    expect(await get(made.id)).toMatchObject({ status_page_ids: [] });
    expect(await get(every.id)).toEqual(every);
  });
});

describe('DELETE /v1/monitors/{id} with maintenance windows', () => {
  it('removes the monitor from its maintenance windows, which get a new version', async () => {
    const [kept = '', doomed = ''] = await server.monitors(tenant, 2);
    const made = await make([-1, 1], { monitor_ids: [doomed, kept] });
    const other = await make([-1, 1], { monitor_ids: [kept] });
    expect((await remove(`/v1/monitors/${doomed}`)).status).toBe(204);
    const left = await get(made.id);
    expect(left).toEqual({ ...made, monitor_ids: [kept], updated_at: left.updated_at });
    expect(left.updated_at > made.updated_at).toBe(true);
    expect(await get(other.id)).toEqual(other);
  });

  it('removes the monitor despite concurrent patches, creations and deletions', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < (isThorough ? 60 : 12); round++) {
      const [doomed = '', kept = ''] = await server.monitors(tenant, 2);
      const naming = await make([-1, 1], { monitor_ids: [doomed, kept] });
      const empty = await make([-1, 1]);
      const create = {
        project_id: tenant.project_id,
        title: 'Race',
        starts_at: inHours(0),
        ends_at: inHours(1),
      };
      // Before the others, at the same time, or after the creation, so that each side sometimes wins.
      const deletion = round % 3 < 2 ? remove(`/v1/monitors/${doomed}`) : undefined;
      if (round % 3 === 0) await deletion;
      const creation = ask('POST', '', { ...create, monitor_ids: [doomed] });
      const answers = await Promise.all([
        ask('PATCH', `/${naming.id}`, { starts_at: inHours(-2) }),
        ask('PATCH', `/${empty.id}`, { monitor_ids: [kept, doomed] }),
        creation,
        ...(round % 4 === 0 ? [remove(`/v1/maintenances/${naming.id}`)] : []),
        deletion ?? creation.then(() => remove(`/v1/monitors/${doomed}`)),
      ]);
      const [moved, named, created, ...removed] = answers.map(({ status }) => status);
      expect(removed).toEqual(removed.map(() => 204));
      expect([200, 404]).toContain(moved);
      expect([200, 400]).toContain(named);
      expect([201, 400]).toContain(created);
      outcomes.add(`${named} ${created}`);
    }
    const dangling = await server.sql<unknown[]>(
      `SELECT maintenances.id FROM maintenances CROSS JOIN unnest(monitor_ids) AS monitor_id
        WHERE NOT EXISTS (SELECT FROM monitors WHERE id = monitor_id)`,
    );
    expect(dangling).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it('causes no deadlock for concurrent deletions in the same maintenance windows', async () => {
    const doomed = await server.monitors(tenant, 10);
    const made: Maintenance[] = await Promise.all(doomed.map(() => make([-1, 1], { monitor_ids: doomed })));
    const answers = await Promise.all(doomed.map((id) => remove(`/v1/monitors/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    for (const { id } of made) expect(await get(id)).toMatchObject({ monitor_ids: [] });
  });

  it.each([
    ['monitors', 'monitor_ids'],
    ['status_pages', 'status_page_ids'],
  ])('finds the maintenance windows of one of %s by an index', async (table, column) => {
    const own = await server.tenant();
    await server.sql(
      `INSERT INTO maintenances (id, organization_id, project_id, title, starts_at, ends_at, monitor_ids, status_page_ids)
       SELECT gen_random_uuid(), $1, $2, 'M', now(), now() + interval '1 hour',
              ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()]
         FROM generate_series(1, 3000)`,
      [own.organization_id, own.project_id],
    );
    await server.sql('ANALYZE maintenances');
    const id = table === 'monitors' ? (await server.monitors(tenant, 1))[0] : (await server.page(tenant)).id;
    const path = `/v1/${table.replace('_', '-')}/${id}`;
    const statements = await requestStatementsOf(() => remove(path));
    const statement = statements.find((one) => /FROM maintenances .* FOR NO KEY UPDATE/.test(one));
    const rows = await server.sql<Record<'QUERY PLAN', string>[]>(`EXPLAIN ${statement}`, [
      own.organization_id,
      own.project_id,
      UNKNOWN_ID,
    ]);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`maintenances_${column}_idx`);
  });
});
