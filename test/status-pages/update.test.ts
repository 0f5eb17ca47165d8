import { describe, expect, it } from 'vitest';
import { requestStatementsOf } from '../support/statements.js';
import { expectProblem } from '../support/expectations.js';
import { usePages } from './use-pages.js';

const { server, tenant, aPage, stored, expectRefused } = usePages();

describe('PATCH /v1/status-pages/{id}', () => {
  it('returns 200 with the full page under data', async () => {
    const page = await aPage();
    const { status, body, headers } = await server.patch(tenant, page.id, { name: 'New name' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['data']);
    const { body: list } = await server.list(tenant);
    expect(Object.keys(body.data)).toEqual(Object.keys(list.data[0] ?? {}));
    expect(body.data).toEqual({ ...page, name: 'New name', updated_at: body.data.updated_at });
  });

  it.each([
    ['name', 'Another name'],
    ['is_public', false],
    ['accent_color', '#ABCdef'],
    ['sections', [{ id: 'other', title: 'Other', monitor_ids: [] }]],
  ])('changes %s, updated_at and no other field', async (field, value) => {
    const page = await aPage();
    const { body } = await server.patch(tenant, page.id, { [field]: value });
    expect(body.data).toEqual({ ...page, [field]: value, updated_at: body.data.updated_at });
    expect(Date.parse(body.data.updated_at)).toBeGreaterThan(Date.parse(page.updated_at));
    expect(await stored(page.id)).toEqual(body.data);
  });

  it('changes every writable field in one request', async () => {
    const page = await aPage();
    const patch = { name: 'All', is_public: false, accent_color: '#000000', sections: [] };
    const { body } = await server.patch(tenant, page.id, patch);
    expect(body.data).toEqual({ ...page, ...patch, updated_at: body.data.updated_at });
  });

  it('changes nothing for an empty patch, not even updated_at', async () => {
    const page = await aPage();
    const { status, body } = await server.patch(tenant, page.id, {});
    expect([status, body.data]).toEqual([200, page]);
  });

  it.each(['name', 'is_public', 'accent_color', 'sections'] as const)(
    'changes nothing if %s already has the new value, not even updated_at',
    async (field) => {
      const page = await aPage();
      const { status, body } = await server.patch(tenant, page.id, { [field]: page[field] });
      expect([status, body.data]).toEqual([200, page]);
    },
  );

  it('accepts application/merge-patch+json', async () => {
    const page = await aPage();
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { status, body } = await server.patch(tenant, page.id, { name: 'Merged' }, headers);
    expect([status, body.data.name]).toEqual([200, 'Merged']);
  });

  it('changes the page in the list', async () => {
    const page = await aPage();
    const { body } = await server.patch(tenant, page.id, { name: 'Listed' });
    const { body: list } = await server.list(tenant, { limit: 100 });
    expect(list.data.find(({ id }) => id === page.id)).toEqual(body.data);
  });

  it('accepts the ID in upper case', async () => {
    const page = await aPage();
    const { status, body } = await server.patch(tenant, page.id.toUpperCase(), {});
    expect([status, body.data.id]).toEqual([200, page.id]);
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    '2489E9AD-2EE2-8E00-8EC9-32D5F69181C0',
  ])('accepts a page UUID of any version and variant: %s', async (id) => {
    expectProblem(await server.patch(tenant, id, {}), 404, 'not_found');
  });

  it('returns 404 for an unknown page', async () => {
    expectProblem(
      await server.patch(tenant, '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01', {
        name: 'x',
      }),
      404,
      'not_found',
    );
  });

  it.each(['x', '1', 'null', '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a0', '%00', '%E0%A4%A', '%', '..%2f..', '🚀'])(
    'returns 400 for an ID that is not a UUID: %s',
    async (id) => {
      const body = expectProblem(await server.patch(tenant, id, { name: 'x' }), 400, 'validation_failed');
      expect(body.errors).toEqual([{ code: 'invalid_format', detail: 'must be a UUID', parameter: 'id' }]);
    },
  );

  it('requires only status_pages:write', async () => {
    const page = await aPage();
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:write'] });
    const { status, body } = await server.patch({ key }, page.id, { name: 'Written' });
    expect([status, body.data.name]).toEqual([200, 'Written']);
  });

  it('sends only a lock and one statement if sections are omitted', async () => {
    const page = await aPage();
    const statements = await requestStatementsOf(() =>
      server.patch(tenant, page.id, { name: 'One', is_public: false }),
    );
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatch(
      /^WITH old AS \([^]*UPDATE status_pages[^]*INSERT INTO status_page_revisions/,
    );
    expect(statements[0]).toContain('SET (name, is_public) = ROW');
  });
});

describe('PATCH /v1/status-pages/{id} with an invalid field', () => {
  it('lists every invalid field', async () => {
    await expectRefused(
      await aPage(),
      { name: '', is_public: 'yes', accent_color: 'red', sections: {}, nmae: 'typo' },
      { code: 'invalid_type', pointer: '#/sections' },
      { code: 'unknown_field', pointer: '#/nmae' },
      { code: 'too_short', pointer: '#/name' },
      { code: 'invalid_type', pointer: '#/is_public' },
      { code: 'invalid_format', pointer: '#/accent_color' },
    );
  });

  it('updates no valid fields if another field is invalid', async () => {
    await expectRefused(
      await aPage(),
      { name: 'Good', is_public: 1 },
      { code: 'invalid_type', pointer: '#/is_public' },
    );
  });

  it.each([
    'id slug description show_powered_by show_history history_days rss_enabled subscribe_enabled custom_domain project_id created_at updated_at',
    'organization_id nmae Name constructor __proto__ prototype toString hasOwnProperty valueOf then toJSON',
  ])('rejects read-only and unknown fields: %s', async (names) => {
    const page = await aPage();
    for (const name of names.split(' ')) {
      const patch: unknown = JSON.parse(`{"${name}": "x", "name": "Good"}`);
      await expectRefused(page, patch, { code: 'unknown_field', pointer: `#/${name}` });
    }
  });

  it.each([
    ['id project_id created_at updated_at', 'is read-only'],
    [
      'slug description show_powered_by show_history history_days rss_enabled subscribe_enabled custom_domain',
      'can only be changed with PATCH /v1/status-pages/{id}/settings',
    ],
    ['organization_id nmae constructor', 'is not a field of this operation'],
  ])('returns the reason for rejecting %s', async (names, detail) => {
    const page = await aPage();
    for (const name of names.split(' ')) {
      const { body } = await server.patch(tenant, page.id, { [name]: 'x' });
      expect(body.errors).toEqual([{ code: 'unknown_field', detail, pointer: `#/${name}` }]);
    }
  });

  it('accepts every field of a page or returns the reason', async () => {
    const page = await aPage();
    const { body } = await server.patch(tenant, page.id, page);
    expect(body.errors.map(({ detail }) => detail)).not.toContain('is not a field of this operation');
    expect(body.errors).toHaveLength(Object.keys(page).length - 4);
  });

  it('points to fields with special characters as RFC 6901 requires', async () => {
    await expectRefused(
      await aPage(),
      { 'a/b~c d': 1, '': 2, 'ü"%': 3 },
      { code: 'unknown_field', pointer: '#/a~1b~0c%20d' },
      { code: 'unknown_field', pointer: '#/' },
      { code: 'unknown_field', pointer: '#/%C3%BC%22%25' },
    );
  });

  it.each(['name', 'is_public', 'accent_color', 'sections'])('rejects null for %s', async (field) => {
    await expectRefused(await aPage(), { [field]: null }, { code: 'invalid_type', pointer: `#/${field}` });
  });
});
