import crc32 from 'crc-32';
import { DataSource } from 'typeorm';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../src/pagination/cursor.js';
import { type Answer, type Tenant, useTestServer } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';

const server = useTestServer();
let tenant: Tenant;

beforeAll(async () => {
  tenant = await server.tenant();
});

/** A new project of the tenant with some pages, the newest first. */
async function projectWith(count: number): Promise<{ tenant: Tenant; ids: string[] }> {
  const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
  const ids: string[] = [];
  for (let number = 0; number < count; number++) ids.unshift((await server.page(own)).id);
  return { tenant: own, ids };
}

/** Follows `next_cursor` to the end. */
async function walk(
  own: Tenant,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await server.list(own, { limit, ...(cursor && { cursor }) });
    expect(status).toBe(200);
    expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
    ids.push(...body.data.map((page) => String(page.id)));
    cursor = body.pagination.next_cursor;
    await between();
  } while (cursor);
  return ids;
}

describe('what is listed', () => {
  it('is every page of the project, newest first, and nothing of other projects', async () => {
    const { tenant: own, ids } = await projectWith(4);
    await projectWith(2);
    const { status, body, headers } = await server.list(own);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body.data.map((page) => page.id)).toEqual(ids);
    expect(body.pagination).toEqual({ next_cursor: null, has_more: false });
    expect(Object.keys(body)).toEqual(['data', 'pagination']);
  });

  it('has pages of the same millisecond in descending order of their ids', async () => {
    const { tenant: own, ids } = await projectWith(5);
    await server.sql('UPDATE status_pages SET created_at = $1 WHERE project_id = $2', [
      new Date(),
      own.project_id,
    ]);
    expect(await walk(own, 2)).toEqual(ids.toSorted().toReversed());
  });

  it('shows the sixteen fields of the spec, in its order, and nothing else', async () => {
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

  it('has the defaults of the contract for what nobody has set', async () => {
    const { tenant: own } = await projectWith(1);
    const { body } = await server.list(own);
    expect(body.data[0]).toMatchObject({
      description: '',
      sections: [],
      custom_domain: null,
      accent_color: '#2563eb',
    });
  });

  it('has slugs that are unique in the installation, whatever the organization', async () => {
    const other = await server.tenant();
    const [ours, theirs] = [
      await server.page(tenant, { name: 'One Name' }),
      await server.page(other, { name: 'One Name' }),
    ];
    expect([ours.slug, theirs.slug]).toEqual(['one-name', 'one-name-2']);
    const update = (column: string, value: string) =>
      server.sql(`UPDATE status_pages SET ${column} = $1 WHERE id IN ($2, $3)`, [value, ours.id, theirs.id]);
    await expect(update('slug', 'the-same')).rejects.toThrow('status_pages_slug_key');
    await expect(update('custom_domain', 'status.example')).rejects.toThrow('status_pages_custom_domain_key');
  });

  it('is an empty list for a project without pages', async () => {
    const { tenant: own } = await projectWith(0);
    const { status, body } = await server.list(own);
    expect(status).toBe(200);
    expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('is not said of a project that does not exist: 404', async () => {
    const { status, body } = await server.list({
      ...tenant,
      project_id: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01',
    });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it('is the same for a project id in upper case', async () => {
    const { tenant: own, ids } = await projectWith(1);
    const { body } = await server.list(own, { project_id: own.project_id.toUpperCase() });
    expect(body.data[0]?.id).toBe(ids[0]);
  });
});

describe('project_id', () => {
  it('is required', async () => {
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
  ])('that is no UUID is 400: %j', async (project_id) => {
    const { status, body } = await server.list(tenant, { project_id });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ code: 'invalid_format', parameter: 'project_id' }]);
  });

  it.each([
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    '919108f7-52d1-4320-9bac-f847db4148a8',
    '2489E9AD-2EE2-8E00-8EC9-32D5F69181C0',
  ])('may be a UUID of any version and variant: %s', async (project_id) => {
    expect((await server.list(tenant, { project_id })).status).toBe(404);
  });
});

describe('limit', () => {
  it('is 25 by default', async () => {
    const { tenant: own } = await projectWith(26);
    const { body } = await server.list(own);
    expect(body.data).toHaveLength(25);
    expect(body.pagination.has_more).toBe(true);
  });

  it.each(['1', '100', '25', '007'])('may be %s', async (limit) => {
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
  ])('that is not 1 to 100 in decimal digits is 400, never clamped: %j', async (limit) => {
    const { status, body } = await server.list(tenant, { limit });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0]?.parameter).toBe('limit');
  });

  it('out of its range has the code out_of_range', async () => {
    const { body } = await server.list(tenant, { limit: 101 });
    expect(body.errors[0]?.code).toBe('out_of_range');
  });
});

describe('has_more and next_cursor', () => {
  it('end together, also when the last page is exactly full', async () => {
    const { tenant: own, ids } = await projectWith(4);
    const first = await server.list(own, { limit: 2 });
    expect(first.body.pagination.has_more).toBe(true);
    const cursor = String(first.body.pagination.next_cursor);
    const second = await server.list(own, { limit: 2, cursor });
    expect(second.body.data.map((page) => page.id)).toEqual(ids.slice(2));
    expect(second.body.pagination).toEqual({ next_cursor: null, has_more: false });
  });

  it('lead through every page exactly once, whatever the limit', async () => {
    const { tenant: own, ids } = await projectWith(7);
    for (const limit of [1, 2, 3, 6, 7, 8, 100]) expect(await walk(own, limit)).toEqual(ids);
  });

  it('allow another limit on each page', async () => {
    const { tenant: own, ids } = await projectWith(6);
    const first = await server.list(own, { limit: 1 });
    const rest = await server.list(own, {
      limit: 100,
      cursor: String(first.body.pagination.next_cursor),
    });
    expect(rest.body.data.map((page) => page.id)).toEqual(ids.slice(1));
  });

  it('give every page that stands throughout exactly once, while others are created and deleted', async () => {
    const { tenant: own } = await projectWith(0);
    await server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'Page ' || n, 'walk-' || n, moment, moment
         FROM generate_series(1, 1000) AS n, LATERAL (SELECT now() - (n / 7) * interval '1 millisecond' AS moment) AS at`,
      [own.organization_id, own.project_id],
    );
    // Every tenth goes away in the course of the walks; what is created meanwhile was not there from the start.
    const doomed = await server.sql<{ id: string }[]>(
      `SELECT id FROM status_pages WHERE project_id = $1 AND right(slug, 1) = '0'`,
      [own.project_id],
    );
    const stood = await server.sql<{ id: string }[]>(
      `SELECT id FROM status_pages WHERE project_id = $1 AND right(slug, 1) <> '0'
        ORDER BY created_at DESC, id DESC`,
      [own.project_id],
    );
    const expected = stood.map(({ id }) => id);
    const standing = new Set(expected);
    const change = async () => {
      await server.page(own);
      await server.sql('DELETE FROM status_pages WHERE id = $1', [doomed.pop()?.id ?? null]);
    };
    for (const limit of [13, 50, 99, 100]) {
      const seen = await walk(own, limit, change);
      expect(seen.filter((id) => standing.has(id))).toEqual(expected);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  it('cost the same at the end of a list as at its start: both read one stretch of the index', async () => {
    const { tenant: own } = await projectWith(0);
    await server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, created_at)
       SELECT gen_random_uuid(), $1, $2, 'Page', 'deep-' || n, now() - n * interval '1 second'
         FROM generate_series(1, 5000) AS n`,
      [own.organization_id, own.project_id],
    );
    await server.sql('ANALYZE status_pages');
    const deep = encodeCursor(
      { name: 'status_pages', owner_id: own.project_id },
      {
        created_at: new Date(Date.now() - 4_900_000),
        id: own.project_id,
      },
    );
    const statements = await requestStatementsOf(() => server.list(own, { cursor: deep }));
    const statement = statements.find((text) => text.includes('LIMIT'));
    const after = new Date(Date.now() - 4_900_000).toISOString();
    const parameters = `'${own.organization_id}', '${own.project_id}', 25, '${after}', '${own.project_id}'`;
    // A statement that is prepared is planned for its parameters at first, and for whatever may come later on.
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const plan = await server.app.get(DataSource).transaction(async (manager) => {
        await manager.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await manager.query(`PREPARE deep AS ${statement}`);
        const explained = await manager.query<unknown>(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE deep (${parameters})`,
        );
        await manager.query('DEALLOCATE deep');
        return JSON.stringify(explained);
      });
      expect(plan).toContain('status_pages_list_idx');
      expect(plan).not.toContain('"Sort"');
      expect(plan).not.toContain('Rows Removed by Filter');
    }
  });
});

describe('cursor', () => {
  async function aCursor(): Promise<{ own: Tenant; cursor: string }> {
    const { tenant: own } = await projectWith(2);
    const { body } = await server.list(own, { limit: 1 });
    return { own, cursor: String(body.pagination.next_cursor) };
  }

  /** The cursor with some bytes changed, and the checksum at its end made anew. */
  function rewritten(cursor: string, change: (bytes: Buffer) => void): string {
    const bytes = Buffer.from(cursor, 'base64url');
    change(bytes);
    const end = bytes.length - 4;
    bytes.writeInt32BE(crc32.buf(bytes.subarray(0, end)), end);
    return bytes.toString('base64url');
  }

  async function expectInvalid(own: Tenant, cursor: string): Promise<void> {
    const { status, body } = await server.list(own, { cursor });
    expect([cursor, status, body.code]).toEqual([cursor, 400, 'invalid_cursor']);
    expect(body.errors).toMatchObject([{ code: 'invalid_cursor', parameter: 'cursor' }]);
  }

  it.each(['', ' ', 'x', 'null', '{}', '%', 'AAAA', '=', 'a'.repeat(60), 'a'.repeat(5000), '\u0000', '🚀'])(
    'that is malformed is 400 invalid_cursor: %j',
    async (cursor) => {
      await expectInvalid(tenant, cursor);
    },
  );

  it('changed at any byte is 400 invalid_cursor', async () => {
    const { own, cursor } = await aCursor();
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      await expectInvalid(own, cursor.slice(0, at) + other + cursor.slice(at + 1));
    }
  });

  it('cut at any byte, or with something behind it, is 400 invalid_cursor', async () => {
    const { own, cursor } = await aCursor();
    for (let length = 0; length < cursor.length; length++) await expectInvalid(own, cursor.slice(0, length));
    for (const rest of ['A', '=', '==', ' ', '\n', cursor]) await expectInvalid(own, cursor + rest);
  });

  it('of another project is 400 invalid_cursor', async () => {
    const { cursor } = await aCursor();
    const { own } = await aCursor();
    await expectInvalid(own, cursor);
  });

  it('of a time that no page has is 400 invalid_cursor', async () => {
    const { own } = await aCursor();
    for (const time of [-1, -8.64e15]) {
      await expectInvalid(
        own,
        encodeCursor(
          { name: 'status_pages', owner_id: own.project_id },
          { created_at: new Date(time), id: own.project_id },
        ),
      );
    }
  });

  it('of another version is 400 invalid_cursor', async () => {
    const { own, cursor } = await aCursor();
    await expectInvalid(
      own,
      rewritten(cursor, (bytes) => bytes.writeUInt8(2, 0)),
    );
    const same = rewritten(cursor, (bytes) => bytes.writeUInt8(1, 0));
    expect((await server.list(own, { cursor: same })).status).toBe(200);
  });

  it('of a time that no clock can tell is 400 invalid_cursor', async () => {
    const { own, cursor } = await aCursor();
    for (const time of [8_640_000_000_000_001n, 2n ** 63n - 1n])
      await expectInvalid(
        own,
        rewritten(cursor, (bytes) => bytes.writeBigInt64BE(time, 21)),
      );
  });

  it('grants nothing: with the key of another tenant it leads to 404', async () => {
    const { own, cursor } = await aCursor();
    const other = await server.tenant();
    const { status } = await server.list(own, { cursor }, other.key);
    expect(status).toBe(404);
  });

  it('is opaque text that needs no escaping in a URL', async () => {
    const { cursor } = await aCursor();
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});

describe('a list of large pages', () => {
  /** `count` pages of 200 kB each. */
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

  it('ends early, and goes on where it ended', async () => {
    const own = await largePages(60);
    const seen: string[] = [];
    const counts: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, text, body }: Answer = await server.list(own, {
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

  it('of ordinary pages has as many as were asked for', async () => {
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

describe('statements', () => {
  it('are one for the list and one more only where it is empty', async () => {
    const { tenant: full } = await projectWith(1);
    const { tenant: empty } = await projectWith(0);
    expect(await requestStatementsOf(() => server.list(full))).toHaveLength(1);
    expect(await requestStatementsOf(() => server.list(empty))).toHaveLength(2);
  });
});
