import { describe, expect, it } from 'vitest';
import { StatusPagesRepository } from '../../src/status-pages/status-pages.repository.js';
import { type Answer, type Tenant, type ListPage, type WirePage } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';
import { expectProblem } from '../support/expectations.js';
import { useLists } from './use-lists.js';

const { server, tenant, projectWith, walk } = useLists();

describe('GET /v1/status-pages', () => {
  it('lists every page of the project, newest first', async () => {
    const { tenant: own, ids } = await projectWith(4);
    await projectWith(2);
    const { status, body, headers } = await server.list(own);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body.data.map((page) => page.id)).toEqual(ids);
    expect(body.pagination).toEqual({ next_cursor: null, has_more: false });
    expect(Object.keys(body)).toEqual(['data', 'pagination']);
  });

  it('orders pages of the same millisecond by descending ID', async () => {
    const { tenant: own, ids } = await projectWith(5);
    await server.sql('UPDATE status_pages SET created_at = $1 WHERE project_id = $2', [
      new Date(),
      own.project_id,
    ]);
    expect(await walk(own, 2)).toEqual(ids.toSorted().toReversed());
  });

  it('returns the sixteen fields of the spec in its order', async () => {
    const { tenant: own } = await projectWith(0);
    const [monitor = ''] = await server.monitors(own, 1);
    const sections = [{ id: 'core', title: 'Core', monitor_ids: [monitor] }];
    const page = await server.page(own, { name: 'Über uns 🚀', description: 'All of it', sections });
    const { body } = await server.list(own);
    expect(Object.entries(body.data[0] ?? {})).toEqual([
      ['id', page.id],
      ['name', 'Über uns 🚀'],
      ['slug', 'ueber-uns'],
      ['is_public', true],
      ['description', 'All of it'],
      ['accent_color', '#2563eb'],
      ['show_powered_by', true],
      ['show_history', true],
      ['history_days', 90],
      ['rss_enabled', true],
      ['subscribe_enabled', false],
      ['custom_domain', null],
      ['sections', sections],
      ['project_id', own.project_id],
      ['created_at', page.created_at.toISOString()],
      ['updated_at', page.updated_at.toISOString()],
    ]);
    expect(Object.keys(body.data[0]?.sections[0] ?? {})).toEqual(['id', 'title', 'monitor_ids']);
    expect(page.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(body.data[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('returns the documented defaults for fields that are not set', async () => {
    const { tenant: own } = await projectWith(1);
    const { body } = await server.list(own);
    expect(body.data[0]).toMatchObject({
      description: '',
      sections: [],
      custom_domain: null,
      accent_color: '#2563eb',
    });
  });

  it('returns slugs that are unique across organizations', async () => {
    const other = await server.tenant();
    const [ours, theirs] = [
      await server.page(tenant, { name: 'One Name' }),
      await server.page(other, { name: 'One Name' }),
    ];
    expect([ours.slug, theirs.slug]).toEqual(['one-name', 'one-name-2']);
    const update = (column: string, value: string) =>
      server.sql(`UPDATE status_pages SET ${column} = $1 WHERE id IN ($2, $3)`, [value, ours.id, theirs.id]);
    await expect(update('slug', 'the-same')).rejects.toThrow('status_pages_slug_key');
  });

  it('returns an empty list for a project without pages', async () => {
    const { tenant: own } = await projectWith(0);
    const { status, body } = await server.list(own);
    expect(status).toBe(200);
    expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('returns 404 for an unknown project', async () => {
    expectProblem(
      await server.list({
        ...tenant,
        project_id: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01',
      }),
      404,
      'not_found',
    );
  });

  it('accepts a project ID in upper case', async () => {
    const { tenant: own, ids } = await projectWith(1);
    const { body } = await server.list(own, { project_id: own.project_id.toUpperCase() });
    expect(body.data[0]?.id).toBe(ids[0]);
  });
});

describe('GET /v1/status-pages with project_id', () => {
  it('requires the parameter', async () => {
    const { status, body } = await server.ask('/v1/status-pages', { key: tenant.key });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ code: 'required', detail: 'is required', parameter: 'project_id' }]);
  });

  it.each([
    '',
    'x',
    '123',
    '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a0',
    '{0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01}',
    'null',
    ' ',
  ])('returns 400 for a value that is not a UUID: %j', async (project_id) => {
    expectProblem(await server.list(tenant, { project_id }), 400, 'validation_failed', {
      code: 'invalid_format',
      parameter: 'project_id',
    });
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    '919108f7-52d1-4320-9bac-f847db4148a8',
    '2489E9AD-2EE2-8E00-8EC9-32D5F69181C0',
  ])('accepts a UUID of any version and variant: %s', async (project_id) => {
    expect((await server.list(tenant, { project_id })).status).toBe(404);
  });
});

describe('GET /v1/status-pages with limit', () => {
  it('returns 25 pages by default', async () => {
    const { tenant: own } = await projectWith(26);
    const { body } = await server.list(own);
    expect(body.data).toHaveLength(25);
    expect(body.pagination.has_more).toBe(true);
  });

  it.each(['1', '100', '25', '007'])('accepts %s', async (limit) => {
    expect((await server.list(tenant, { limit })).status).toBe(200);
  });

  it.each([
    '0',
    '101',
    '000',
    '999999999999999',
    '1.0',
    '1e1',
    '+5',
    '-1',
    ' 5',
    '5 ',
    '',
    '0x10',
    '٣',
    'abc',
    'NaN',
    '1,2',
  ])('returns 400 for a value that is not 1 to 100 in decimal digits: %j', async (limit) => {
    const body = expectProblem(await server.list(tenant, { limit }), 400, 'validation_failed');
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0]?.parameter).toBe('limit');
  });

  it('returns out_of_range with the allowed range in the detail', async () => {
    const { body } = await server.list(tenant, { limit: 101 });
    expect(body.errors).toEqual([
      {
        code: 'out_of_range',
        detail: 'must be an integer from 1 to 100, in decimal digits',
        parameter: 'limit',
      },
    ]);
  });
});

describe('GET /v1/status-pages with large pages', () => {
  /** Creates `count` pages of 200 kB each. */
  async function largePages(count: number): Promise<Tenant> {
    const own = await server.tenant();
    await server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections)
       SELECT gen_random_uuid(), $1, $2, 'Large', 'large-' || gen_random_uuid(),
              (SELECT jsonb_agg(jsonb_build_object('id', 's' || section, 'title', repeat('🚀', 200), 'monitor_ids', '[]'::jsonb))
                 FROM generate_series(1, 200) AS section)
         FROM generate_series(1, $3)`,
      [own.organization_id, own.project_id, count],
    );
    return own;
  }

  it('ends a large page of results early and continues with the next cursor', async () => {
    const own = await largePages(60);
    const seen: string[] = [];
    const counts: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, text, body }: Answer<ListPage<WirePage>> = await server.list(own, {
        limit: 100,
        ...(cursor && { cursor }),
      });
      expect([status, body.pagination.has_more]).toEqual([200, body.pagination.next_cursor !== null]);
      expect(Buffer.byteLength(text)).toBeLessThan(6 * 1024 * 1024);
      seen.push(...body.data.map(({ id }) => id));
      counts.push(body.data.length);
      cursor = body.pagination.next_cursor;
    }
    expect(counts).toEqual([25, 25, 10]);
    expect(new Set(seen).size).toBe(60);
  });

  it('returns has_more false if the remaining pages are deleted while it reads', async () => {
    const { tenant: own, ids } = await projectWith(26);
    const { table } = server.app.get(StatusPagesRepository);
    const listBy = table.listBy.bind(table);
    table.listBy = async (...parameters) => {
      table.listBy = listBy;
      const rows = await listBy(...parameters); // the first 25; another statement reads the rest
      await server.sql('DELETE FROM status_pages WHERE id = $1', [ids.at(-1)]);
      return rows;
    };
    const { body } = await server.list(own, { limit: 100 });
    expect([body.data.length, body.pagination]).toEqual([25, { next_cursor: null, has_more: false }]);
  });

  it('returns the full limit for pages of ordinary size', async () => {
    const { tenant: own } = await projectWith(60);
    const whole = await server.list(own, { limit: 100 });
    expect([whole.body.data.length, whole.body.pagination.has_more]).toEqual([60, false]);
    const most = await server.list(own, { limit: 59 });
    expect([most.body.data.length, most.body.pagination.has_more]).toEqual([59, true]);
    expect(most.body.data).toEqual(whole.body.data.slice(0, 59));
    const exact = await server.list(own, { limit: 60 });
    expect([exact.body.data, exact.body.pagination.has_more]).toEqual([whole.body.data, false]);
  });
});

describe('GET /v1/status-pages and its SQL statements', () => {
  it('executes one statement, and a second one only for an empty list', async () => {
    const { tenant: full } = await projectWith(1);
    const { tenant: empty } = await projectWith(0);
    expect(await requestStatementsOf(() => server.list(full))).toHaveLength(1);
    expect(await requestStatementsOf(() => server.list(empty))).toHaveLength(2);
  });
});
