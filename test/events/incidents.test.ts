import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { inHours, useEvents } from './use-events.js';

const server = useTestServer({ NOTIFY_DELAY: '15' });
const tenant = useTenant(server);
const { stored, typesOf, notifiedOf, send, incident, update } = useEvents(server, tenant);

describe('an incident', () => {
  it('records what its updates do to the status, with the update', async () => {
    const { id } = await incident();
    const ids = [await update(id, { status: 'identified' }), await update(id, {})];
    ids.push(await update(id, { status: 'resolved' }), await update(id, { status: 'monitoring' }));
    const events = await stored(id);
    expect(events.map(({ type }) => type)).toEqual([
      'incident.created',
      'incident.updated',
      'incident.updated',
      'incident.resolved',
      'incident.reopened',
    ]);
    expect(events.slice(1).map(({ update_id }) => update_id)).toEqual(ids.map((one) => one.id));
    const updates = await server.sql<{ id: string }[]>(
      'SELECT id FROM incident_updates WHERE incident_id = $1 ORDER BY created_at LIMIT 1',
      [id],
    );
    expect(events[0]?.update_id).toBe(updates[0]?.id);
  });

  it('records an update for an earlier update that does not change its status', async () => {
    const { id } = await incident({ started_at: inHours(-0.5) });
    await update(id, { status: 'resolved' });
    await update(id, { status: 'identified', posted_at: inHours(-0.25) });
    expect((await typesOf(id)).at(-1)).toBe('incident.updated');
  });

  it('publishes a postmortem once, not when its text changes', async () => {
    const { id } = await incident();
    await send('PATCH', `/v1/incidents/${id}`, { title: 'Changed' });
    expect(await typesOf(id)).toEqual(['incident.created']);
    await send('PATCH', `/v1/incidents/${id}`, { postmortem: 'A node failed.' });
    await send('PATCH', `/v1/incidents/${id}`, { postmortem: 'Two nodes failed.' });
    expect(await typesOf(id)).toEqual(['incident.created', 'incident.postmortem_published']);
  });

  it('records its deletion without a notification', async () => {
    const { id } = await incident();
    await send('DELETE', `/v1/incidents/${id}`);
    expect(await typesOf(id)).toEqual(['incident.created', 'incident.deleted']);
    expect(await notifiedOf(id)).toEqual(['incident.created']);
  });

  it('notifies after NOTIFY_DELAY', async () => {
    const { id } = await incident();
    await update(id, { status: 'resolved' });
    const delays = (await stored(id)).map(({ created_at, due_at }) => Number(due_at) - Number(created_at));
    expect(delays).toHaveLength(2);
    for (const delay of delays) {
      expect(delay).toBeGreaterThanOrEqual(15_000);
      expect(delay).toBeLessThan(25_000); // begins when the database inserts the event
    }
  });
});

describe('notify', () => {
  it('defaults to true for an open incident, however late it is posted, and to false for one that is over', async () => {
    const open = await incident({ started_at: inHours(-7) });
    await update(open.id, { status: 'resolved', posted_at: inHours(-2) });
    expect(await notifiedOf(open.id)).toEqual(['incident.created', 'incident.resolved']);
    const over = await incident({ started_at: inHours(-2), status: 'resolved' });
    await update(over.id, { status: 'resolved', body: 'A note' });
    expect(await notifiedOf(over.id)).toEqual([]);
    const recent = await incident({ started_at: inHours(-0.9), status: 'resolved' });
    expect(await notifiedOf(recent.id)).toEqual(['incident.created']);
  });

  it('defaults to what the incident was announced with, for each later change', async () => {
    const { id } = await incident({ notify: false });
    await update(id, { status: 'resolved' });
    await send('PATCH', `/v1/incidents/${id}`, { postmortem: 'What happened' });
    await send('DELETE', `/v1/incidents/${id}`);
    expect(await notifiedOf(id)).toEqual([]);
  });

  it('announces a silent incident if an update sets it, and then also its end', async () => {
    const { id } = await incident({ notify: false });
    await update(id, { notify: true });
    await update(id, { status: 'resolved' });
    expect(await notifiedOf(id)).toEqual(['incident.updated', 'incident.resolved']);
  });

  it('decides about a postmortem, which is published once', async () => {
    const [silent, announced] = [await incident({}), await incident({})];
    const patch = (id: string, fields: object) => send('PATCH', `/v1/incidents/${id}`, fields);
    await patch(silent.id, { postmortem: 'Text', notify: false });
    for (const postmortem of ['Text', null, 'Another', null, 'A third'])
      await patch(announced.id, { postmortem });
    await patch(silent.id, { postmortem: null });
    await patch(silent.id, { postmortem: 'Text', notify: true });
    const published = 'incident.postmortem_published';
    expect(await typesOf(silent.id)).toEqual(['incident.created', published]);
    expect(await notifiedOf(silent.id)).toEqual(['incident.created']);
    expect(await notifiedOf(announced.id)).toEqual(['incident.created', published]);
  });

  it('overrides the default in both directions', async () => {
    const silent = await incident({ notify: false });
    await update(silent.id, { notify: false });
    expect(await notifiedOf(silent.id)).toEqual([]);
    const late = await incident({ notify: true, started_at: inHours(-48) });
    await update(late.id, { notify: true, posted_at: inHours(-47) });
    expect(await notifiedOf(late.id)).toEqual(['incident.created', 'incident.updated']);
  });

  it('must be a boolean', async () => {
    const json = { project_id: tenant.project_id, title: 'Errors', notify: 'no' };
    const { status, body } = await server.ask<{ errors: { pointer: string }[] }>('/v1/incidents', {
      method: 'POST',
      key: tenant.key,
      json,
    });
    expect([status, body.errors[0]?.pointer]).toEqual([400, '#/notify']);
  });
});
