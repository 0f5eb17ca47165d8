import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { sectionsOf, useRevisions } from './use-revisions.js';

const server = useTestServer();
const tenant = useTenant(server);
const { list, get, settings, remove, restoreRevision, read } = useRevisions(server, tenant);

describe('POST /v1/status-pages/{id}/revisions/{number}/restore', () => {
  it('restores all values, writes a new revision and returns the page with its ETag', async () => {
    const monitors = await server.monitors(tenant, 2);
    const { id } = await server.page(tenant, {
      sections: sectionsOf(...monitors),
      custom_domain: 'a.example',
    });
    const first = (await read(id)).body.data;
    await server.patch(tenant, id, {
      name: 'Changed',
      is_public: false,
      accent_color: '#000000',
      sections: [],
    });
    const changed = await settings(id, {
      slug: `changed-${id.slice(-12)}`,
      description: 'Changed',
      show_powered_by: false,
      show_history: false,
      history_days: 30,
      rss_enabled: false,
      subscribe_enabled: true,
      custom_domain: null,
    });
    const { status, body, headers } = await restoreRevision(id, 1);
    expect([status, body.omitted_monitor_ids]).toEqual([200, []]);
    expect(body.data).toEqual({ ...first, updated_at: body.data.updated_at });
    expect(body.data.updated_at > changed.body.data.updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await read(id)).body.data).toEqual(body.data);
    expect((await get(id, 4)).body.data).toMatchObject({ operation: 'restore_revision', page: body.data });
    // Restore the latest values again.
    const back = await restoreRevision(id, 3);
    expect(back.body.data).toEqual({ ...changed.body.data, updated_at: back.body.data.updated_at });
  });

  it('omits deleted monitors and lists each once', async () => {
    const [kept = '', gone = ''] = await server.monitors(tenant, 2);
    const sections = [
      { id: 'a', title: 'A', monitor_ids: [gone, kept] },
      { id: 'b', title: 'B', monitor_ids: [gone] },
    ];
    const { id } = await server.page(tenant, { sections });
    await remove(`/v1/monitors/${gone}`);
    await server.patch(tenant, id, { sections: [] });
    const { status, body } = await restoreRevision(id, 1);
    expect([status, body.omitted_monitor_ids]).toEqual([200, [gone]]);
    expect(body.data.sections.map(({ monitor_ids }) => monitor_ids)).toEqual([[kept], []]);
  });

  it('writes no revision if the page is unchanged', async () => {
    const { id } = await server.page(tenant);
    const before = (await read(id)).body.data;
    expect((await restoreRevision(id, 1)).body.data).toEqual(before);
    expect((await list(id)).body.data).toHaveLength(1);
  });

  it('returns 409 with each taken field, but 412 and 404 first', async () => {
    const unique = { slug: 'restored-clash', custom_domain: 'restored-clash.example' };
    const { id } = await server.page(tenant, unique);
    const free = await settings(id, { slug: 'restored-free', custom_domain: null });
    await server.page(tenant, unique); // other organizations cannot use the former slug
    const { errors } = expectProblem(await restoreRevision(id, 1), 409, 'conflict');
    expect(errors).toMatchObject([
      { code: 'taken', pointer: '#/slug' },
      { code: 'taken', pointer: '#/custom_domain' },
    ]);
    expectProblem(await restoreRevision(id, 1, { 'If-Match': '"x"' }), 412, 'precondition_failed');
    expectProblem(await restoreRevision(id, 3), 404, 'not_found');
    expect((await read(id)).body.data).toEqual(free.body.data);
    expect((await list(id)).body.data).toHaveLength(2);
  });

  it('returns 412 if the version has changed', async () => {
    const { id } = await server.page(tenant, { name: 'First' });
    const { body } = await server.patch(tenant, id, { name: 'Second' });
    expectProblem(await restoreRevision(id, 1, { 'If-Match': '"x"' }), 412, 'precondition_failed');
    const current = await restoreRevision(id, 1, { 'If-Match': `"${body.data.updated_at}"` });
    expect(current.body.data.name).toBe('First');
  });
});
