import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery, Outcome } from '../../src/deliveries/channel.js';
import { ChannelPlaces } from '../../src/deliveries/channel-places.js';
import { passTime } from '../support/clock.js';
import { withinTwoSeconds, useTenant, useTestServer } from '../support/server.js';
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
    await workers.whileWorking(async () => channel.sent.length === 7);
    await workers.enqueue(channel, others, other);
    expect(await withinTwoSeconds(async () => others.every((id) => channel.reached.includes(id)))).toBe(true);
    expect(ends).toHaveLength(7);
    channel.outcomeOf = () => ({ kind: 'cancelled' });
    for (const end of ends) end();
    await workers.whileWorking(async () => (await workers.counts(channel))['cancelled'] === 200);
  });

  it('pauses only the organization whose messages meet an overload', async () => {
    const channel = new TestChannel();
    const others = ids(40);
    channel.outcomeOf = ({ organization_id }) =>
      organization_id === tenant.organization_id
        ? { kind: 'retry', error: 'RCPT TO 421', after_ms: 600_000, slow_down: 'organization' }
        : { kind: 'delivered' };
    await workers.enqueue(channel, ids(100));
    await workers.start([channel]);
    await workers.whileWorking(async () => channel.sent.length >= 2);
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
  /** Makes the attempts of an organization fast. */
  const makeFast = (places: ChannelPlaces, organization_id: string): void => {
    const one = delivery(organization_id);
    places.take(one);
    places.leave(one, true);
  };
  const create = () => new ChannelPlaces(new TestChannel(), pino({ level: 'silent' }));

  it('leave some to each further organization', () => {
    const places = create();
    const organizations = ['a', 'b', 'c', 'd'];
    for (const one of organizations) makeFast(places, one);
    expect(organizations.map((one) => takenBy(places, one))).toEqual([10, 3, 1, 1]);
    const alone = new ChannelPlaces(new TestChannel('two', 2), pino({ level: 'silent' }));
    expect(alone.take(delivery('a')) && alone.take(delivery('a'))).toBe(true);
  });

  it('cannot all be held by organizations whose attempts hang, however many they are', async () => {
    const places = create();
    makeFast(places, 'fast');
    const many = ids(100);
    const take = () => many.reduce((sum, one) => sum + takenBy(places, one), 0);
    expect([takenBy(places, 'new'), take(), places.isHeldUp(many.at(-1) ?? '')]).toEqual([2, 11, true]);
    await passTime(1_100);
    expect([take(), places.inFlight, places.isHeldUp('fast')]).toEqual([0, 13, false]);
    expect(takenBy(places, 'fast')).toBeGreaterThan(0);
  });

  it('leave a quarter free of organizations whose attempts are slow', async () => {
    const places = create();
    const slow = ids(15);
    for (const one of slow) {
      const attempt = delivery(one);
      places.take(attempt);
      await passTime(1_100);
      places.leave(attempt, true);
    }
    expect(slow.map((one) => takenBy(places, one)).reduce((sum, count) => sum + count)).toBe(11);
    const [first = ''] = slow;
    expect(places.isHeldUp(first)).toBe(true);
  });

  it('stay with an organization whose attempts are fast if one is slow', async () => {
    const places = create();
    for (let count = 0; count < 5; count++) makeFast(places, 'fast');
    for (const one of ids(100)) takenBy(places, one);
    const attempt = delivery('fast');
    places.take(attempt);
    await passTime(2_000);
    expect(places.isHeldUp('fast')).toBe(false);
    places.leave(attempt, true);
    expect(takenBy(places, 'fast')).toBeGreaterThan(0);
  });

  it('pause together only after an overload that does not depend on the message', () => {
    const places = create();
    for (const one of ['a', 'b', 'a']) places.overload(delivery(one), 'organization', 'RCPT TO 421');
    expect([places.isPaused, places.isHeldUp('b'), places.isHeldUp('c')]).toEqual([false, true, false]);
    places.overload(delivery('c'), 'channel', 'MAIL FROM 421');
    expect([places.isPaused, places.limit(15)]).toEqual([true, 0]);
  });
});
