import { describe, expect, it } from 'vitest';
import { type Monitor } from '../../clients/typescript/src/index.js';
import { expectProblem } from '../support/expectations.js';
import { type ListPage } from '../support/server.js';
import { UNKNOWN_ID, useMonitors } from './use-monitors.js';

const { server, tenant, ask, make } = useMonitors();

const TAKEN = { code: 'taken', pointer: '#/key' };
const OUTDATED = { 'If-Match': '"2020-01-01T00:00:00.000Z"' };

/** A project of the tenant's organization. */
const project = async () => ({ ...tenant, project_id: await server.project(tenant.organization_id) });

describe('key of a monitor', () => {
  it('must be unique in the project, and can be used again in another project', async () => {
    const { key } = await make({ key: 'unique-1' });
    expect(key).toBe('unique-1');
    const json = { project_id: tenant.project_id, name: 'Other', key };
    expectProblem(await ask('POST', '', json), 409, 'conflict', TAKEN);
    const other = await project();
    expect((await ask('POST', '', { ...json, project_id: other.project_id })).status).toBe(201);
    const foreign = await server.tenant();
    const request = { method: 'POST', key: foreign.key, json: { ...json, project_id: foreign.project_id } };
    expect((await server.ask('/v1/monitors', request)).status).toBe(201);
  });

  it('accepts 1 to 63 characters', async () => {
    for (const key of ['a', '1-a', 'x'.repeat(63)]) expect((await make({ key })).key).toBe(key);
  });

  it('can be null for any number of monitors', async () => {
    const made = [await make(), await make({ key: null })];
    expect(made.map(({ key }) => key)).toEqual([null, null]);
  });

  it('can be set, changed and removed, and is then free', async () => {
    const { id, updated_at } = await make();
    const set = await ask('PATCH', `/${id}`, { key: 'first' });
    expect(set.body.data.key).toBe('first');
    expect(set.body.data.updated_at > updated_at).toBe(true);
    expect((await ask('PATCH', `/${id}`, { key: 'first' })).body).toEqual(set.body);
    expect((await ask('PATCH', `/${id}`, { name: 'New' })).body.data.key).toBe('first');
    expect((await ask('PATCH', `/${id}`, { key: 'second' })).body.data.key).toBe('second');
    const { id: other } = await make({ key: 'first' });
    expect((await ask('PATCH', `/${id}`, { key: null })).body.data.key).toBe(null);
    expect((await ask('PATCH', `/${other}`, { key: 'second' })).status).toBe(200);
    expect((await ask('DELETE', `/${other}`)).status).toBe(204);
    expect((await make({ key: 'second' })).key).toBe('second');
  });

  it('returns 409 for a taken key, and changes nothing', async () => {
    await make({ key: 'in-use' });
    const made = await make({ key: 'mine' });
    for (const json of [{ key: 'in-use' }, { key: 'in-use', name: 'x', stale_after_seconds: 60 }])
      expectProblem(await ask('PATCH', `/${made.id}`, json), 409, 'conflict', TAKEN);
    expect((await ask('GET', `/${made.id}`)).body.data).toEqual(made);
  });

  it('returns 404 and 412 rather than 409', async () => {
    await make({ key: 'precedence' });
    const { id } = await make();
    const json = { key: 'precedence' };
    expect((await ask('PATCH', `/${id}`, json, OUTDATED)).status).toBe(412);
    expect((await ask('PATCH', `/${UNKNOWN_ID}`, json)).status).toBe(404);
    const foreign = await server.monitors(await server.tenant(), 1);
    expect((await ask('PATCH', `/${foreign[0]}`, json)).status).toBe(404);
    expect((await ask('POST', '', { project_id: UNKNOWN_ID, name: 'x', ...json })).status).toBe(404);
  });

  it('replays the conflict for an Idempotency-Key', async () => {
    await make({ key: 'replayed' });
    const json = { project_id: tenant.project_id, name: 'Other', key: 'replayed' };
    const headers = { 'Idempotency-Key': 'replayed-conflict' };
    const answers = [await ask('POST', '', json, headers), await ask('POST', '', json, headers)];
    for (const answer of answers) expectProblem(answer, 409, 'conflict', TAKEN);
    expect(answers.map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  });

  it('goes to one of many concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      const json = { project_id: tenant.project_id, name: 'Race', key: `race-${round}` };
      const { id } = await make();
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => ask('POST', '', json)),
        ask('PATCH', `/${id}`, { key: json.key }),
      ]);
      const statuses = answers.map(({ status }) => status).toSorted();
      expect([200, 201]).toContain(statuses[0]);
      expect(statuses.slice(1)).toEqual([409, 409, 409, 409, 409]);
    }
  });

  it('can be exchanged by concurrent requests without a 5xx', async () => {
    const [one, other] = [await make({ key: 'swap-1' }), await make({ key: 'swap-2' })];
    for (let round = 0; round < 10; round++) {
      const keys = round % 2 ? ['swap-1', 'swap-2'] : ['swap-2', 'swap-1'];
      const answers = await Promise.all(
        [one, other].map(({ id }, index) => ask('PATCH', `/${id}`, { key: keys[index] })),
      );
      for (const { status } of answers) expect([200, 409]).toContain(status);
    }
  });
});

describe('GET /v1/monitors with key', () => {
  const list = (query: string) => ask<ListPage<Monitor>>('GET', `?project_id=${tenant.project_id}&${query}`);

  it('returns only the monitor with this key', async () => {
    const made = await make({ key: 'listed' });
    await make({ key: 'listed-2' });
    const { status, body } = await list('key=listed');
    expect([status, body]).toEqual([
      200,
      { data: [made], pagination: { next_cursor: null, has_more: false } },
    ]);
  });

  it('returns an empty list for an unknown key, and for the key of another project', async () => {
    const other = await project();
    await ask('POST', '', { project_id: other.project_id, name: 'Other', key: 'elsewhere' });
    for (const key of ['unknown', 'elsewhere']) expect((await list(`key=${key}`)).body.data).toEqual([]);
    expect((await ask('GET', `?project_id=${UNKNOWN_ID}&key=unknown`)).status).toBe(404);
  });

  it('returns 400 for a value that is no key, and for a cursor of the list of all monitors', async () => {
    for (const [key, code] of [
      ['', 'invalid_format'],
      ['A', 'invalid_format'],
      ['x'.repeat(64), 'too_long'],
    ] as const)
      expectProblem(await list(`key=${key}`), 400, 'validation_failed', { code, parameter: 'key' });
    await make();
    await make();
    const { next_cursor } = (await list('limit=1')).body.pagination;
    expectProblem(await list(`key=listed&cursor=${next_cursor}`), 400, 'invalid_cursor');
  });

  it('uses an index', async () => {
    await server.sql(
      `INSERT INTO monitors (id, organization_id, project_id, name, key)
       SELECT gen_random_uuid(), $1, $2, 'Many', 'many-' || n FROM generate_series(1, 3000) AS n`,
      [tenant.organization_id, tenant.project_id],
    );
    await server.sql('ANALYZE monitors');
    const rows = await server.sql<Record<'QUERY PLAN', string>[]>(
      `EXPLAIN SELECT id FROM monitors
        WHERE organization_id = $1 AND project_id = $2 AND key = $3 ORDER BY created_at DESC, id DESC LIMIT 26`,
      [tenant.organization_id, tenant.project_id, 'many-7'],
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('monitors_key_idx');
  });
});
