import { beforeAll, describe, expect, it } from 'vitest';
import type { DeletedStatusPageDto } from '../../src/status-pages/deleted/dto/deleted-status-page.dto.js';
import { expectProblem } from '../support/expectations.js';
import { make, resourceOf, type Row, visible } from '../support/resources.js';
import {
  type Answer,
  type One,
  type ListPage,
  type Tenant,
  useTestServer,
  type Wire,
} from '../support/server.js';
import { sectionsOf, useRevisions } from './use-revisions.js';

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
const DAY_MS = 86_400_000;

const server = useTestServer();
const tenant: Tenant = { organization_id: '', project_id: '', key: '', key_id: '' };
beforeAll(async () => Object.assign(tenant, await server.tenant()));
const { list, get, remove, restore, restoreRevision, read } = useRevisions(server, tenant);

const listDeleted = (
  { project_id, key }: Tenant,
  query: Record<string, string> = {},
): Promise<Answer<ListPage<Wire<DeletedStatusPageDto>>>> =>
  server.ask(`/v1/deleted-status-pages?${new URLSearchParams({ project_id, ...query })}`, { key });

const removePage = async (id: string) => expect(await remove(`/v1/status-pages/${id}`)).toBe(204);

describe('POST /v1/status-pages/{id}/restore', () => {
  it('restores a deleted page unchanged with a later version and its ETag', async () => {
    const monitors = await server.monitors(tenant, 2);
    const wanted = { name: 'Back', description: 'Again', custom_domain: 'back.example', slug: 'back-again' };
    const { id } = await server.page(tenant, {
      ...wanted,
      sections: sectionsOf(...monitors),
      is_public: false,
    });
    const before = (await read(id)).body.data;
    await removePage(id);
    const { status, headers, body } = await restore(id);
    expect([status, body.omitted_monitor_ids]).toEqual([200, []]);
    expect(body.data).toEqual({ ...before, updated_at: body.data.updated_at });
    expect(body.data.updated_at > before.updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await read(id)).body.data).toEqual(body.data);
    expect((await server.list(tenant, { limit: 100 })).body.data).toContainEqual(body.data);
  });

  it('continues the revisions, which return 404 while the page is deleted', async () => {
    const { id } = await server.page(tenant, { name: 'First' });
    await server.patch(tenant, id, { name: 'Second' });
    await removePage(id);
    for (const answer of [await list(id), await get(id, 1), await restoreRevision(id, 1)])
      expectProblem(answer, 404, 'not_found');
    await restore(id);
    await server.patch(tenant, id, { name: 'Third' });
    const { body } = await list(id);
    expect(body.data.map(({ number, operation }) => [number, operation])).toEqual([
      [5, 'update'],
      [4, 'restore'],
      [3, 'delete'],
      [2, 'update'],
      [1, 'create'],
    ]);
    const names = await Promise.all([1, 2, 3, 4, 5].map(async (number) => (await get(id, number)).body.data));
    expect(names.map(({ page }) => page.name)).toEqual(['First', 'Second', 'Second', 'Second', 'Third']);
    expect(names.map(({ created_at, page }) => page.updated_at === created_at)).toEqual(Array(5).fill(true));
    expect((await restoreRevision(id, 1)).body.data.name).toBe('First');
    // Delete and restore once more.
    await removePage(id);
    await restore(id);
    expect((await list(id)).body.data[0]).toMatchObject({ number: 8, operation: 'restore' });
  });

  it('omits monitors deleted since, and lists them in omitted_monitor_ids and the revision', async () => {
    const [kept = '', gone = ''] = await server.monitors(tenant, 2);
    const { id } = await server.page(tenant, { sections: sectionsOf(gone, kept) });
    await removePage(id);
    await remove(`/v1/monitors/${gone}`);
    const { body } = await restore(id);
    expect(body.omitted_monitor_ids).toEqual([gone]);
    expect(body.data.sections).toEqual(sectionsOf(kept));
    const revision = (await get(id, 3)).body.data;
    expect([revision.changed_fields, revision.before]).toEqual([
      ['sections'],
      { sections: sectionsOf(gone, kept) },
    ]);
    expect((await get(id, 2)).body.data.page.sections).toEqual(sectionsOf(gone, kept));
  });

  it('returns 409 with each field taken by another page, and accepts replacements', async () => {
    const unique = { slug: 'clash', custom_domain: 'clash.example' };
    const { id } = await server.page(tenant, unique);
    await removePage(id);
    await server.page(tenant, unique);
    const { errors } = expectProblem(await restore(id), 409, 'conflict');
    expect(errors).toMatchObject([
      { code: 'taken', pointer: '#/slug' },
      { code: 'taken', pointer: '#/custom_domain' },
    ]);
    const again = expectProblem(await restore(id, { custom_domain: null }), 409, 'conflict');
    expect(again.errors).toMatchObject([{ code: 'taken', pointer: '#/slug' }]);
    expectProblem(await restore(id, { slug: 'api' }), 400, 'validation_failed', {
      code: 'reserved',
      pointer: '#/slug',
    });
    const { status, body } = await restore(id, { slug: 'no-clash', custom_domain: null });
    expect([status, body.data.slug, body.data.custom_domain]).toEqual([200, 'no-clash', null]);
    expect((await get(id, 3)).body.data).toMatchObject({ before: unique, page: { slug: 'no-clash' } });
  });

  it('sets a version later than the last, even if the last is in the future', async () => {
    const { id } = await server.page(tenant);
    await removePage(id);
    const later = new Date(Date.now() + 3_600_000);
    await server.sql('UPDATE deleted_status_pages SET deleted_at = $1 WHERE id = $2', [later, id]);
    const { body } = await restore(id);
    expect(new Date(body.data.updated_at).getTime()).toBe(later.getTime() + 1);
  });

  it('returns 409 for a page that is not deleted', async () => {
    const { id } = await server.page(tenant);
    const { detail } = expectProblem(await restore(id), 409, 'conflict');
    expect(detail).toBe('The status page is not deleted');
  });

  it('returns the same 404 for unknown, foreign and expired pages', async () => {
    const them = await server.tenant();
    const theirs = await server.page(them);
    const hidden = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const foreign = [theirs.id, (await server.page(them)).id];
    await server.ask(`/v1/status-pages/${theirs.id}`, { method: 'DELETE', key: them.key });
    const narrowed = await server.key(tenant.organization_id, { project_ids: [hidden.project_id] });
    const own = [(await server.page(tenant)).id, (await server.page(tenant)).id];
    await removePage(own[0] ?? '');
    const { id: late } = await server.page(tenant);
    await removePage(late);
    const [until] = (await listDeleted(tenant)).body.data;
    expect(until).toMatchObject({ id: late });
    const lasts =
      new Date(until?.restorable_until ?? 0).getTime() - new Date(until?.deleted_at ?? 0).getTime();
    expect(lasts).toBe(30 * DAY_MS);
    await server.sql(
      `UPDATE deleted_status_pages SET deleted_at = now() - interval '30 days', restorable_until = now() WHERE id = $1`,
      [late],
    );
    expect((await listDeleted(tenant)).body.data.map(({ id }) => id)).not.toContain(late);
    for (const [ids, key] of [
      [[...foreign, late], tenant.key],
      [own, narrowed.key],
    ] as const) {
      const asked = useRevisions(server, { key });
      for (const id of ids) {
        const answer = await asked.restore(id);
        expect(answer.status).toBe(404);
        expect(visible(answer)).toEqual(visible(await asked.restore(UNKNOWN_ID)));
      }
    }
  });

  it('restores the page once for concurrent requests', async () => {
    const { id } = await server.page(tenant);
    await removePage(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => restore(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect((await list(id)).body.data).toHaveLength(3);
  });

  it('gives the slug to one of several concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      const slug = `wanted-${round}`;
      const { id } = await server.page(tenant, { slug });
      await removePage(id);
      const json = { project_id: tenant.project_id, name: 'Rival', slug };
      const answers = await Promise.all([
        restore(id),
        ...[1, 2, 3].map(() => server.ask('/v1/status-pages', { method: 'POST', key: tenant.key, json })),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(3);
    }
  });

  it.each(['incidents', 'maintenances'])(
    'adds the page back to the %s that referred to it',
    async (table) => {
      const [{ id }, other] = [await server.page(tenant), await server.page(tenant)];
      const resource = resourceOf(table);
      const named = await make(server, tenant, resource, { status_page_ids: [id, other.id] });
      const changed = await make(server, tenant, resource, { status_page_ids: [id] });
      const deleted = await make(server, tenant, resource, { status_page_ids: [id] });
      const none = await make(server, tenant, resource);
      const full = await make(server, tenant, resource, { status_page_ids: [id] });
      await removePage(id);
      await server.sql(
        `UPDATE ${table} SET status_page_ids = ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 100)) WHERE id = $1`,
        [full.id],
      );
      const path = (row: Row) => `${resource.path}/${row.id}`;
      const patched = { method: 'PATCH', key: tenant.key, json: { status_page_ids: null } };
      expect((await server.ask(path(changed), patched)).status).toBe(200);
      expect(await remove(path(deleted))).toBe(204);
      expect((await restore(id)).status).toBe(200);
      const pagesOf = async (row: Row) => {
        const { body } = await server.ask<One<{ status_page_ids: string[] | null }>>(path(row), {
          key: tenant.key,
        });
        return body.data.status_page_ids;
      };
      expect([await pagesOf(named), await pagesOf(changed), await pagesOf(none)]).toEqual([
        [other.id, id],
        null,
        null,
      ]);
      const kept = await pagesOf(full);
      expect([kept?.length, kept?.includes(id)]).toEqual([100, false]);
    },
  );

  it('leaves its preview links deleted', async () => {
    const { id, slug } = await server.page(tenant, { is_public: false });
    const { body } = await server.ask<One<{ url: string }>>(`/v1/status-pages/${id}/preview-links`, {
      method: 'POST',
      key: tenant.key,
      json: {},
    });
    const { search } = new URL(body.data.url);
    const visit = async () => (await fetch(`${server.url}/status/${slug}${search}`)).status;
    expect(await visit()).toBe(200);
    await removePage(id);
    await restore(id);
    expect(await visit()).toBe(404);
  });
});

describe('GET /v1/deleted-status-pages', () => {
  it('lists the deleted pages of one project, last deleted first, with pagination', async () => {
    const owner = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const pages = [];
    for (const name of ['A', 'B', 'C'])
      pages.push(await server.page(owner, { name, slug: `list-${name.toLowerCase()}` }));
    await server.page(owner);
    const [a, b, c] = pages.map(({ id }) => id);
    for (const id of [b, a, c]) await removePage(String(id));
    await server.page(owner, { slug: 'list-a' }); // the slug is free
    const whole = (await listDeleted(owner)).body;
    expect(whole.data.map(({ id, name, slug, project_id }) => [id, name, slug, project_id])).toEqual([
      [c, 'C', 'list-c', owner.project_id],
      [a, 'A', 'list-a', owner.project_id],
      [b, 'B', 'list-b', owner.project_id],
    ]);
    // Pages deleted in the same millisecond are ordered by ID.
    await server.sql(
      `UPDATE deleted_status_pages SET deleted_at = (SELECT deleted_at FROM deleted_status_pages WHERE id = $1) WHERE id = $2`,
      [a, b],
    );
    const walked: string[] = [];
    let query: Record<string, string> = { limit: '1' };
    for (let more = true; more && walked.length <= 3;) {
      const { body } = await listDeleted(owner, query);
      walked.push(...body.data.map(({ id }) => id));
      more = body.pagination.has_more;
      if (more) query = { limit: '1', cursor: String(body.pagination.next_cursor) };
    }
    expect(walked).toEqual([c, b, a]);
    expectProblem(await listDeleted(tenant, query), 400, 'invalid_cursor', {
      code: 'invalid_cursor',
      parameter: 'cursor',
    });
    await restore(String(c));
    expect((await listDeleted(owner)).body.data.map(({ id }) => id)).toEqual([b, a]);
  });
});
