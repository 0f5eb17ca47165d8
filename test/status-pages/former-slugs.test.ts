import { describe, expect, it } from 'vitest';
import { PagesCleanup } from '../../src/status-pages/deleted/pages-cleanup.js';
import { newSlug } from '../public-page/cache/use-visits.js';
import { expectProblem } from '../support/expectations.js';
import { type Answer, type Tenant, useTenant, useTestServer, type WirePage } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const rename = (id: string, slug: string, { key }: Tenant = tenant): Promise<Answer> =>
  server.ask(`/v1/status-pages/${id}/settings`, { method: 'PATCH', key, json: { slug } });

const create = ({ key, project_id }: Tenant, json: object) =>
  server.ask<{ data: WirePage }>('/v1/status-pages', {
    method: 'POST',
    key,
    json: { project_id, name: 'Page', ...json },
  });

/** Returns a page and its former slug. */
async function renamed(): Promise<{ id: string; former: string; slug: string }> {
  const [former, slug] = [newSlug(), newSlug()];
  const { id } = await server.page(tenant, { slug: former });
  expect((await rename(id, slug)).status).toBe(200);
  return { id, former, slug };
}

const formerOf = async (id: string): Promise<string[]> => {
  const rows = await server.sql<{ slug: string }[]>(
    'SELECT slug FROM former_slugs WHERE status_page_id = $1 ORDER BY created_at',
    [id],
  );
  return rows.map(({ slug }) => slug);
};

function expectTaken(answer: Parameters<typeof expectProblem>[0]): void {
  const { errors } = expectProblem(answer, 409, 'conflict');
  expect(errors).toMatchObject([{ code: 'taken', pointer: '#/slug' }]);
}

describe('a former slug', () => {
  it('stays unavailable to pages of other organizations for a year', async () => {
    const other = await server.tenant();
    const { former } = await renamed();
    const foreign = await server.page(other, { slug: newSlug() });
    expectTaken(await create(other, { slug: former }));
    expectTaken(await rename(foreign.id, former, other));
    await server.sql(
      `UPDATE former_slugs SET created_at = now() - interval '1 year' + interval '1 minute' WHERE slug = $1`,
      [former],
    );
    expectTaken(await create(other, { slug: former }));
    await server.sql(`UPDATE former_slugs SET created_at = now() - interval '1 year' WHERE slug = $1`, [
      former,
    ]);
    expect((await create(other, { slug: former })).status).toBe(201);
  });

  it('stays unavailable to a restored page or revision of another organization', async () => {
    const other = await server.tenant();
    const { id, former: own } = await renamed();
    const back = newSlug();
    const foreign = await server.page(other, { slug: back });
    await rename(foreign.id, newSlug(), other);
    await server.sql('DELETE FROM former_slugs WHERE slug = $1', [back]); // as if it had been older than a year
    expect((await rename(id, back)).status).toBe(200);
    expect((await rename(id, newSlug())).status).toBe(200);
    expectTaken(
      await server.ask(`/v1/status-pages/${foreign.id}/revisions/1/restore`, {
        method: 'POST',
        key: other.key,
      }),
    );
    const gone = await server.page(other, { slug: newSlug() });
    await server.ask(`/v1/status-pages/${gone.id}`, { method: 'DELETE', key: other.key });
    expectTaken(
      await server.ask(`/v1/status-pages/${gone.id}/restore`, {
        method: 'POST',
        key: other.key,
        json: { slug: own },
      }),
    );
  });

  it('can be used again by its page and by other pages of the organization', async () => {
    const { id, former, slug } = await renamed();
    expect((await rename(id, former)).status).toBe(200);
    expect(await formerOf(id)).toEqual([slug]);
    expect((await create(tenant, { slug })).status).toBe(201);
    expect(await formerOf(id)).toEqual([]);
    const second = await renamed();
    expect((await rename(id, second.former)).status).toBe(200);
    expect(await formerOf(second.id)).toEqual([]);
  });

  it("never becomes the slug derived from a new page's name, so that links do not lead to another page", async () => {
    const name = `Name ${newSlug()}`;
    const { body } = await create(tenant, { name });
    await rename(body.data.id, newSlug());
    expect((await create(tenant, { name })).body.data.slug).toBe(`${body.data.slug}-2`);
  });

  it('becomes available to all organizations after its page is deleted', async () => {
    const { id, former } = await renamed();
    await server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key: tenant.key });
    expect((await create(await server.tenant(), { slug: former })).status).toBe(201);
  });

  it('remains unrecorded if the update fails or changes nothing', async () => {
    const { id, slug, former } = await renamed();
    expect((await rename(id, slug)).status).toBe(200);
    expect((await rename(id, 'www')).status).toBe(400);
    expect(await formerOf(id)).toEqual([former]);
  });

  it('remains recorded only among the last 20 of a page', async () => {
    const { id, former, slug } = await renamed();
    const slugs = Array.from({ length: 21 }, () => newSlug());
    for (const one of slugs) expect((await rename(id, one)).status).toBe(200);
    expect(await formerOf(id)).toEqual([slug, ...slugs.slice(0, -1)].slice(-20));
    expect((await create(await server.tenant(), { slug: former })).status).toBe(201);
  });

  it('causes an error of the database if another organization takes it concurrently', async () => {
    const other = await server.tenant();
    const { former } = await renamed();
    const foreign = await server.page(other, { slug: newSlug() });
    await expect(
      server.sql('UPDATE status_pages SET slug = $1 WHERE organization_id = $2 AND id = $3', [
        former,
        other.organization_id,
        foreign.id,
      ]),
    ).rejects.toThrow('the slug is a former one of another organization');
  });

  it('disappears in the cleanup after a year', async () => {
    const [old, kept] = [await renamed(), await renamed()];
    await server.sql(`UPDATE former_slugs SET created_at = now() - interval '1 year' WHERE slug = $1`, [
      old.former,
    ]);
    await server.app.get(PagesCleanup).run();
    expect([await formerOf(old.id), await formerOf(kept.id)]).toEqual([[], [kept.former]]);
  });
});
