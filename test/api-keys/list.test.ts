import { SCOPES } from '../../src/platform/auth/scopes.js';
import { describe, expect, it } from 'vitest';
import { type Answer, type ListPage } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';
import { type Key, useApiKeys } from './use-api-keys.js';

const { server, tenant, ask, make, me } = useApiKeys();

describe('GET /v1/api-keys', () => {
  it('lists all keys newest first, without gaps or duplicates between pages', async () => {
    const own = await server.tenant();
    const made = [own.key_id];
    for (let count = 0; count < 6; count++) made.unshift((await make({}, own.key)).id);
    await ask('DELETE', `/${made[2]}`, undefined, own.key);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: Answer<ListPage<Key>> = await ask(
        'GET',
        `?limit=3${cursor && `&cursor=${cursor}`}`,
        undefined,
        own.key,
      );
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
      if (cursor)
        expect((await server.ask(`/v1/projects?cursor=${cursor}`, { key: own.key })).body.code).toBe(
          'invalid_cursor',
        );
    }
    expect(seen).toEqual(made);
  });
});

describe('GET /v1/api-keys with a key limited to projects', () => {
  const projects = (count: number) =>
    Promise.all(Array.from({ length: count }, () => server.project(tenant.organization_id)));

  it('lists the keys within its projects newest first, without gaps or duplicates', async () => {
    const [a = '', b = '', c = ''] = await projects(3);
    const { key, id } = await make({ scopes: ['api_keys:read'], project_ids: [a, b] });
    const visible = [id];
    const kinds: (string[] | null)[] = [[a], [b, a], [c], null, [a, c], [b], [c, a], [a, b]];
    for (let round = 0; round < 3; round++)
      for (const project_ids of kinds) {
        const made = await make({ project_ids });
        if (project_ids && !project_ids.includes(c)) visible.unshift(made.id);
      }
    const expectVisible = async () => {
      for (const limit of [1, 4, 5, 13, 100]) {
        const seen: string[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const path: string = `?limit=${limit}${cursor && `&cursor=${cursor}`}`;
          const { body } = await ask<ListPage<Key>>('GET', path, undefined, key);
          seen.push(...body.data.map((one) => one.id));
          cursor = body.pagination.next_cursor;
        }
        expect(seen).toEqual(visible);
      }
    };
    await expectVisible();
    // At equal times, in the order of the IDs, which contain the time.
    await server.sql('UPDATE api_keys SET created_at = now() WHERE id = ANY($1)', [visible]);
    await expectVisible();
  });

  it('reads a constant number of blocks, independent of the number of keys', async () => {
    const [seen = '', other = ''] = await projects(2);
    const { key } = await make({ scopes: ['api_keys:read'], project_ids: [seen] });
    const [statement = ''] = await requestStatementsOf(() => ask('GET', '', undefined, key));
    const costs: number[] = [];
    for (const count of [500, 2_500]) {
      for (const project_ids of [null, [other], [seen]])
        await server.sql(
          `INSERT INTO api_keys (id, organization_id, name, prefix, key_hash, scopes, project_ids, revoked_at)
           SELECT gen_random_uuid(), $1, 'Many', 'sp_12345', sha256(gen_random_uuid()::text::bytea), '{}', $2, now()
             FROM generate_series(1, $3)`,
          [tenant.organization_id, project_ids, count],
        );
      await server.sql('ANALYZE api_keys');
      const rows = await server.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
        [tenant.organization_id, [seen], 26],
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      costs.push((plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN));
    }
    const [few = NaN, many = NaN] = costs;
    expect(many).toBeLessThan(few + 20);
    expect(few).toBeLessThan(200);
  });
});

describe('API key that is limited to projects', () => {
  it('lists, revokes and rotates only keys within its projects', async () => {
    const [a, b] = [
      await server.project(tenant.organization_id),
      await server.project(tenant.organization_id),
    ];
    const narrowed = await make({ scopes: [...SCOPES], project_ids: [a] });
    const same = await make({ project_ids: [a] });
    const hidden = [await make({ project_ids: [b] }), await make({ project_ids: [a, b] }), await make()];
    const { body } = await ask<ListPage<Key>>('GET', '', undefined, narrowed.key);
    const seen = body.data.map(({ id }) => id);
    expect(seen.slice(0, 2)).toEqual([same.id, narrowed.id]);
    for (const { id, key } of hidden) {
      expect(seen).not.toContain(id);
      for (const [method, path, json] of [
        ['GET', `/${id}`],
        ['DELETE', `/${id}`],
        ['POST', `/${id}/rotate`, {}],
      ] as const)
        expect((await ask(method, path, json, narrowed.key)).status).toBe(404);
      expect((await me(key)).status).toBe(200);
    }
    expect((await ask('DELETE', `/${same.id}`, undefined, narrowed.key)).status).toBe(204);
  });
});
