import { describe, expect, it } from 'vitest';
import { MAX_ACCESS_LINKS } from '../../src/access/access-links.service.js';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useAccess } from './use-access.js';

const server = useTestServer();
const tenant = useTenant(server);
const { links, addLink, removeLink } = useAccess(server, tenant);

/** Returns the IDs of all links of a page, read with a limit. `between` runs after each page of results. */
async function walk(id: string, limit: number, between = async () => {}): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { status, body } = await links(id, { limit: String(limit), ...(cursor && { cursor }) });
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    seen.push(...body.data.map((link) => link.id));
    cursor = body.pagination.next_cursor;
    expect(body.pagination.has_more).toBe(cursor !== null);
    await between();
  }
  return seen;
}

describe('links with tokens', () => {
  it('show their token once, and store only its hash', async () => {
    const { id } = await server.page(tenant);
    const { status, body } = await addLink(id, 'A dashboard');
    expect(status).toBe(201);
    const { token, url, ...link } = body.data;
    expect(token).toMatch(/^al_[0-9A-Za-z]{46}$/);
    expect(url).toMatch(new RegExp(`^http://localhost:\\d+/status/[a-z0-9-]+\\?token=${token}$`));
    expect(link).toMatchObject({ description: 'A dashboard', last_used_at: null, status_page_id: id });
    expect((await links(id)).body.data).toEqual([link]);
    const rows = await server.sql<object[]>('SELECT * FROM access_links WHERE status_page_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(3));
  });

  it('appear newest first in the list until they are deleted', async () => {
    const { id } = await server.page(tenant);
    const first = (await addLink(id, 'First')).body.data;
    const second = (await addLink(id, 'Second')).body.data;
    expect((await links(id)).body.data.map((link) => link.id)).toEqual([second.id, first.id]);
    expect((await removeLink(id, first.id)).status).toBe(204);
    expectProblem(await removeLink(id, first.id), 404, 'not_found');
    expect((await links(id)).body.data.map((link) => link.id)).toEqual([second.id]);
  });

  it.each([1, 2, 3, 7, 100])('appear exactly once in a walk with limit=%i', async (limit) => {
    const { id } = await server.page(tenant);
    const created: string[] = [];
    for (let count = 0; count < 7; count++) created.push((await addLink(id)).body.data.id);
    expect(await walk(id, limit)).toEqual(created.toReversed());
  });

  it('appear exactly once in a walk while others are created and revoked', async () => {
    const { id } = await server.page(tenant);
    const created: string[] = [];
    for (let count = 0; count < 12; count++) created.push((await addLink(id)).body.data.id);
    // Links at the start and the end of the list, and one that the cursor points to.
    const [oldest = '', ...rest] = created;
    const doomed = [oldest, rest[8] ?? ''];
    const seen = await walk(id, 2, async () => {
      await addLink(id);
      const revoked = doomed.pop();
      if (revoked !== undefined) expect((await removeLink(id, revoked)).status).toBe(204);
    });
    expect(seen).toEqual([...seen].filter((link) => created.includes(link)));
    const standing = rest.filter((_, index) => index !== 8).toReversed();
    expect(seen.filter((link) => standing.includes(link))).toEqual(standing);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).not.toContain(oldest);
  });

  it('cause 400 with the parameter for a cursor that is invalid or belongs to another list', async () => {
    const [page, other] = [await server.page(tenant), await server.page(tenant)];
    for (const { id } of [page, other]) for (let count = 0; count < 2; count++) await addLink(id);
    const { next_cursor } = (await links(other.id, { limit: '1' })).body.pagination;
    for (const cursor of ['', 'x', 'bm90IGEgY3Vyc29y', `${next_cursor}x`, String(next_cursor)])
      expectProblem(await links(page.id, { cursor }), 400, 'invalid_cursor', {
        code: 'invalid_cursor',
        parameter: 'cursor',
      });
    for (const limit of ['0', '101', 'x'])
      expectProblem(await links(page.id, { limit }), 400, 'validation_failed', { parameter: 'limit' });
  });

  it('cannot be deleted by the path of another page or an unknown one', async () => {
    const [one, other] = [await server.page(tenant), await server.page(tenant)];
    const { id } = (await addLink(one.id)).body.data;
    expectProblem(await removeLink(other.id, id), 404, 'not_found');
    const { detail } = expectProblem(await removeLink(UNKNOWN_ID, id), 404, 'not_found');
    expect(detail).toBe('Status page not found');
    expect((await links(one.id)).body.data).toHaveLength(1);
  });

  it(`cause 409 above ${MAX_ACCESS_LINKS} for a page`, async () => {
    const { id } = await server.page(tenant);
    await server.sql(
      `INSERT INTO access_links (organization_id, status_page_id, id, description, token_hash)
       SELECT $1, $2::uuid, gen_random_uuid(), 'Link', decode(md5(n::text || $2::text), 'hex') FROM generate_series(1, $3) AS n`,
      [tenant.organization_id, id, MAX_ACCESS_LINKS - 1],
    );
    expect((await addLink(id)).status).toBe(201);
    expectProblem(await addLink(id), 409, 'conflict');
  });
});
