import { describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { affected, UNKNOWN_ID, useIncidents } from './use-incidents.js';

const { server, tenant, ask, at, make, get, post, update, updatesOf, intervalsOf, monitor } = useIncidents();

const tag = ({ updated_at }: { updated_at: string }) => ({ 'If-Match': `"${updated_at}"` });

describe('POST /v1/incidents/{id}/updates', () => {
  it("adds an update with the current time and changes the incident's version", async () => {
    const one = await monitor();
    const incident = await make();
    const before = Date.now();
    const { status, headers, body } = await post(incident.id, {
      status: 'identified',
      body: '*Found* it.\n',
      monitors: affected({ [one]: 'partial_outage' }),
    });
    const { data } = body;
    expect([status, headers.get('location')]).toEqual([
      201,
      `/v1/incidents/${incident.id}/updates/${data.id}`,
    ]);
    expect(data).toEqual({
      id: data.id,
      status: 'identified',
      body: '*Found* it.\n',
      monitors: affected({ [one]: 'partial_outage' }),
      posted_at: data.created_at,
      incident_id: incident.id,
      created_at: data.created_at,
      updated_at: data.created_at,
    });
    expect(headers.get('etag')).toBe(`"${data.updated_at}"`);
    expect(Date.parse(data.posted_at)).toBeGreaterThanOrEqual(before);
    const changed = await get(incident.id);
    expect(changed.status).toBe('identified');
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(incident.updated_at));
    const again = await post(incident.id, { status: 'identified' });
    expect(again.body.data.monitors).toBeNull();
    expect(Date.parse((await get(incident.id)).updated_at)).toBeGreaterThan(Date.parse(changed.updated_at));
  });

  it("accepts a time from the incident's start to five minutes in the future", async () => {
    const { id } = await make();
    const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
    for (const posted_at of [at(0), minutes(4.9)])
      expect((await post(id, { posted_at })).body.data.posted_at).toBe(posted_at);
    const before = await hashesOf(server);
    for (const posted_at of [at(-0.001), minutes(5.1)])
      expectProblem(await post(id, { posted_at }), 400, 'validation_failed', {
        code: 'out_of_range',
        pointer: '#/posted_at',
      });
    expect(await hashesOf(server)).toEqual(before);
  });

  it.each([
    [{ status: 'open' }, 'invalid_format', '#/status'],
    [{ status: undefined, body: undefined }, 'required', '#/body'],
    [{ body: 'x'.repeat(10_001) }, 'too_long', '#/body'],
    [{ body: 'a\0b' }, 'invalid_format', '#/body'],
    [
      { monitors: [{ monitor_id: UNKNOWN_ID, status: 'operational' }] },
      'unknown_monitor',
      '#/monitors/0/monitor_id',
    ],
    [{ monitors: [{ monitor_id: UNKNOWN_ID, status: 'unknown' }] }, 'invalid_format', '#/monitors/0/status'],
    [{ posted_at: null }, 'invalid_type', '#/posted_at'],
    [{ title: 'x' }, 'unknown_field', '#/title'],
  ])('rejects %j: %s', async (fields, code, pointer) => {
    const { id } = await make();
    expectProblem(await post(id, fields), 400, 'validation_failed', { code, pointer });
    expect(await updatesOf(id)).toHaveLength(1);
  });

  it('accepts one of two updates with the same If-Match', async () => {
    const incident = await make();
    expect((await post(incident.id, {}, tag(incident))).status).toBe(201);
    const before = await hashesOf(server);
    expectProblem(await post(incident.id, {}, tag(incident)), 412, 'precondition_failed');
    expect(await hashesOf(server)).toEqual(before);
    expect((await post(incident.id, {}, tag(await get(incident.id)))).status).toBe(201);
  });

  it('accepts 1,000 updates and returns 409 for more', async () => {
    const { id } = await make();
    await server.sql(
      `INSERT INTO incident_updates (id, organization_id, incident_id, status, body, posted_at)
       SELECT gen_random_uuid(), $1, $2, 'identified', 'One of many.', now() FROM generate_series(1, 998)`,
      [tenant.organization_id, id],
    );
    expect((await post(id, { status: 'resolved' })).status).toBe(201);
    expectProblem(await post(id, {}), 409, 'conflict');
    expect((await get(id)).status).toBe('resolved');
  });

  it('gives concurrent updates the result of sequential ones', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: 'degraded_performance' }) });
    const statuses = ['operational', 'degraded_performance', 'partial_outage', 'major_outage'];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        post(id, {
          status: index % 3 === 2 ? 'resolved' : 'identified',
          posted_at: at(10 * (1 + ((index * 5) % 8))),
          monitors: affected({ [one]: statuses[index % 4] ?? '' }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const concurrent = [await get(id), await intervalsOf(id, one)] as const;
    // The same updates, sent sequentially.
    const other = await make({ monitors: affected({ [one]: 'degraded_performance' }) });
    for (const { body } of answers) {
      const { status, monitors, posted_at } = body.data;
      expect((await post(other.id, { status, monitors, posted_at })).status).toBe(201);
    }
    const { status, impact, monitors, resolved_at } = await get(other.id);
    expect(concurrent[0]).toMatchObject({ status, impact, monitors, resolved_at });
    expect(concurrent[1]).toEqual(await intervalsOf(other.id, one));
    expect(concurrent[1].length).toBeGreaterThan(3);
  });

  it('gives concurrent updates without posted_at distinct creation times, in the order of the list', async () => {
    const { id } = await make();
    await Promise.all(['identified', 'monitoring', 'resolved'].map((status) => post(id, { status })));
    const updates = await updatesOf(id);
    expect((await get(id)).status).toBe(updates[0]?.status);
    expect(updates.map(({ posted_at }) => posted_at)).toEqual(
      updates.map(({ posted_at }) => posted_at).toSorted((a, b) => b.localeCompare(a)),
    );
  });
});

describe('GET /v1/incidents/{id}/updates', () => {
  it('lists updates by time, newest first, with pagination', async () => {
    const { id } = await make();
    for (const minute of [30, 10, 20]) await update(id, minute, 'identified');
    const whole = await updatesOf(id);
    expect(whole.map(({ posted_at }) => posted_at).slice(0, 3)).toEqual([at(20), at(10), at(30)]);
    const walked: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask<{
        data: { id: string }[];
        pagination: { next_cursor: string | null };
      }>('GET', `/${id}/updates?limit=1${cursor}`);
      walked.push(...body.data.map((one) => one.id));
      cursor = body.pagination.next_cursor === null ? '' : `&cursor=${body.pagination.next_cursor}`;
    } while (cursor !== '');
    expect(walked).toEqual(whole.map((one) => one.id));
  });

  it('rejects the cursor of another incident or list', async () => {
    const [{ id }, other] = [await make(), await make()];
    for (const incident of [id, other.id]) await update(incident, 10, 'identified');
    const list = await server.ask(`/v1/incidents?project_id=${tenant.project_id}&limit=1`, {
      key: tenant.key,
    });
    const theirs = await server.ask(`/v1/incidents/${other.id}/updates?limit=1`, { key: tenant.key });
    for (const { body } of [list, theirs]) {
      expect(body.pagination.has_more).toBe(true);
      const path = `/${id}/updates?cursor=${body.pagination.next_cursor}`;
      expectProblem(await ask('GET', path), 400, 'invalid_cursor', { parameter: 'cursor' });
    }
  });
});

describe('an incident update', () => {
  it('returns 404 in every operation with the ID of another incident', async () => {
    const [{ id }, other] = [await make(), await make()];
    const [theirs] = [await update(other.id, 10, 'identified'), await update(other.id, 20, 'identified')];
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
    const { id } = await make();
    const made = await update(id, 10, 'identified');
    const path = `/${id}/updates/${made.id}`;
    const { headers, body } = await ask('GET', path);
    expect([headers.get('etag'), body.data]).toEqual([`"${made.updated_at}"`, made]);
    const same = await ask('GET', path, undefined, { 'If-None-Match': `"${made.updated_at}"` });
    expect(same.status).toBe(304);
  });

  it('accepts changes of its text and its time, which moves the intervals', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: 'major_outage' }) });
    const made = await update(id, 10, 'resolved');
    const incident = await get(id);
    const path = `/${id}/updates/${made.id}`;
    const text = await ask('PATCH', path, { body: 'Fixed.' });
    expect(text.body.data).toEqual({ ...made, body: 'Fixed.', updated_at: text.body.data.updated_at });
    expect(Date.parse(text.body.data.updated_at)).toBeGreaterThan(Date.parse(made.updated_at));
    expect(Date.parse((await get(id)).updated_at)).toBeGreaterThan(Date.parse(incident.updated_at));
    const time = await ask('PATCH', path, { posted_at: at(25) });
    expect(time.body.data).toMatchObject({ body: 'Fixed.', posted_at: at(25) });
    expect((await get(id)).resolved_at).toBe(at(25));
    expect(await intervalsOf(id, one)).toEqual([['major_outage', 0, 25]]);
  });

  it('changes no version for equal values', async () => {
    const { id } = await make();
    const made = await update(id, 10, 'identified');
    const before = await hashesOf(server);
    for (const json of [{}, { body: made.body }, { posted_at: made.posted_at }])
      expect((await ask('PATCH', `/${id}/updates/${made.id}`, json)).body.data).toEqual(made);
    expect(await hashesOf(server)).toEqual(before);
  });

  it('rejects other statuses, monitors, and times before the start', async () => {
    const { id } = await make();
    const made = await update(id, 10, 'identified');
    const path = `/${id}/updates/${made.id}`;
    const fixed = await ask('PATCH', path, { status: 'resolved', monitors: [], incident_id: UNKNOWN_ID });
    const { errors } = expectProblem(fixed, 400, 'validation_failed');
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual(
      ['#/status', '#/monitors', '#/incident_id'].map((pointer) => [pointer, 'unknown_field']),
    );
    expectProblem(await ask('PATCH', path, { posted_at: at(-1) }), 400, 'validation_failed', {
      code: 'out_of_range',
      pointer: '#/posted_at',
    });
    expect((await ask('GET', path)).body.data).toEqual(made);
  });

  it('can be deleted, as if it had never been posted', async () => {
    const one = await monitor();
    const { id } = await make({ monitors: affected({ [one]: 'partial_outage' }) });
    const worse = await update(id, 10, 'identified', { [one]: 'major_outage' });
    const resolved = await update(id, 20, 'resolved');
    expect((await ask('DELETE', `/${id}/updates/${resolved.id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({
      status: 'identified',
      resolved_at: null,
      monitors: affected({ [one]: 'major_outage' }),
    });
    expect((await ask('DELETE', `/${id}/updates/${worse.id}`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ status: 'investigating', impact: 'major' });
    expect(await intervalsOf(id, one)).toEqual([['partial_outage', 0, null]]);
    expect((await ask('GET', `/${id}/updates/${worse.id}`)).status).toBe(404);
  });

  it('cannot be deleted if it is the only one', async () => {
    const { id } = await make();
    const [only] = await updatesOf(id);
    expectProblem(await ask('DELETE', `/${id}/updates/${only?.id}`), 409, 'conflict');
    expect(await updatesOf(id)).toEqual([only]);
  });

  it('returns 412 for an old version of its own', async () => {
    const { id } = await make();
    const made = await update(id, 10, 'identified');
    const path = `/${id}/updates/${made.id}`;
    const { data: changed } = (await ask('PATCH', path, { body: 'Changed.' }, tag(made))).body;
    const before = await hashesOf(server);
    expectProblem(await ask('PATCH', path, { body: 'Again.' }, tag(made)), 412, 'precondition_failed');
    expectProblem(await ask('DELETE', path, undefined, tag(made)), 412, 'precondition_failed');
    expect(await hashesOf(server)).toEqual(before);
    expect((await ask('DELETE', path, undefined, tag(changed))).status).toBe(204);
  });
});
