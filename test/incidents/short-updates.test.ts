import { describe, expect, it } from 'vitest';
import type { IncidentUpdate } from '../../clients/typescript/src/index.js';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import type { One } from '../support/server.js';
import { affected, useIncidents } from './use-incidents.js';

const { server, tenant, ask, at, make, get, updatesOf, monitor } = useIncidents();

const TEXTS = {
  investigating: 'We are investigating this incident.',
  identified: 'The cause has been identified.',
  monitoring: 'A fix is in place. We are monitoring the result.',
  resolved: 'This incident is resolved.',
};

/** Posts an update with only these fields. */
const post = (id: string, fields: object, headers: Record<string, string> = {}) =>
  ask<One<IncidentUpdate>>('POST', `/${id}/updates`, fields, headers);

describe('POST /v1/incidents/{id}/updates', () => {
  it.each(Object.entries(TEXTS))('stores a standard text for the new status %s', async (status, text) => {
    const { id } = await make({ status: status === 'investigating' ? 'resolved' : 'investigating' });
    const { status: code, body } = await post(id, { status });
    expect([code, body.data]).toMatchObject([201, { status, body: text, monitors: null }]);
    expect((await updatesOf(id))[0]).toMatchObject({ status, body: text });
    expect((await get(id)).status).toBe(status);
  });

  it('stores the text instead of the standard text', async () => {
    const { id } = await make();
    expect((await post(id, { status: 'resolved', body: 'Fixed.' })).body.data.body).toBe('Fixed.');
  });

  it.each(Object.keys(TEXTS))('keeps the status %s if the update sends none', async (status) => {
    const one = await monitor();
    const { id, resolved_at } = await make({ status });
    const monitors = affected({ [one]: 'partial_outage' });
    const { status: code, body } = await post(id, { body: 'More.', monitors });
    expect([code, body.data]).toMatchObject([201, { status, body: 'More.', monitors }]);
    expect(await get(id)).toMatchObject({ status, resolved_at });
  });

  it('keeps the status that is in effect at the time of the update', async () => {
    const { id } = await make();
    await post(id, { status: 'identified', posted_at: at(20) });
    await post(id, { status: 'resolved', posted_at: at(40) });
    for (const [minute, status] of [
      [0, 'investigating'],
      [19, 'investigating'],
      [20, 'identified'],
      [39, 'identified'],
      [41, 'resolved'],
    ] as const)
      expect((await post(id, { body: 'More.', posted_at: at(minute) })).body.data.status).toBe(status);
    expect(await get(id)).toMatchObject({ status: 'resolved', resolved_at: at(40) });
    // At minute 30, resolved is a new status.
    const earlier = await post(id, { status: 'resolved', posted_at: at(30) });
    expect(earlier.body.data.body).toBe(TEXTS.resolved);
  });

  it('requires a text if the status does not change', async () => {
    const one = await monitor();
    const { id } = await make({ status: 'identified' });
    const before = await hashesOf(server);
    const unless = 'is required; it can be omitted only if `status` is sent and changes the status';
    for (const [fields, detail] of [
      [{}, unless],
      [{ posted_at: at(10) }, unless],
      [{ monitors: affected({ [one]: 'partial_outage' }) }, unless],
      [{ status: 'identified' }, 'is required, because the status is already "identified"'],
    ] as const)
      expectProblem(await post(id, fields), 400, 'validation_failed', {
        code: 'required',
        pointer: '#/body',
        detail,
      });
    expect(await hashesOf(server)).toEqual(before);
  });

  it.each([
    [{ status: null }, '#/status'],
    [{ body: null }, '#/body'],
    [{ status: 'resolved', body: null }, '#/body'],
  ])('rejects %j', async (fields, pointer) => {
    const { id } = await make();
    expectProblem(await post(id, { body: 'x', ...fields }), 400, 'validation_failed', {
      code: 'invalid_type',
      pointer,
    });
  });

  it('never reopens an incident that a concurrent update resolves', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await make();
      const answers = await Promise.all([
        post(id, { body: 'Still looking.' }),
        post(id, { status: 'resolved' }),
        post(id, { body: 'One moment.' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect((await get(id)).status).toBe('resolved');
    }
  });

  it('accepts one of several concurrent updates to the same status without a text', async () => {
    const { id } = await make();
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(id, { status: 'identified' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400]);
    expect(await updatesOf(id)).toHaveLength(2);
  });

  it('replays the first response to a repeated request, and respects If-Match', async () => {
    const { id, updated_at } = await make();
    const once = { 'Idempotency-Key': `key-${id}`, 'If-Match': `"${updated_at}"` };
    const first = await post(id, { status: 'resolved' }, once);
    const second = await post(id, { status: 'resolved' }, once);
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(await updatesOf(id)).toHaveLength(2);
    const outdated = { 'If-Match': `"${updated_at}"` };
    expectProblem(await post(id, { status: 'monitoring' }, outdated), 412, 'precondition_failed');
  });
});

describe('POST /v1/incidents', () => {
  const create = (fields: object) =>
    ask('POST', '', { project_id: tenant.project_id, title: 'Errors', ...fields });

  it('stores the standard text of the status if the body is omitted', async () => {
    const { status, body } = await create({});
    expect([status, body.data.status]).toEqual([201, 'investigating']);
    expect((await updatesOf(body.data.id)).map((one) => one.body)).toEqual([TEXTS.investigating]);
    const { data } = (await create({ status: 'monitoring' })).body;
    expect((await updatesOf(data.id)).map((one) => one.body)).toEqual([TEXTS.monitoring]);
  });

  it('rejects null as its body', async () => {
    expectProblem(await create({ body: null }), 400, 'validation_failed', {
      code: 'invalid_type',
      pointer: '#/body',
    });
  });
});
