import { type Project } from '../../clients/typescript/src/index.js';
import { type ListPage } from '../support/server.js';
import { describe, expect, it } from 'vitest';
import { requestStatementsOf } from '../support/statements.js';
import { expectProblem } from '../support/expectations.js';
import { useProjects } from './use-projects.js';

const { server, tenant, ask } = useProjects();

describe('GET /v1/projects', () => {
  it('lists newest first with pagination and rejects other cursors', async () => {
    const own = await server.tenant();
    const made = [own.project_id];
    for (let count = 0; count < 6; count++) made.unshift(await server.project(own.organization_id));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask<ListPage<Project>>(
        'GET',
        `?limit=3${cursor && `&cursor=${cursor}`}`,
        undefined,
        {},
        own.key,
      );
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor ?? '';
      expect(body.pagination.has_more).toBe(cursor !== '');
      if (cursor) {
        const elsewhere = await ask('GET', `?cursor=${cursor}`);
        expectProblem(elsewhere, 400, 'invalid_cursor');
        const ofPages = await server.list({ ...own, project_id: own.project_id }, { cursor });
        expectProblem(ofPages, 400, 'invalid_cursor');
      }
    } while (cursor);
    expect(seen).toEqual(made);
  });

  it('accepts only the parameters limit and cursor', async () => {
    for (const query of [
      '?limit=0',
      '?limit=101',
      '?cursor=x',
      `?project_id=${tenant.project_id}`,
      '?limit=1&limit=1',
    ])
      expect([query, (await ask('GET', query)).status]).toEqual([query, 400]);
  });

  it('reads one index range for any number of projects', async () => {
    const own = await server.tenant();
    await server.sql(
      `INSERT INTO projects (id, organization_id, name, created_at)
       SELECT gen_random_uuid(), $1, 'P', now() - n * interval '1 second' FROM generate_series(1, 5000) AS n`,
      [own.organization_id],
    );
    await server.sql('ANALYZE projects');
    const statements = await requestStatementsOf(() => ask('GET', '?limit=25', undefined, {}, own.key));
    const statement = statements.find((one) => one.includes('FROM projects'));
    const rows = await server.sql<Record<'QUERY PLAN', string>[]>(`EXPLAIN ${statement}`, [
      own.organization_id,
      null,
      26,
    ]);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('projects_list_idx');
  });
});
