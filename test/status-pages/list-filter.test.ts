import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useLists } from './use-lists.js';

const { server, tenant, projectWith, walk } = useLists();

describe('GET /v1/status-pages with slug or custom_domain', () => {
  it('lists only the page with this slug or with this domain in any case', async () => {
    const { tenant: own } = await projectWith(3);
    const page = await server.page(own, { slug: 'found-by-slug', custom_domain: 'status.found.example' });
    const bySlug = await server.list(own, { slug: 'found-by-slug' });
    expect(bySlug.body.data.map(({ id }) => id)).toEqual([page.id]);
    expect(bySlug.body.pagination).toEqual({ next_cursor: null, has_more: false });
    const byDomain = await server.list(own, { custom_domain: 'Status.Found.Example' });
    expect(byDomain.body.data).toEqual(bySlug.body.data);
    const byBoth = await server.list(own, { slug: 'found-by-slug', custom_domain: 'status.found.example' });
    expect(byBoth.body.data).toEqual(bySlug.body.data);
    const byNeither = await server.list(own, { slug: 'found-by-slug', custom_domain: 'other.example' });
    expect(byNeither.body.data).toEqual([]);
  });

  it('finds only pages of the project', async () => {
    const { tenant: own } = await projectWith(1);
    const neighbor = { ...tenant, project_id: await server.project(tenant.organization_id) };
    await server.page(neighbor, { slug: 'of-the-neighbor', custom_domain: 'neighbor.example' });
    await server.page(await server.tenant(), { slug: 'of-a-stranger', custom_domain: 'stranger.example' });
    for (const slug of ['of-the-neighbor', 'of-a-stranger'])
      expect((await server.list(own, { slug })).body.data).toEqual([]);
    for (const custom_domain of ['neighbor.example', 'stranger.example'])
      expect((await server.list(own, { custom_domain })).body.data).toEqual([]);
  });

  it('returns 404 for an unknown project and any slug', async () => {
    const gone = { ...tenant, project_id: '01890a5d-ac96-774b-bcce-b302099a8057' };
    expectProblem(await server.list(gone, { slug: 'acme' }), 404, 'not_found');
  });

  it('continues after a cursor like the unfiltered list', async () => {
    const { tenant: own, ids } = await projectWith(3);
    expect(await walk(own, 1)).toEqual(ids);
    const { body } = await server.list(own, { limit: 1 });
    const [newest] = body.data;
    const rest = await server.list(own, {
      slug: newest?.slug ?? '',
      cursor: body.pagination.next_cursor ?? '',
    });
    expect(rest.body.data).toEqual([]);
  });

  it('rejects invalid filter values', async () => {
    const problem = expectProblem(
      await server.list(tenant, { slug: 'Not a slug', custom_domain: 'https://x.example/' }),
      400,
      'validation_failed',
    );
    expect(problem.errors).toMatchObject([
      { code: 'invalid_format', parameter: 'slug' },
      { code: 'invalid_format', parameter: 'custom_domain' },
    ]);
  });
});
