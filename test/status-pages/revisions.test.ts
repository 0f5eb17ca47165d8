import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { visible } from '../support/resources.js';
import { type One, useTenant, useTestServer, type WirePage } from '../support/server.js';
import { sectionsOf, useRevisions } from './use-revisions.js';

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const server = useTestServer();
const tenant = useTenant(server);
const { list, get, settings, remove, restore, restoreRevision, read } = useRevisions(server, tenant);

const create = async (json: object = {}): Promise<WirePage> => {
  const body = { project_id: tenant.project_id, name: 'First', ...json };
  return (
    await server.ask<One<WirePage>>('/v1/status-pages', { method: 'POST', key: tenant.key, json: body })
  ).body.data;
};

describe('each operation that returns a status page', () => {
  it('returns the fields in the order of the list', async () => {
    const created = await create();
    const { id } = created;
    const { body: newest } = await server.list(tenant, { limit: 1 });
    const pages: Record<string, object> = {
      created,
      read: (await read(id)).body.data,
      updated: (await server.patch(tenant, id, { name: 'Second' })).body.data,
      set: (await settings(id, { description: 'Changed' })).body.data,
      revision: (await get(id, 1)).body.data.page,
      restored: (await restoreRevision(id, 1)).body.data,
    };
    await remove(`/v1/status-pages/${id}`);
    pages['undeleted'] = (await restore(id)).body.data;
    for (const [name, page] of Object.entries(pages))
      expect([name, Object.keys(page)]).toEqual([name, Object.keys(newest.data[0] ?? {})]);
  });
});

describe('a status page revision', () => {
  it('records each change with number, time, key and fields', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const { id, created_at } = await create({ sections: sectionsOf(monitor) });
    const renamed = await server.patch(tenant, id, { name: 'Second', is_public: false });
    const described = await settings(id, { description: 'Described', custom_domain: 'revised.example' });
    expect(await remove(`/v1/monitors/${monitor}`)).toBe(204);
    const restored = await restoreRevision(id, 1);
    const { status, body } = await list(id);
    expect(status).toBe(200);
    const api_key = { id: tenant.key_id, name: 'Key' };
    const wanted = [
      [
        'restore_revision',
        restored.body.data.updated_at,
        ['name', 'is_public', 'description', 'custom_domain'],
      ],
      ['delete_monitor', expect.any(String), ['sections']],
      ['update_settings', described.body.data.updated_at, ['description', 'custom_domain']],
      ['update', renamed.body.data.updated_at, ['name', 'is_public']],
      ['create', created_at, []],
    ];
    expect(body.data).toEqual(
      wanted.map(([operation, time, fields], index) => ({
        number: 5 - index,
        operation,
        changed_fields: expect.arrayContaining(Array.isArray(fields) ? fields : []),
        actor: { type: 'api_key', ...api_key },
        api_key,
        created_at: time,
      })),
    );
    expect(body.data.map(({ changed_fields }) => changed_fields.length)).toEqual([4, 1, 2, 2, 0]);
    expect(restored.body.omitted_monitor_ids).toEqual([monitor]);
  });

  it('contains the page after the change, independent of later changes', async () => {
    const monitors = await server.monitors(tenant, 2);
    const stood = [await create({ sections: sectionsOf(...monitors) })];
    const id = stood[0]?.id ?? '';
    const changes = [
      { name: 'Second' },
      { sections: [], is_public: false },
      { name: 'Third', accent_color: '#000000' },
      { sections: sectionsOf(...monitors.toReversed()) },
      { name: 'First' },
    ];
    for (const change of changes) stood.push((await server.patch(tenant, id, change)).body.data);
    stood.push((await settings(id, { custom_domain: 'stood.example' })).body.data);
    stood.push((await settings(id, { custom_domain: null, history_days: 7 })).body.data);
    const revisions = await Promise.all(stood.map((_page, index) => get(id, index + 1)));
    expect(revisions.map(({ body }) => body.data.page)).toEqual(stood);
    const before = revisions.map(({ body }) => body.data.before);
    expect(before[0]).toEqual({});
    expect(before[2]).toEqual({ sections: sectionsOf(...monitors), is_public: true });
    expect(before.at(-1)).toEqual({ custom_domain: 'stood.example', history_days: 90 });
  });

  it('records only changed fields, so a PATCH without changes writes none', async () => {
    const { id } = await create();
    await server.patch(tenant, id, {});
    await server.patch(tenant, id, { name: 'First', sections: [] });
    await settings(id, { custom_domain: null, history_days: 90 });
    expect((await server.patch(tenant, id, { name: 'Late' }, { 'If-Match': '"x"' })).status).toBe(412);
    expect((await list(id)).body.data).toHaveLength(1);
    await server.patch(tenant, id, { name: 'First', accent_color: '#123456' });
    const { body } = await get(id, 2);
    expect(body.data).toMatchObject({
      changed_fields: ['accent_color'],
      before: { accent_color: '#2563eb' },
    });
  });

  it('contains the key name at that time, or no key for automatic changes', async () => {
    const { id } = await server.page(tenant);
    expect((await list(id)).body.data).toMatchObject([{ operation: 'create', api_key: null }]);
  });

  it('starts with number 1 for a page older than revisions', async () => {
    const { id } = await server.page(tenant, { name: 'Old' });
    await server.sql('UPDATE status_pages SET revision = 0 WHERE id = $1', [id]);
    await server.sql('DELETE FROM status_page_revisions WHERE status_page_id = $1', [id]);
    expect((await list(id)).body.data).toEqual([]);
    await server.patch(tenant, id, { name: 'New' });
    expect((await get(id, 1)).body.data).toMatchObject({ before: { name: 'Old' }, page: { name: 'New' } });
  });
});

describe('GET /v1/status-pages/{id}/revisions', () => {
  it('lists revisions newest first with pagination, and rejects cursors of other pages', async () => {
    const { id } = await create();
    for (let number = 2; number <= 12; number++) await server.patch(tenant, id, { name: `Name ${number}` });
    const walked: number[] = [];
    let query: Record<string, string> = { limit: '1' };
    for (let more = true; more && walked.length <= 12;) {
      const { body } = await list(id, query);
      walked.push(...body.data.map(({ number }) => number));
      more = body.pagination.has_more;
      if (more) query = { limit: '1', cursor: String(body.pagination.next_cursor) };
    }
    expect(walked).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const other = await create();
    expectProblem(await list(other.id, query), 400, 'invalid_cursor', {
      code: 'invalid_cursor',
      parameter: 'cursor',
    });
  });
});

describe('GET /v1/status-pages/{id}/revisions/{number}', () => {
  it('returns 404 for an unknown number and 400 for a malformed one', async () => {
    const { id } = await create();
    expect(expectProblem(await get(id, 2), 404, 'not_found').detail).toBe('Revision not found');
    for (const number of ['0', '-1', '1.0', 'x', '2147483648', '99999999999'])
      expect([number, (await get(id, number)).body.errors]).toEqual([
        number,
        [expect.objectContaining({ parameter: 'number' })],
      ]);
  });
});

describe('GET /v1/status-pages/{id}/revisions of a foreign page', () => {
  it('returns the same 404 as for an unknown page', async () => {
    const them = await server.tenant();
    const { id } = await server.page(them);
    const narrowed = await server.key(tenant.organization_id, { project_ids: [them.project_id] });
    const own = await server.page(tenant);
    for (const [page, key] of [
      [id, tenant.key],
      [own.id, narrowed.key],
    ] as const) {
      const asked = useRevisions(server, { key });
      for (const ask of [
        (of: string) => asked.list(of),
        (of: string) => asked.get(of, 1),
        (of: string) => asked.get(of, 77),
        (of: string) => asked.restoreRevision(of, 1),
        (of: string) => asked.restoreRevision(of, 1, { 'If-Match': '"x"' }),
      ]) {
        const answer = await ask(page);
        expect(expectProblem(answer, 404, 'not_found').detail).toBe('Status page not found');
        expect(visible(answer)).toEqual(visible(await ask(UNKNOWN_ID)));
      }
    }
  });
});
