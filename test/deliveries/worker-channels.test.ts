import { describe, expect, it } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { DeliveriesService } from '../../src/deliveries/deliveries.service.js';
import { Admission } from '../../src/platform/server/admission.js';
import { passTime } from '../support/clock.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { ids, TestChannel, useWorkers } from './use-workers.js';

const server = useTestServer();
const tenant = useTenant(server);
const workers = useWorkers(server, tenant);

describe('deliveries of several organizations', () => {
  it('get equal shares, and so do the projects of each', async () => {
    const channel = new TestChannel(undefined, 5);
    await workers.enqueue(channel, ids(1_000));
    const other = await server.tenant();
    const { body } = await server.ask<{ data: { id: string } }>('/v1/projects', {
      method: 'POST',
      key: tenant.key,
      json: { name: 'Another' },
    });
    const [ofOther, ofProject] = [ids(4), ids(4)];
    await workers.enqueue(channel, ofOther, other);
    await workers.enqueue(channel, ofProject, { ...tenant, project_id: body.data.id });
    await workers.start([channel]);
    await until(async () => channel.sent.length >= 100);
    const first = new Set(channel.reached.slice(0, 100));
    expect([ofOther, ofProject].flat().filter((id) => !first.has(id))).toEqual([]);
  });

  it('end if they are pending for more than seven days', async () => {
    const channel = new TestChannel();
    await workers.enqueue(channel, ids(2));
    const weekAgo = uuidv7({ msecs: Date.now() - 7.1 * 86_400_000 });
    await server.sql(
      `UPDATE deliveries SET id = $2 WHERE id = (SELECT id FROM deliveries WHERE channel = $1 LIMIT 1)`,
      [channel.name, weekAgo],
    );
    const unable = new TestChannel(channel.name, 10, false);
    await workers.start([unable]);
    await workers.whileWorking(async () => (await workers.counts(channel))['cancelled'] === 1);
    expect(await workers.counts(channel)).toEqual({ cancelled: 1, pending: 1 });
  });
});

describe('channel', () => {
  it('repeats a temporary failure after the time that it returns', async () => {
    const channel = new TestChannel();
    channel.outcomeOf = ({ attempts }) =>
      attempts === 1
        ? { kind: 'retry', error: `451 not now, a@example.com ${'x'.repeat(300)}`, after_ms: 90_000 }
        : { kind: 'delivered' };
    await workers.enqueue(channel, ids(1));
    await workers.start([channel]);
    await until(async () => channel.sent.length === 1);
    const [waiting] = await until(async () => {
      const rows = await workers.stored(channel);
      return rows[0]?.error ? rows : undefined;
    });
    expect(waiting?.error).toMatch(/^451 not now, \(address\) x+$/);
    expect(waiting?.error).toHaveLength(200);
    const pause = Number(waiting?.due_at) - Date.now();
    expect(pause).toBeGreaterThan(60_000);
    expect(pause).toBeLessThan(95_000);
    await workers.makeDue(channel);
    await until(async () => (await workers.counts(channel))['delivered'] === 1);
    expect(channel.sent.map(({ attempts, lease }) => [attempts, lease])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('ends a delivery that fails permanently, or has no content any more', async () => {
    const channel = new TestChannel();
    const [failed = '', cancelled = ''] = ids(2);
    channel.outcomeOf = ({ recipient_id }) =>
      recipient_id === failed ? { kind: 'failed', error: '550' } : { kind: 'cancelled' };
    await workers.enqueue(channel, [failed, cancelled]);
    await workers.start([channel]);
    const rows = await until(async () => {
      const all = await workers.stored(channel);
      return all.every(({ finished_at }) => finished_at) && all;
    });
    const results = rows.map(({ recipient_id, status, error }) => [recipient_id, status, error]);
    expect(results.toSorted()).toEqual(
      [
        [failed, 'failed', '550'],
        [cancelled, 'cancelled', null],
      ].toSorted(),
    );
  });

  it('pauses while the other side is overloaded, and begins again with one message', async () => {
    const channel = new TestChannel();
    let isOverloaded = true;
    const sentAt: number[] = [];
    channel.outcomeOf = () => {
      sentAt.push(performance.now());
      return isOverloaded
        ? { kind: 'retry', error: '421', after_ms: 0, slow_down: 'channel' }
        : { kind: 'delivered' };
    };
    await workers.enqueue(channel, ids(200));
    await workers.start([channel]);
    await until(async () => {
      await passTime(100);
      return channel.sent.length >= 5;
    });
    // Two of a new organization together, and one after each pause.
    const pauses = sentAt.slice(2, 5).map((at, index) => at - (sentAt[index + 1] ?? 0));
    for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(1_000 * 2 ** index);
    isOverloaded = false;
    await workers.whileWorking(async () => (await workers.counts(channel))['delivered'] === 200);
  });

  it('begins few deliveries together while the process handles requests', async () => {
    const [busy, idle] = [new TestChannel(), new TestChannel()];
    await workers.enqueue(busy, ids(100));
    const app = await workers.start([]);
    const { turns } = app.get(Admission, { strict: false });
    const requests = ['one', 'two'].map((name) =>
      turns.take(name, { start: () => undefined, refuse: () => undefined }),
    );
    app.get(DeliveriesService, { strict: false }).register(busy);
    await workers.whileWorking(async () => (await workers.counts(busy))['delivered'] === 100);
    expect(Math.max(...busy.batches)).toBe(4); // a quarter of 15
    for (const request of requests) turns.end(request);
    await workers.enqueue(idle, ids(100));
    app.get(DeliveriesService, { strict: false }).register(idle);
    await workers.whileWorking(async () => (await workers.counts(idle))['delivered'] === 100);
    expect(Math.max(...idle.batches)).toBeGreaterThan(4);
  });

  it('repeats an attempt that throws after its lease, and sends others in the meantime', async () => {
    const channel = new TestChannel();
    const [faulty = '', ...others] = ids(40);
    channel.outcomeOf = ({ recipient_id }) => {
      if (recipient_id === faulty) throw new Error('a bug');
      return { kind: 'delivered' };
    };
    await workers.enqueue(channel, [faulty]);
    await workers.start([channel]);
    await until(async () => channel.sent.length === 1);
    await workers.enqueue(channel, others);
    await until(async () => (await workers.counts(channel))['delivered'] === others.length);
    const left = (await workers.stored(channel)).find(({ status }) => status === 'pending');
    expect(left).toMatchObject({ recipient_id: faulty, attempts: 1 });
    expect(left?.due_at.getTime()).toBeGreaterThan(Date.now() + 30_000);
  });

  it('writes the results that are known just after others have been written', async () => {
    // With some of these numbers, the last ones begin when the results of others have just been written.
    const numbers = Array.from({ length: 16 }, (_, at) => 30 + 10 * at);
    const channels = numbers.map(() => new TestChannel());
    for (const [at, channel] of channels.entries()) await workers.enqueue(channel, ids(numbers[at] ?? 0));
    await workers.start(channels);
    for (const [at, channel] of channels.entries())
      await until(async () => (await workers.counts(channel))['delivered'] === numbers[at]);
    expect(channels.flatMap(({ repeated }) => repeated)).toEqual([]);
  });

  it('sends others while some attempts hang', async () => {
    const channel = new TestChannel();
    const stuck = ids(6);
    const others = ids(300);
    const ends: (() => void)[] = [];
    channel.outcomeOf = ({ recipient_id }) =>
      stuck.includes(recipient_id)
        ? new Promise((resolve) => ends.push(() => resolve({ kind: 'cancelled' })))
        : { kind: 'delivered' };
    await workers.enqueue(channel, stuck);
    await workers.start([channel]);
    await workers.whileWorking(async () => channel.sent.length === 6);
    await workers.enqueue(channel, others);
    await workers.whileWorking(async () => (await workers.counts(channel))['delivered'] === 300);
    expect(ends).toHaveLength(6);
    for (const end of ends) end();
    await until(async () => (await workers.counts(channel))['cancelled'] === 6);
  });

  it('gives back what waits for longer than five seconds, so that another process sends it', async () => {
    const hanging = new TestChannel();
    const other = new TestChannel(hanging.name);
    const ends: (() => void)[] = [];
    hanging.outcomeOf = () => new Promise((resolve) => ends.push(() => resolve({ kind: 'cancelled' })));
    await workers.enqueue(hanging, ids(100));
    await workers.start([hanging]);
    await workers.whileWorking(async () => hanging.sent.length === 7);
    await workers.start([other]);
    await workers.whileWorking(async () => other.sent.length === 93);
    for (const end of ends) end();
    await until(async () => (await workers.counts(hanging))['cancelled'] === 7);
    expect([...hanging.reached, ...other.reached].toSorted()).toEqual(
      [...new Set(hanging.reached), ...new Set(other.reached)].toSorted(),
    );
  });
});
