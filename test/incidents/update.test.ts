import { describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { affected, useIncidents } from './use-incidents.js';

const { server, tenant, ask, at, make, get, post, update, monitor } = useIncidents();

const patch = (id: string, fields: object, headers: Record<string, string> = {}) =>
  ask('PATCH', `/${id}`, fields, headers);

describe('PATCH /v1/incidents/{id}', () => {
  it('rejects fields that incident updates control, with a hint', async () => {
    const { id } = await make();
    const before = await hashesOf(server);
    const answer = await patch(id, {
      status: 'resolved',
      monitors: [],
      body: 'x',
      resolved_at: at(1),
      created_at: at(1),
      project_id: tenant.project_id,
    });
    const updates = 'can only be changed with POST /v1/incidents/{id}/updates';
    expectProblem(
      answer,
      400,
      'validation_failed',
      ...['status', 'monitors', 'body', 'resolved_at'].map((name) => ({
        code: 'unknown_field',
        detail: updates,
        pointer: `#/${name}`,
      })),
      ...['created_at', 'project_id'].map((name) => ({
        code: 'unknown_field',
        detail: 'is read-only',
        pointer: `#/${name}`,
      })),
    );
    expect(await hashesOf(server)).toEqual(before);
  });

  it('changes the texts and the impact of a resolved incident', async () => {
    const { id } = await make({ status: 'resolved' });
    const fields = { title: 'Was worse', impact: 'critical', postmortem: 'We learned.' };
    expect((await patch(id, fields)).body.data).toMatchObject({ ...fields, resolved_at: at(0) });
    expect((await patch(id, { postmortem: null })).body.data.postmortem).toBeNull();
  });

  it('accepts distinct pages of the project, an empty list, and null as status_page_ids', async () => {
    const { id } = await make();
    const pages = [(await server.page(tenant)).id, (await server.page(tenant)).id];
    for (const status_page_ids of [pages, [], pages.slice(1), null])
      expect((await patch(id, { status_page_ids })).body.data.status_page_ids).toEqual(status_page_ids);
    const many = Array.from({ length: 101 }, (_, index) => `${id.slice(0, -3)}${100 + index}`);
    expectProblem(await patch(id, { status_page_ids: many }), 400, 'validation_failed', {
      code: 'too_long',
      pointer: '#/status_page_ids',
    });
    expectProblem(await patch(id, { status_page_ids: [pages[0], pages[0]] }), 400, 'validation_failed', {
      code: 'duplicate',
      pointer: '#/status_page_ids/1',
    });
  });

  it('rejects a start after an update other than the first', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: 'major_outage' }) });
    await update(id, 30, 'identified');
    await update(id, 20, 'identified');
    const before = await hashesOf(server);
    for (const started_at of [at(20.001), at(25), '1999-12-31T23:59:59Z', at(10_000)])
      expectProblem(await patch(id, { started_at, title: 'Changed' }), 400, 'validation_failed', {
        code: 'out_of_range',
        pointer: '#/started_at',
      });
    expect(await hashesOf(server)).toEqual(before);
    expect((await patch(id, { started_at: at(20) })).status).toBe(200);
  });

  it('accepts a start after the first update, which then takes effect at the start', async () => {
    const { id, created_at } = await make();
    const started_at = new Date(Date.parse(created_at) + 60_000).toISOString();
    expect((await patch(id, { started_at })).body.data.started_at).toBe(started_at);
    // Without posted_at, the next update cannot be before the start.
    expect((await post(id, {})).body.data.posted_at).toBe(started_at);
  });

  it('returns 412 for an old version before it checks the start', async () => {
    const { id, updated_at } = await make();
    await update(id, 20, 'identified');
    const stale = await patch(id, { started_at: at(30) }, { 'If-Match': `"${updated_at}"` });
    expectProblem(stale, 412, 'precondition_failed');
    expect((await get(id)).started_at).toBe(at(0));
  });
});
