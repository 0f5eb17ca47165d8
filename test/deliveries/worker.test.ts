import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/deliveries/channel.js';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker.js';
import { hasten, passTime } from '../support/clock.js';
import { DatabaseProxy } from '../support/proxy.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { ids, slowChannel, TestChannel, useWorkers } from './use-workers.js';

const server = useTestServer();
const tenant = useTenant(server);
const workers = useWorkers(server, tenant);

const eventOf = async (resource: string) => {
  const [event] = await server.sql<
    { due_at: Date | null; channel: string | null; recipient_id: string | null }[]
  >('SELECT due_at, channel, recipient_id FROM events WHERE resource_id = $1', [resource]);
  return event;
};

describe('event', () => {
  it('reaches each recipient of each channel once, and ends', async () => {
    const channels = [new TestChannel(), new TestChannel()];
    const recipients = ids(600);
    const others = ids(3);
    const resource = await workers.event(channels, recipients);
    channels[1]?.recipients.set(resource, others);
    await workers.start(channels);
    await until(async () => channels[0]?.sent.length === 600 && channels[1]?.sent.length === 3);
    expect(channels[0]?.reached.toSorted()).toEqual(recipients);
    expect(channels[1]?.reached.toSorted()).toEqual(others);
    expect(channels[0]?.peak).toBeLessThanOrEqual(10);
    await until(async () => (await eventOf(resource))?.due_at === null);
    const [first] = channels;
    if (first) await until(async () => (await workers.counts(first))['delivered'] === 600);
    if (first) expect((await workers.stored(first)).every(({ attempts }) => attempts === 1)).toBe(true);
  });

  it('waits until it is due', async () => {
    const channel = new TestChannel();
    const later = ids(1);
    await workers.event([channel], later, new Date(Date.now() + 3_600_000));
    await workers.event([channel], ids(1));
    await workers.start([channel]);
    await until(async () => channel.sent.length > 0);
    expect(channel.reached).not.toContain(later[0]);
  });

  it('resumes after the process has stopped in the middle, without duplicates', async () => {
    const first = slowChannel(20);
    const recipients = ids(1_200);
    const resource = await workers.event([first], recipients);
    const worker = await workers.start([first]);
    await until(async () => first.sent.length > 100);
    await workers.stop(worker);
    expect(first.sent.length).toBeLessThan(1_200);
    const event = await eventOf(resource);
    expect(event).toMatchObject({ channel: first.name, due_at: expect.any(Date) });
    expect(recipients).toContain(event?.recipient_id);

    const second = new TestChannel(first.name);
    second.recipients.set(resource, recipients);
    await workers.start([second]);
    await workers.whileWorking(async () => (await workers.counts(first))['delivered'] === 1_200);
    expect([...first.reached, ...second.reached].toSorted()).toEqual(recipients);
    expect((await workers.stored(first)).map(({ attempts }) => attempts)).toEqual(recipients.map(() => 1));
  });

  it('reaches each recipient once if an older version has created some deliveries', async () => {
    const channel = new TestChannel();
    const recipients = ids(3);
    const resource = await workers.event([channel], recipients);
    await server.sql(
      `UPDATE events SET channel = $2, position = 'ffffffff-ffff-ffff-ffff-ffffffffffff' WHERE resource_id = $1`,
      [resource, channel.name],
    );
    await workers.start([channel]);
    await until(async () => (await eventOf(resource))?.due_at === null);
    await until(async () => channel.sent.length >= 3);
    expect(channel.reached.toSorted()).toEqual(recipients);
  });

  it('ends without deliveries if it happened more than a day ago', async () => {
    const channel = new TestChannel();
    const resource = await workers.event([channel], ids(5), new Date(Date.now() - 25 * 3_600_000));
    const recent = await workers.event([channel], ids(1), new Date(Date.now() - 23 * 3_600_000));
    await workers.start([channel]);
    await passTime(10_000); // periodic tasks run ten seconds after the startup
    await until(async () => (await eventOf(resource))?.due_at === null);
    await until(async () => channel.sent.length > 0);
    expect(channel.reached).toEqual(channel.recipients.get(recent));
  });

  it.each([
    ['57014', 'a statement that takes too long'],
    ['40P01', 'a deadlock'],
    ['22P02', 'a fault of the service'],
  ])('holds up no other if it fails with %s, %s, and is due again after a growing pause', async (state) => {
    const channel = new TestChannel();
    const find = channel.recipientsOf.bind(channel);
    const faulty = await workers.event([channel], ids(5));
    channel.recipientsOf = async (event, after, limit, manager) => {
      if (event.resource_id === faulty) await manager.query(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
      return find(event, after, limit, manager);
    };
    await workers.event([channel], ids(3));
    await workers.start([channel]);
    await until(async () => channel.sent.length === 3);
    const pauseOf = async (failures: number) =>
      until(async () => {
        const [event] = await server.sql<{ failures: number; pause: number }[]>(
          'SELECT failures, extract(epoch FROM due_at - now())::float AS pause FROM events WHERE resource_id = $1',
          [faulty],
        );
        return event?.failures === failures && event.pause;
      });
    expect(await pauseOf(1)).toBeGreaterThan(3);
    await server.sql(
      'UPDATE events SET due_at = now() - make_interval(secs => 0.001) WHERE resource_id = $1',
      [faulty],
    );
    expect(await pauseOf(2)).toBeGreaterThan(8);
  });

  it(
    'holds up no other organization while its recipients are searched for',
    { tags: ['postgres'] },
    async () => {
      const channel = new TestChannel();
      const find = channel.recipientsOf.bind(channel);
      const slow = await workers.event([channel], ids(5));
      const released = new AbortController();
      channel.recipientsOf = async (event, after, limit, manager) => {
        if (event.resource_id === slow && !released.signal.aborted) await once(released.signal, 'abort');
        return find(event, after, limit, manager);
      };
      const few = ids(4);
      await workers.start([channel]);
      await workers.event([channel], few, new Date(), await server.tenant());
      await until(async () => few.every((id) => channel.reached.includes(id)));
      expect(channel.sent).toHaveLength(4);
      released.abort();
      await until(async () => channel.sent.length === 9);
    },
  );

  it('waits for no burst of another organization', async () => {
    const channel = slowChannel(1, undefined, 5);
    for (let count = 0; count < 300; count++) await workers.event([channel], ids(1));
    const few = ids(4);
    await workers.event([channel], few, new Date(), await server.tenant());
    await workers.start([channel]);
    await until(async () => few.every((id) => channel.reached.includes(id)));
    expect(channel.sent.length).toBeLessThan(150);
  });

  it('costs nothing while its project has enough deliveries that have not begun', async () => {
    const channel = new TestChannel(undefined, 1);
    const released = new AbortController();
    channel.outcomeOf = async () => {
      if (!released.signal.aborted) await once(released.signal, 'abort');
      return { kind: 'delivered' };
    };
    for (let count = 0; count < 50; count++) await workers.event([channel], ids(20));
    await workers.start([channel]);
    await until(async () => ((await workers.counts(channel))['pending'] ?? 0) >= 500);
    const started = performance.now(); // moves with the time that passes
    let polls = 0;
    const isOver = async () => (polls += 1) > 5;
    const statements = await statementsOf(
      () => workers.whileWorking(isOver),
      () => true,
    ).finally(() => released.abort());
    expect((await workers.counts(channel))['pending']).toBeLessThan(540);
    const steps = statements.filter((text) => text.includes('FROM events'));
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.length / ((performance.now() - started) / 1_000)).toBeLessThan(12);
  });

  it('with many recipients does not hold up another', async () => {
    const channel = slowChannel(10);
    await workers.event([channel], ids(2_500));
    await workers.start([channel]);
    await until(async () => channel.sent.length > 300);
    const few = ids(10);
    await workers.event([channel], few);
    await until(async () => few.every((id) => channel.reached.includes(id)));
    expect(channel.sent.length).toBeLessThan(1_800);
  });

  it('waits while no process can send on its channel', async () => {
    const channel = new TestChannel();
    const recipients = ids(1);
    const resource = await workers.event([channel], recipients);
    const unable = new TestChannel(channel.name, 10, false);
    unable.recipients.set(resource, recipients);
    const idle = await workers.start([unable]);
    await until(async () => (await eventOf(resource))?.channel === channel.name);
    expect((await eventOf(resource))?.due_at).not.toBeNull();
    await workers.stop(idle);
    await workers.start([channel]);
    await until(async () => channel.sent.length === 1);
  });
});

describe('process', () => {
  it('shares the deliveries with another one, without duplicates', async () => {
    const one = new TestChannel();
    const other = new TestChannel(one.name);
    const recipients = ids(1_000);
    // Neither process gets far ahead, so that the machine does not decide which of them gets more.
    const waitFor = (slower: TestChannel, faster: TestChannel) => async (): Promise<Outcome> => {
      const isLeft = () => one.sent.length + other.sent.length < 600;
      while (isLeft() && faster.sent.length > slower.sent.length + 150) await setImmediate();
      return { kind: 'delivered' };
    };
    one.outcomeOf = waitFor(other, one);
    other.outcomeOf = waitFor(one, other);
    await workers.event([one, other], recipients);
    await Promise.all([workers.start([one]), workers.start([other])]);
    await until(async () => (await workers.counts(one))['delivered'] === 1_000);
    expect([...one.reached, ...other.reached].toSorted()).toEqual(recipients);
    expect(Math.min(one.sent.length, other.sent.length)).toBeGreaterThan(100);
  });

  it('sends nothing with DELIVERY=off', async () => {
    const [off, on] = [new TestChannel(), new TestChannel()];
    await workers.enqueue(off, ids(1));
    await workers.enqueue(on, ids(1));
    await workers.start([off], { DELIVERY: 'off' });
    await workers.start([on]);
    await until(async () => on.sent.length === 1);
    expect(off.sent).toEqual([]);
  });

  it('waits for what is in flight when it stops, and gives back the rest', async () => {
    const channel = new TestChannel();
    const ends: (() => void)[] = [];
    channel.outcomeOf = () => new Promise((resolve) => ends.push(() => resolve({ kind: 'delivered' })));
    await workers.enqueue(channel, ids(15));
    const worker = await workers.start([channel]);
    await until(async () => channel.sent.length === 2); // of a new organization
    const stopping = workers.stop(worker);
    await until(async () => (await workers.stored(channel)).some(({ attempts }) => attempts === 0));
    expect(await workers.counts(channel)).toEqual({ pending: 15 });
    for (const end of ends) end();
    await stopping;
    expect(await workers.counts(channel)).toEqual({ delivered: 2, pending: 13 });
    const left = (await workers.stored(channel)).filter(({ status }) => status === 'pending');
    expect(left.map(({ attempts }) => attempts)).toEqual(left.map(() => 0));
    expect(left.every(({ due_at }) => due_at.getTime() < Date.now() + 5_000)).toBe(true);
  });

  it('stops within SHUTDOWN_TIMEOUT if an attempt takes longer', async () => {
    const channel = new TestChannel();
    channel.outcomeOf = () => new Promise(() => undefined);
    await workers.enqueue(channel, ids(1));
    const worker = await workers.start([channel], { SHUTDOWN_TIMEOUT: '1' });
    await until(async () => channel.sent.length === 1);
    await hasten(workers.stop(worker));
    expect(await workers.counts(channel)).toEqual({ pending: 1 });
  });

  it('whose lease has ended cannot finish a delivery any more', async () => {
    const first = new TestChannel();
    const second = new TestChannel(first.name);
    const end = new Map<number, (outcome: Outcome) => void>();
    for (const channel of [first, second])
      channel.outcomeOf = ({ lease }) => new Promise((resolve) => end.set(lease, resolve));
    await workers.enqueue(first, ids(1));
    const one = await workers.start([first]);
    await until(async () => first.sent.length === 1);
    const other = await workers.start([second]);
    await workers.makeDue(first); // as after a minute
    await until(async () => end.size === 2);
    end.get(1)?.({ kind: 'delivered' });
    const superseded = (worker: typeof one) =>
      worker.get(DeliveryWorker).senders.get(first.name)?.counts.superseded;
    await until(async () => superseded(one) === 1);
    expect(await workers.counts(first)).toEqual({ pending: 1 });
    end.get(2)?.({ kind: 'failed', error: 'refused' });
    await until(async () => (await workers.counts(first))['failed'] === 1);
    await Promise.all([workers.stop(one), workers.stop(other)]);
    expect(await workers.counts(first)).toEqual({ failed: 1 });
  });
});

describe('outage of the database', { tags: ['postgres'] }, () => {
  it('interrupts deliveries, which then continue without duplicates', async () => {
    const { DATABASE_URL = '' } = server.databaseEnv;
    const proxy = await DatabaseProxy.start(DATABASE_URL);
    const channel = slowChannel(20);
    const worker = await workers.start([channel], { DATABASE_URL: proxy.url });
    try {
      await workers.event([channel], ids(600));
      await until(async () => channel.sent.length > 50);
      proxy.cut();
      await passTime(3_000);
      const before = channel.sent.length;
      expect(before).toBeLessThan(600);
      proxy.mend();
      await until(async () => (await workers.counts(channel))['delivered'] === 600);
      expect(channel.repeated).toEqual([]);
    } finally {
      proxy.mend();
      await workers.stop(worker);
      await proxy.stop();
    }
  });
});
