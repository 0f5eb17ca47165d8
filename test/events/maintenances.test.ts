import { describe, expect, it, vi } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { inHours, useEvents } from './use-events.js';

const server = useTestServer();
const tenant = useTenant(server);
const { stored, typesOf, notifiedOf, list, send, maintenance } = useEvents(server, tenant);

const change = (id: string, fields: object) => send('PATCH', `/v1/maintenances/${id}`, fields);

/** The event types of a window without "maintenance.", in the order of time. */
const of = async (id: string) => (await typesOf(id)).map((type) => type.slice('maintenance.'.length));

const PLANNED = ['reminder', 'started', 'completed'];

describe('a maintenance window', () => {
  it('plans a reminder, the start and the completion, due at their times', async () => {
    const { id } = await maintenance([3, 5]);
    expect(await of(id)).toEqual(['scheduled', ...PLANNED]);
    const [, reminder, started, completed] = await stored(id);
    const { starts_at, ends_at } = await send<{ starts_at: string; ends_at: string }>(
      'GET',
      `/v1/maintenances/${id}`,
    );
    expect(reminder?.due_at?.getTime()).toBe(Date.parse(starts_at) - 3_600_000);
    expect(started?.due_at?.toISOString()).toBe(starts_at);
    expect(completed?.due_at?.toISOString()).toBe(ends_at);
    for (const { created_at, due_at } of await stored(id)) expect(due_at).toEqual(created_at);
  });

  it('plans only what is still in the future', async () => {
    expect(await of((await maintenance([0.5, 2])).id)).toEqual(['scheduled', 'started', 'completed']);
    expect(await of((await maintenance([-0.5, 2])).id)).toEqual(['started', 'completed']);
    expect(await of((await maintenance([-2, -1])).id)).toEqual([]);
  });

  it('plans its events again when it is moved', async () => {
    const { id } = await maintenance([3, 5]);
    const [starts_at, ends_at] = [inHours(30), inHours(31)];
    await change(id, { starts_at, ends_at });
    expect(await of(id)).toEqual(['scheduled', 'rescheduled', ...PLANNED]);
    const events = await stored(id);
    expect(events.slice(3).map(({ created_at }) => created_at.toISOString())).toEqual([starts_at, ends_at]);
    expect(events[1]?.data).toMatchObject({ to: { starts_at, ends_at } });
  });

  it('keeps its planned events when neither its times nor its status change', async () => {
    const { id } = await maintenance([3, 5]);
    const before = await stored(id);
    await change(id, {
      title: 'Another',
      monitor_ids: await server.monitors(tenant, 1),
      status: 'scheduled',
    });
    expect(await stored(id)).toEqual(before);
  });

  it.each(['cancelled', 'completed'])('loses its planned events when it becomes %s', async (status) => {
    const { id } = await maintenance([3, 5]);
    await change(id, { status });
    expect(await of(id)).toEqual(['scheduled', status]);
    expect(await notifiedOf(id)).toEqual(['maintenance.scheduled', `maintenance.${status}`]);
  });

  it('plans its events again when its status is derived from the time again', async () => {
    const { id } = await maintenance([3, 5]);
    await change(id, { status: 'cancelled' });
    await change(id, { status: null });
    expect(await of(id)).toEqual(['scheduled', 'cancelled', 'rescheduled', ...PLANNED]);
  });

  it('records its completion if its end moves to the past', async () => {
    const { id } = await maintenance([-2, 5]);
    await change(id, { ends_at: inHours(-1) });
    expect(await of(id)).toEqual(['started', 'completed']);
    expect(await notifiedOf(id)).toEqual(['maintenance.started', 'maintenance.completed']);
  });

  it('loses its planned events when it is deleted', async () => {
    const { id } = await maintenance([3, 5]);
    await send('DELETE', `/v1/maintenances/${id}`);
    expect(await of(id)).toEqual(['scheduled']);
  });

  it('notifies no subscribers with notify false, also after it is moved', async () => {
    const { id } = await maintenance([3, 5], { notify: false });
    await change(id, { starts_at: inHours(4) });
    expect(await of(id)).toEqual(['scheduled', 'rescheduled', ...PLANNED]);
    expect(await notifiedOf(id)).toEqual([]);
  });

  it('starts early if its start moves to the past, and continues if its end moves to the future', async () => {
    const { id } = await maintenance([3, 5]);
    await change(id, { starts_at: inHours(-1) });
    await change(id, { ends_at: inHours(-0.5) });
    await change(id, { ends_at: inHours(2) });
    expect(await of(id)).toEqual(['scheduled', 'started', 'completed', 'started', 'completed']);
  });

  it('stays silent when it is cancelled silently and planned again', async () => {
    const { id } = await maintenance([3, 5], { notify: false });
    await change(id, { status: 'cancelled' });
    await change(id, { status: null });
    expect(await notifiedOf(id)).toEqual([]);
  });

  it('notifies of a change with notify true, and of what follows', async () => {
    const { id } = await maintenance([3, 5], { notify: false });
    await change(id, { starts_at: inHours(4), notify: true });
    expect(await notifiedOf(id)).toEqual(['rescheduled', ...PLANNED].map((type) => `maintenance.${type}`));
    const announced = await maintenance([3, 5]);
    await change(announced.id, { starts_at: inHours(4), notify: false });
    const notified = ['scheduled', ...PLANNED].map((type) => `maintenance.${type}`);
    expect(await notifiedOf(announced.id)).toEqual(notified);
  });

  it('keeps its first event if the clock of the process is ahead', { tags: ['postgres'] }, async () => {
    vi.useFakeTimers({ now: Date.now() + 5_000, toFake: ['Date'] });
    const { id } = await maintenance([3, 5]).finally(() => vi.useRealTimers());
    await change(id, { title: 'Another', ends_at: inHours(6) });
    expect(await of(id)).toEqual(['scheduled', 'rescheduled', ...PLANNED]);
  });

  it('hides planned events from lists', async () => {
    const { id } = await maintenance([3, 5]);
    const { body } = await list({ resource_id: id });
    expect(body.data.map(({ type }) => type)).toEqual(['maintenance.scheduled']);
  });
});
