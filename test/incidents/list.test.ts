import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import type { ListPage } from '../support/server.js';
import { statementsWithValuesOf } from '../support/statements.js';
import { useIncidents } from './use-incidents.js';

const { server, tenant, ask, make, update } = useIncidents();

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
    const filters = ['', '&open=true', '&open=false'];
    for (const filter of filters) {
      const whole = await idsOf(`${filter}&limit=100`);
      const { body } = await list(`${filter}&limit=2`);
      const cursor = `&cursor=${body.pagination.next_cursor}`;
      expect(await idsOf(`${filter}&limit=100${cursor}`)).toEqual(whole.slice(2));
      for (const other of filters.filter((one) => one !== filter))
        expectProblem(await list(other + cursor), 400, 'invalid_cursor', { parameter: 'cursor' });
    }
  });

  it.each(['true', 'false'])('reads incidents with open=%s from an index without sorting', async (open) => {
    await make();
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
