import crc32 from 'crc-32';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../src/platform/pagination/cursor.js';
import { type Tenant } from '../support/server.js';
import { requestStatementsOf } from '../support/statements.js';
import { expectProblem } from '../support/expectations.js';
import { useLists } from './use-lists.js';

const { server, tenant, projectWith, walk } = useLists();

describe('GET /v1/status-pages with pagination', () => {
  it('ends has_more and next_cursor together, even after a full page of results', async () => {
    const { tenant: own, ids } = await projectWith(4);
    const first = await server.list(own, { limit: 2 });
    expect(first.body.pagination.has_more).toBe(true);
    const cursor = String(first.body.pagination.next_cursor);
    const second = await server.list(own, { limit: 2, cursor });
    expect(second.body.data.map((page) => page.id)).toEqual(ids.slice(2));
    expect(second.body.pagination).toEqual({ next_cursor: null, has_more: false });
  });

  it('returns every page exactly once for any limit', async () => {
    const { tenant: own, ids } = await projectWith(7);
    for (const limit of [1, 2, 3, 6, 7, 8, 100]) expect(await walk(own, limit)).toEqual(ids);
  });

  it('accepts a different limit for each page of results', async () => {
    const { tenant: own, ids } = await projectWith(6);
    const first = await server.list(own, { limit: 1 });
    const rest = await server.list(own, {
      limit: 100,
      cursor: String(first.body.pagination.next_cursor),
    });
    expect(rest.body.data.map((page) => page.id)).toEqual(ids.slice(1));
  });

  it('returns every remaining page once during concurrent creations and deletions', async () => {
    const { tenant: own } = await projectWith(0);
    await server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $2, 'Page ' || n, 'walk-' || n, moment, moment
         FROM generate_series(1, 1000) AS n, LATERAL (SELECT now() - (n / 7) * interval '1 millisecond' AS moment) AS at`,
      [own.organization_id, own.project_id],
    );
    // Every tenth page is deleted during the walks. Pages created in the meantime did not exist at the start.
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

  it('reads one index range at the start and the end of a list', async () => {
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
    // A prepared statement is planned for its parameters first, and for any parameters later.
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

describe('GET /v1/status-pages with cursor', () => {
  async function aCursor(): Promise<{ own: Tenant; cursor: string }> {
    const { tenant: own } = await projectWith(2);
    const { body } = await server.list(own, { limit: 1 });
    return { own, cursor: String(body.pagination.next_cursor) };
  }

  /** Returns the cursor with some bytes changed and its checksum computed again. */
  function rewritten(cursor: string, change: (bytes: Buffer) => void): string {
    const bytes = Buffer.from(cursor, 'base64url');
    change(bytes);
    const end = bytes.length - 4;
    bytes.writeInt32BE(crc32.buf(bytes.subarray(0, end)), end);
    return bytes.toString('base64url');
  }

  async function expectInvalid(own: Tenant, cursor: string): Promise<void> {
    const answer = await server.list(own, { cursor });
    const detail = 'must be a next_cursor value from a previous response of this list';
    expectProblem(answer, 400, 'invalid_cursor', { code: 'invalid_cursor', detail, parameter: 'cursor' });
  }

  it.each(['', ' ', 'x', 'null', '{}', '%', 'AAAA', '=', 'a'.repeat(60), 'a'.repeat(5000), '\u0000', '🚀'])(
    'returns 400 invalid_cursor for a malformed cursor: %j',
    async (cursor) => {
      await expectInvalid(tenant, cursor);
    },
  );

  it('returns 400 invalid_cursor for a cursor changed at any byte', async () => {
    const { own, cursor } = await aCursor();
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      await expectInvalid(own, cursor.slice(0, at) + other + cursor.slice(at + 1));
    }
  });

  it('returns 400 invalid_cursor for a truncated or extended cursor', async () => {
    const { own, cursor } = await aCursor();
    for (let length = 0; length < cursor.length; length++) await expectInvalid(own, cursor.slice(0, length));
    for (const rest of ['A', '=', '==', ' ', '\n', cursor]) await expectInvalid(own, cursor + rest);
  });

  it('returns 400 invalid_cursor for a cursor of another project', async () => {
    const { cursor } = await aCursor();
    const { own } = await aCursor();
    await expectInvalid(own, cursor);
  });

  it('returns 400 invalid_cursor for a time before 1970', async () => {
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

  it('returns 400 invalid_cursor for another cursor version', async () => {
    const { own, cursor } = await aCursor();
    await expectInvalid(
      own,
      rewritten(cursor, (bytes) => bytes.writeUInt8(2, 0)),
    );
    const same = rewritten(cursor, (bytes) => bytes.writeUInt8(1, 0));
    expect((await server.list(own, { cursor: same })).status).toBe(200);
  });

  it('returns 400 invalid_cursor for a time out of range', async () => {
    const { own, cursor } = await aCursor();
    for (const time of [8_640_000_000_000_001n, 2n ** 63n - 1n])
      await expectInvalid(
        own,
        rewritten(cursor, (bytes) => bytes.writeBigInt64BE(time, 21)),
      );
  });

  it('accepts the first and the last time of its range', async () => {
    const { own, cursor } = await aCursor();
    for (const [time, count] of [
      [0n, 0],
      [8_640_000_000_000_000n, 2],
    ] as const) {
      const at = rewritten(cursor, (bytes) => bytes.writeBigInt64BE(time, 21));
      const { status, body } = await server.list(own, { cursor: at });
      expect([status, body.data.length]).toEqual([200, count]);
    }
  });

  it('returns 404 to a key of another organization', async () => {
    const { own, cursor } = await aCursor();
    const other = await server.tenant();
    const { status } = await server.list(own, { cursor }, other.key);
    expect(status).toBe(404);
  });

  it('returns opaque cursors that need no URL escaping', async () => {
    const { cursor } = await aCursor();
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});
