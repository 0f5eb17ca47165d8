import { describe, expect, it } from 'vitest';
import { NEVER, useMonitors } from './use-monitors.js';

const { server, tenant, ask } = useMonitors();

describe('GET /v1/monitors', () => {
  it('is newest first, in pages that neither skip nor repeat', async () => {
    const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const made = (await server.monitors(own, 57)).toReversed();
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `?project_id=${own.project_id}&limit=10${cursor && `&cursor=${cursor}`}`;
      const { status, body } = await ask('GET', query);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(made);
  });

  it('is of one project: of one that does not exist 404, without one 400, of an empty one []', async () => {
    expect((await ask('GET', `?project_id=${NEVER}`)).status).toBe(404);
    expect((await ask('GET', '')).body.errors).toMatchObject([{ code: 'required', parameter: 'project_id' }]);
    const project_id = await server.project(tenant.organization_id);
    const { body } = await ask('GET', `?project_id=${project_id}`);
    expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('takes no cursor of another list, though it is of the same project: 400 invalid_cursor', async () => {
    const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
    await server.monitors(own, 2);
    const cursor = String(
      (await ask('GET', `?project_id=${own.project_id}&limit=1`)).body.pagination.next_cursor,
    );
    const { status, body } = await server.list(own, { cursor });
    expect([status, body.code]).toEqual([400, 'invalid_cursor']);
    expect(body.errors).toMatchObject([{ code: 'invalid_cursor', parameter: 'cursor' }]);
  });
});
