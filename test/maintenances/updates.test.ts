import { describe, expect, it } from 'vitest';
import type { ListPage } from '../support/server.js';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { inHours, UNKNOWN_ID, useMaintenances } from './use-maintenances.js';

const { server, tenant, ask, make, get, pass, post, update, updatesOf } = useMaintenances();

const tag = ({ updated_at }: { updated_at: string }) => ({ 'If-Match': `"${updated_at}"` });

describe('POST /v1/maintenances/{id}/updates', () => {
  it("adds an update with the current time and changes the window's version", async () => {
    const maintenance = await make([1, 2]);
    const before = Date.now();
    const { status, headers, body } = await post(maintenance.id, { body: '*Half* done.\n' });
    const { data } = body;
    expect([status, headers.get('location')]).toEqual([
      201,
      `/v1/maintenances/${maintenance.id}/updates/${data.id}`,
    ]);
    expect(data).toEqual({
      id: data.id,
      body: '*Half* done.\n',
      posted_at: data.created_at,
      maintenance_id: maintenance.id,
      created_at: data.created_at,
      updated_at: data.created_at,
    });
    expect(headers.get('etag')).toBe(`"${data.updated_at}"`);
    expect(Date.parse(data.posted_at)).toBeGreaterThanOrEqual(before);
    const changed = await get(maintenance.id);
    expect(changed).toEqual({ ...maintenance, updated_at: changed.updated_at });
    expect(changed.updated_at > maintenance.updated_at).toBe(true);
  });

  it.each<[string, [number, number]]>([
    ['scheduled', [1, 2]],
    ['in_progress', [-1, 1]],
    ['completed', [-2, -1]],
  ])('accepts an update while the window is %s, and keeps the status', async (status, window) => {
    const { id } = await make(window);
    expect((await post(id)).status).toBe(201);
    expect((await get(id)).status).toBe(status);
  });

  it('accepts an update after the window was cancelled', async () => {
    const { id } = await make([1, 2]);
    await ask('PATCH', `/${id}`, { status: 'cancelled' });
    expect((await post(id)).status).toBe(201);
    expect((await get(id)).status).toBe('cancelled');
  });

  it('increases the version of a started window, which is its start time', async () => {
    const { id } = await make([1, 3]);
    await pass(id, 2);
    const before = await get(id);
    expect(before.updated_at).toBe(before.starts_at);
    expect((await post(id, {}, tag(before))).status).toBe(201);
    expect((await get(id)).updated_at > before.updated_at).toBe(true);
  });

  it('accepts a time from the year 2000 until five minutes in the future', async () => {
    const { id } = await make([1, 2]);
    for (const posted_at of ['2000-01-01T00:00:00.000Z', inHours(-48), inHours(4.9 / 60)])
      expect((await post(id, { posted_at })).body.data.posted_at).toBe(posted_at);
    const before = await hashesOf(server);
    for (const posted_at of ['1999-12-31T23:59:59.999Z', inHours(5.1 / 60)])
      expectProblem(await post(id, { posted_at }), 400, 'validation_failed', {
        code: 'out_of_range',
        pointer: '#/posted_at',
      });
    expect(await hashesOf(server)).toEqual(before);
  });

  it.each([
    [{ body: undefined }, 'required', '#/body'],
    [{ body: '' }, 'too_short', '#/body'],
    [{ body: ' \n' }, 'blank', '#/body'],
    [{ body: '🚀'.repeat(10_001) }, 'too_long', '#/body'],
    [{ body: 'a\0b' }, 'invalid_format', '#/body'],
    [{ posted_at: null }, 'invalid_type', '#/posted_at'],
    [{ status: 'completed' }, 'unknown_field', '#/status'],
    [{ maintenance_id: UNKNOWN_ID }, 'unknown_field', '#/maintenance_id'],
  ])('rejects %j: %s', async (fields, code, pointer) => {
    const { id } = await make([1, 2]);
    expectProblem(await post(id, fields), 400, 'validation_failed', { code, pointer });
    expect(await updatesOf(id)).toEqual([]);
  });

  it('accepts one of two updates with the same If-Match', async () => {
    const maintenance = await make([1, 2]);
    expect((await post(maintenance.id, {}, tag(maintenance))).status).toBe(201);
    const before = await hashesOf(server);
    expectProblem(await post(maintenance.id, {}, tag(maintenance)), 412, 'precondition_failed');
    expect(await hashesOf(server)).toEqual(before);
    expect((await post(maintenance.id, {}, tag(await get(maintenance.id)))).status).toBe(201);
  });

  it('runs once for an Idempotency-Key', async () => {
    const { id } = await make([1, 2]);
    const key = { 'Idempotency-Key': 'maintenance-update' };
    const [first, second] = [await post(id, {}, key), await post(id, {}, key)];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await updatesOf(id)).toHaveLength(1);
  });

  it('accepts 1,000 updates and returns 409 for more', async () => {
    const { id } = await make([1, 2]);
    await server.sql(
      `INSERT INTO maintenance_updates (id, organization_id, maintenance_id, body, posted_at)
       SELECT gen_random_uuid(), $1, $2, 'One of many.', now() FROM generate_series(1, 999)`,
      [tenant.organization_id, id],
    );
    const answers = await Promise.all([post(id), post(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expectProblem(await post(id), 409, 'conflict');
  });

  it('gives concurrent updates without posted_at distinct creation times, in the order of the list', async () => {
    const { id } = await make([1, 2]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const created = (await updatesOf(id)).map(({ created_at }) => created_at);
    expect(new Set(created).size).toBe(8);
    expect(created).toEqual(created.toSorted((a, b) => b.localeCompare(a)));
  });
});

describe('GET /v1/maintenances/{id}/updates', () => {
  it('lists updates by creation, newest first, with pagination', async () => {
    const { id } = await make([1, 2]);
    const made = [];
    for (const hours of [-30, -10, -20]) made.unshift(await update(id, hours));
    expect(await updatesOf(id)).toEqual(made);
    const walked: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask<ListPage<{ id: string }>>('GET', `/${id}/updates?limit=1${cursor}`);
      walked.push(...body.data.map((one) => one.id));
      cursor = body.pagination.next_cursor === null ? '' : `&cursor=${body.pagination.next_cursor}`;
    } while (cursor !== '');
    expect(walked).toEqual(made.map((one) => one.id));
  });

  it('returns an empty list for a new maintenance window', async () => {
    const { id } = await make([1, 2]);
    const { body } = await ask<ListPage<object>>('GET', `/${id}/updates`);
    expect(body).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('rejects the cursor of another maintenance window or list', async () => {
    const [{ id }, other] = [await make([1, 2]), await make([1, 2])];
    for (const maintenance of [id, other.id]) for (const hours of [-2, -1]) await update(maintenance, hours);
    const paths = [`?project_id=${tenant.project_id}&limit=1`, `/${other.id}/updates?limit=1`];
    for (const path of paths) {
      const { body } = await ask<ListPage<object>>('GET', path);
      expect(body.pagination.has_more).toBe(true);
      const answer = await ask('GET', `/${id}/updates?cursor=${body.pagination.next_cursor}`);
      expectProblem(answer, 400, 'invalid_cursor', { parameter: 'cursor' });
    }
  });
});

describe('an update of a maintenance window', () => {
  it('returns 404 in every operation with the ID of another maintenance window', async () => {
    const [{ id }, other] = [await make([1, 2]), await make([1, 2])];
    const theirs = await update(other.id, -1);
    const before = await hashesOf(server);
    for (const [method, json] of [['GET'], ['PATCH', { body: 'Changed' }], ['DELETE']] as const) {
      const answer = await ask(method, `/${id}/updates/${theirs.id}`, json);
      const { request_id: _one, ...problem } = expectProblem(answer, 404, 'not_found');
      const never = await ask(method, `/${id}/updates/${UNKNOWN_ID}`, json);
      const { request_id: _other, ...same } = expectProblem(never, 404, 'not_found');
      expect(problem).toEqual(same);
    }
    expect(await hashesOf(server)).toEqual(before);
  });

  it('returns its version as ETag and 304 for it', async () => {
    const { id } = await make([1, 2]);
    const made = await update(id, -1);
    const path = `/${id}/updates/${made.id}`;
    const { headers, body } = await ask('GET', path);
    expect([headers.get('etag'), body.data]).toEqual([`"${made.updated_at}"`, made]);
    const same = await ask('GET', path, undefined, { 'If-None-Match': `"${made.updated_at}"` });
    expect(same.status).toBe(304);
  });

  it("accepts changes of its text and its time, which change the window's version", async () => {
    const { id } = await make([1, 2]);
    const made = await update(id, -1);
    const path = `/${id}/updates/${made.id}`;
    let version = (await get(id)).updated_at;
    let before = made;
    for (const json of [{ body: 'Corrected.' }, { posted_at: inHours(-2) }]) {
      const { status, body } = await ask<{ data: typeof made }>('PATCH', path, json);
      const { data } = body;
      expect([status, data]).toEqual([200, { ...before, ...json, updated_at: data.updated_at }]);
      expect(data.updated_at > before.updated_at).toBe(true);
      const { updated_at } = await get(id);
      expect(updated_at > version).toBe(true);
      [before, version] = [data, updated_at];
    }
  });

  it('changes no version for equal values', async () => {
    const { id } = await make([1, 2]);
    const made = await update(id, -1);
    const before = await hashesOf(server);
    for (const json of [{}, { body: made.body }, { posted_at: made.posted_at }])
      expect((await ask('PATCH', `/${id}/updates/${made.id}`, json)).body.data).toEqual(made);
    expect(await hashesOf(server)).toEqual(before);
  });

  it('rejects a status and another maintenance window', async () => {
    const { id } = await make([1, 2]);
    const made = await update(id, -1);
    const path = `/${id}/updates/${made.id}`;
    const { errors } = expectProblem(
      await ask('PATCH', path, { status: 'completed', maintenance_id: UNKNOWN_ID }),
      400,
      'validation_failed',
    );
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/status', 'unknown_field'],
      ['#/maintenance_id', 'unknown_field'],
    ]);
    expect((await ask('GET', path)).body.data).toEqual(made);
  });

  it("can be deleted, also the only one, which changes the window's version", async () => {
    const { id } = await make([1, 2]);
    const made = await update(id, -1);
    const before = await get(id);
    expect((await ask('DELETE', `/${id}/updates/${made.id}`)).status).toBe(204);
    expect(await updatesOf(id)).toEqual([]);
    expect((await get(id)).updated_at > before.updated_at).toBe(true);
    expect((await ask('GET', `/${id}/updates/${made.id}`)).status).toBe(404);
  });

  it('returns 412 for an old version of its own', async () => {
    const { id } = await make([1, 2]);
    const made = await update(id, -1);
    const path = `/${id}/updates/${made.id}`;
    const { data: changed } = (await ask('PATCH', path, { body: 'Changed.' }, tag(made))).body;
    const before = await hashesOf(server);
    expectProblem(await ask('PATCH', path, { body: 'Again.' }, tag(made)), 412, 'precondition_failed');
    expectProblem(await ask('DELETE', path, undefined, tag(made)), 412, 'precondition_failed');
    expect(await hashesOf(server)).toEqual(before);
    expect((await ask('DELETE', path, undefined, tag(changed))).status).toBe(204);
  });

  it('disappears with its maintenance window', async () => {
    const { id } = await make([1, 2]);
    const made = await update(id, -1);
    expect((await ask('DELETE', `/${id}`)).status).toBe(204);
    expect(await server.sql('SELECT id FROM maintenance_updates WHERE id = $1', [made.id])).toEqual([]);
    expectProblem(await ask('GET', `/${id}/updates`), 404, 'not_found');
  });
});
