import { type Monitor } from '../../clients/typescript/src/index.js';
import { type ListPage } from '../support/server.js';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID, useMonitors } from './use-monitors.js';

const { server, tenant, ask } = useMonitors();

describe('GET /v1/monitors', () => {
  it('lists newest first, with pagination that neither skips nor repeats', async () => {
    const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const made = (await server.monitors(own, 57)).toReversed();
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `?project_id=${own.project_id}&limit=10${cursor && `&cursor=${cursor}`}`;
      const { status, body } = await ask<ListPage<Monitor>>('GET', query);
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual(made);
  });

  it('returns 404 for an unknown project, 400 without project_id, or an empty list', async () => {
    expect((await ask('GET', `?project_id=${UNKNOWN_ID}`)).status).toBe(404);
    expectProblem(await ask('GET', ''), 400, 'validation_failed', {
      code: 'required',
      parameter: 'project_id',
    });
    const project_id = await server.project(tenant.organization_id);
    const { body } = await ask<ListPage<Monitor>>('GET', `?project_id=${project_id}`);
    expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('returns 400 invalid_cursor for a cursor of another list of the project', async () => {
    const own = { ...tenant, project_id: await server.project(tenant.organization_id) };
    await server.monitors(own, 2);
    const cursor = String(
      (await ask<ListPage<Monitor>>('GET', `?project_id=${own.project_id}&limit=1`)).body.pagination
        .next_cursor,
    );
    const body = expectProblem(await server.list(own, { cursor }), 400, 'invalid_cursor');
    expect(body.errors).toMatchObject([{ code: 'invalid_cursor', parameter: 'cursor' }]);
  });
});
