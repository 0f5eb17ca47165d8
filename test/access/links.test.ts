import { describe, expect, it } from 'vitest';
import { MAX_ACCESS_LINKS } from '../../src/access/access-links.service.js';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useAccess } from './use-access.js';

const server = useTestServer();
const tenant = useTenant(server);
const { links, addLink, removeLink } = useAccess(server, tenant);

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

  it('cannot be deleted by the path of another page', async () => {
    const [one, other] = [await server.page(tenant), await server.page(tenant)];
    const { id } = (await addLink(one.id)).body.data;
    expectProblem(await removeLink(other.id, id), 404, 'not_found');
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
