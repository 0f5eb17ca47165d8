import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import type { ListPage, One } from '../support/server.js';
import { statementsWithValuesOf } from '../support/statements.js';
import { affected, MAJOR, MINOR, UNKNOWN_ID, useIncidents } from './use-incidents.js';

const { server, tenant, ask, make, update, monitor } = useIncidents();

const list = (query: string) => ask<ListPage<Incident>>('GET', `?project_id=${tenant.project_id}${query}`);

const idsOf = async (query: string) => (await list(query)).body.data.map(({ id }) => id);

describe('GET /v1/incidents', () => {
  it('lists all, open or resolved incidents, newest first', async () => {
    const [one, two, three, four] = [await make(), await make(), await make(), await make()];
    await update(two.id, 10, 'resolved');
    await update(three.id, 10, 'resolved');
    expect(await idsOf('')).toEqual([four.id, three.id, two.id, one.id]);
    expect(await idsOf('&open=true')).toEqual([four.id, one.id]);
    expect(await idsOf('&open=false')).toEqual([three.id, two.id]);
    await update(two.id, 20, 'investigating');
    expect(await idsOf('&open=true')).toEqual([four.id, two.id, one.id]);
  });

  it.each(['', '1', 'TRUE', 'null'])('rejects open=%s', async (open) => {
    expectProblem(await list(`&open=${open}`), 400, 'validation_failed', {
      code: 'invalid_format',
      parameter: 'open',
    });
  });

  it('paginates each list and rejects the cursors of other lists', async () => {
    for (let number = 0; number < 3; number++) await make({ status: 'resolved' });
    for (let number = 0; number < 3; number++) await make();
    const [first, second] = [await monitor(), await monitor()];
    const statuses = affected({ [first]: MINOR, [second]: MINOR });
    for (let number = 0; number < 3; number++) await make({ monitors: statuses });
    const sections = [{ id: 'all', title: 'All', monitor_ids: [first] }];
    const pages = [await server.page(tenant, { sections }), await server.page(tenant, { sections })];
    const filters = [
      '',
      '&open=true',
      '&open=false',
      `&monitor_id=${first}`,
      `&monitor_id=${second}`,
      `&monitor_id=${first}&open=true`,
      ...pages.map(({ id }) => `&status_page_id=${id}`),
      `&status_page_id=${pages[0]?.id}&open=true`,
      `&status_page_id=${pages[0]?.id}&monitor_id=${first}`,
    ];
    for (const filter of filters) {
      const whole = await idsOf(`${filter}&limit=100`);
      const { body } = await list(`${filter}&limit=2`);
      const cursor = `&cursor=${body.pagination.next_cursor}`;
      expect(await idsOf(`${filter}&limit=100${cursor}`)).toEqual(whole.slice(2));
      for (const another of filters.filter((one) => one !== filter))
        expectProblem(await list(another + cursor), 400, 'invalid_cursor', { parameter: 'cursor' });
    }
  });

  it('lists the incidents that a status page shows', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const sections = [{ id: 'all', title: 'All', monitor_ids: [one] }];
    const page = await server.page(tenant, { sections });
    const without = await make({ status_page_ids: null });
    const affecting = await make({ monitors: affected({ [one]: MINOR }) });
    await make({ monitors: affected({ [other]: MINOR }) });
    await make({ monitors: affected({ [one]: MINOR }), status_page_ids: [] });
    const named = await make({ monitors: affected({ [other]: MINOR }), status_page_ids: [page.id] });
    await update(affecting.id, 10, 'resolved');
    const filter = `&status_page_id=${page.id.toUpperCase()}`;
    const all = await idsOf(`${filter}&limit=100`);
    expect(all.slice(0, 3)).toEqual([named.id, affecting.id, without.id]);
    expect(await idsOf(`${filter}&open=false&limit=100`)).toContain(affecting.id);
    expect(await idsOf(`${filter}&open=true&limit=100`)).not.toContain(affecting.id);
    expect(await idsOf(`${filter}&monitor_id=${one}`)).toEqual([affecting.id]);
    expect(await idsOf(`${filter}&monitor_id=${one}&open=true`)).toEqual([]);
  });

  it('lists the incidents that affect or have affected a monitor', async () => {
    const [one, other] = [await monitor(), await monitor()];
    const first = await make({ monitors: affected({ [one]: MAJOR, [other]: MINOR }), status_page_ids: [] });
    await make({ monitors: affected({ [other]: MINOR }) });
    const last = await make();
    await update(last.id, 10, 'identified', { [one]: MINOR });
    await update(last.id, 20, 'monitoring', {});
    await update(first.id, 10, 'resolved');
    expect(await idsOf(`&monitor_id=${one}`)).toEqual([last.id, first.id]);
    expect(await idsOf(`&monitor_id=${one}&open=true`)).toEqual([last.id]);
    expect(await idsOf(`&monitor_id=${one}&open=false`)).toEqual([first.id]);
    expect(await idsOf(`&monitor_id=${await monitor()}`)).toEqual([]);
  });

  it('returns 404 for a status page or monitor that is not in the project', async () => {
    const them = await server.tenant();
    const [theirs = ''] = await server.monitors(them, 1);
    const { id: theirPage } = await server.page(them);
    const second = await server.ask<One<{ id: string }>>('/v1/projects', {
      method: 'POST',
      key: tenant.key,
      json: { name: 'Second' },
    });
    const sibling = { ...tenant, project_id: second.body.data.id };
    const [siblingMonitor = ''] = await server.monitors(sibling, 1);
    const { id: siblingPage } = await server.page(sibling);
    for (const [parameter, ids] of [
      ['status_page_id', [UNKNOWN_ID, theirPage, siblingPage]],
      ['monitor_id', [UNKNOWN_ID, theirs, siblingMonitor]],
    ] as const) {
      const problems: object[] = [];
      for (const id of ids) {
        const answer = await list(`&${parameter}=${id}`);
        const { request_id: _, ...problem } = expectProblem(answer, 404, 'not_found');
        problems.push(problem);
      }
      expect(problems).toEqual(problems.map(() => problems[0]));
      expectProblem(await list(`&${parameter}=x`), 400, 'validation_failed', {
        code: 'invalid_format',
        parameter,
      });
    }
  });

  it.each(['true', 'false'])('reads incidents with open=%s from an index without sorting', async (open) => {
    const { id } = await make();
    if (open === 'false') await update(id, 10, 'resolved');
    // With few rows, all indexes cost the same.
    await server.sql(
      `INSERT INTO incidents
       SELECT (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'resolved_at', $2::timestamptz))).*
         FROM incidents AS one, generate_series(1, 300) WHERE id = $1`,
      [id, open === 'false' ? null : new Date()],
    );
    await server.vacuum('incidents');
    const statements = await statementsWithValuesOf(() => list(`&open=${open}`));
    const listing = statements.filter(({ text }) => /FROM incidents/.test(text));
    expect(listing).toHaveLength(1);
    for (const { text, values } of listing) {
      const plan = await server.app.get(DataSource).transaction(async (manager) => {
        for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
          await manager.query(`SET LOCAL enable_${way} = off`);
        return JSON.stringify(await manager.query(`EXPLAIN ${text}`, values));
      });
      expect(plan).toContain(open === 'true' ? 'incidents_open_idx' : 'incidents_resolved_idx');
      expect(plan).not.toMatch(/Sort|Filter/);
    }
  });
});
