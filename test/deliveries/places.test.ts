import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery, Outcome } from '../../src/deliveries/channel.js';
import { ChannelPlaces } from '../../src/deliveries/channel-places.js';
import { until, withinTwoSeconds, useTenant, useTestServer } from '../support/server.js';
import { ids, TestChannel, useWorkers } from './use-workers.js';

const server = useTestServer();
const tenant = useTenant(server);
const other = useTenant(server);
const workers = useWorkers(server, tenant);

describe('a channel', () => {
  it('leaves places for other organizations while the recipients of one hang', async () => {
    const channel = new TestChannel();
    const [hanging, others] = [ids(200), ids(40)];
    const ends: (() => void)[] = [];
    channel.outcomeOf = ({ organization_id }) =>
      organization_id === tenant.organization_id
        ? new Promise<Outcome>((resolve) => ends.push(() => resolve({ kind: 'cancelled' })))
        : { kind: 'delivered' };
    await workers.enqueue(channel, hanging);
    await workers.start([channel]);
    await until(async () => channel.sent.length === 10);
    await workers.enqueue(channel, others, other);
    expect(await withinTwoSeconds(async () => others.every((id) => channel.reached.includes(id)))).toBe(true);
    expect(ends).toHaveLength(10);
    channel.outcomeOf = () => ({ kind: 'cancelled' });
    for (const end of ends) end();
    await workers.whileWorking(async () => (await workers.counts(channel))['cancelled'] === 200);
  });

  it('pauses only the organization whose messages meet an overload', async () => {
    const channel = new TestChannel();
    const others = ids(40);
    channel.outcomeOf = ({ organization_id }) =>
      organization_id === tenant.organization_id
        ? { kind: 'retry', error: 'RCPT TO 421', after_ms: 600_000, slow_down: true }
        : { kind: 'delivered' };
    await workers.enqueue(channel, ids(100));
    await workers.start([channel]);
    await until(async () => channel.sent.length >= 10);
    await workers.enqueue(channel, others, other);
    expect(await withinTwoSeconds(async () => others.every((id) => channel.reached.includes(id)))).toBe(true);
    expect(channel.sent.length).toBeLessThan(10 + 40 + 10); // others after a pause each
  });
});

describe('the places of a channel', () => {
  const delivery = (organization_id: string): ClaimedDelivery => ({
    id: randomUUID(),
    organization_id,
    project_id: randomUUID(),
    kind: 'event',
    event_id: randomUUID(),
    recipient_id: randomUUID(),
    attempts: 1,
    lease: 1,
  });
  const takenBy = (places: ChannelPlaces, organization_id: string): number => {
    let count = 0;
    while (places.take(delivery(organization_id))) count += 1;
    return count;
  };
  const create = () => new ChannelPlaces(new TestChannel(), pino({ level: 'silent' }));

  it('leave some to each further organization', () => {
    const places = create();
    expect(['a', 'b', 'c', 'd'].map((one) => takenBy(places, one))).toEqual([10, 3, 1, 1]);
    const alone = new ChannelPlaces(new TestChannel('two', 2), pino({ level: 'silent' }));
    expect(alone.take(delivery('a')) && alone.take(delivery('a'))).toBe(true);
  });

  it('pause together once two organizations have met an overload without a success between them', () => {
    const places = create();
    places.overload(delivery('a'), '421');
    places.succeed(delivery('c'));
    places.overload(delivery('b'), '421');
    expect([places.isPaused, places.isHeldUp('b'), places.isHeldUp('c')]).toEqual([false, true, false]);
    places.overload(delivery('a'), '421');
    expect([places.isPaused, places.limit(15)]).toEqual([true, 0]);
  });
});
