import { beforeAll, describe, expect, it } from 'vitest';
import { affected, useIncidents } from './use-incidents.js';

const { server, ask, make, post, update, updatesOf, monitor } = useIncidents();

/** Midnight of a day of January 2026 in UTC. */
const day = (number: number, time = '00:00:00'): string =>
  `2026-01-${String(number).padStart(2, '0')}T${time}.000Z`;

const CLOSED = day(31);

/** Makes all days of a monitor before {@link CLOSED} computed. */
const close = (monitor_id: string) =>
  server.sql('UPDATE monitor_states SET closed_before = $1 WHERE monitor_id = $2', [CLOSED, monitor_id]);

/** The day from which on the days of a monitor are to be computed anew. */
async function closedBefore(monitor_id: string): Promise<string | undefined> {
  const [row] = await server.sql<{ closed_before: Date }[]>(
    'SELECT closed_before FROM monitor_states WHERE monitor_id = $1',
    [monitor_id],
  );
  return row?.closed_before.toISOString();
}

describe('a change of an incident', () => {
  let one: string;
  let two: string;
  let id: string;

  beforeAll(async () => {
    [one, two] = [await monitor(), await monitor()];
    const monitors = affected({ [one]: 'degraded_performance' });
    ({ id } = await make({ started_at: day(5, '13:00:00'), monitors }));
    await post(id, {
      posted_at: day(10, '23:59:59'),
      monitors: affected({ [one]: 'major_outage', [two]: 'partial_outage' }),
    });
    await post(id, { status: 'resolved', posted_at: day(15, '01:00:00') });
  });

  const reopened = { status: 'identified', posted_at: day(20, '12:00:00') };

  /** Each change, and the days from which on those of the two monitors change. They are done in this order. */
  const CHANGES: [what: string, change: () => Promise<{ status: number }>, ...from: (number | null)[]][] = [
    ['of its title', () => ask('PATCH', `/${id}`, { title: 'Changed' }), null, null],
    ['of its impact', () => ask('PATCH', `/${id}`, { impact: 'minor' }), null, null],
    ['by an update that repeats the last one', () => post(id, { status: 'resolved' }), null, null],
    ['to an earlier start', () => ask('PATCH', `/${id}`, { started_at: day(3, '01:00:00') }), 3, null],
    ['to a later start', () => ask('PATCH', `/${id}`, { started_at: day(7) }), 3, null],
    ['by an update that opens it again', () => post(id, reopened), 20, 20],
    [
      'by an update in the past that ends what is affected',
      () => post(id, { posted_at: day(12), monitors: affected({ [one]: 'major_outage' }) }),
      12,
      12,
    ],
  ];

  it.each(CHANGES)('%s makes the days that change be computed anew', async (_what, change, ...from) => {
    for (const monitor_id of [one, two]) await close(monitor_id);
    expect([200, 201]).toContain((await change()).status);
    const found = [await closedBefore(one), await closedBefore(two)];
    expect(found).toEqual(from.map((number) => (number === null ? CLOSED : day(number))));
  });

  it('by another time of an update, or its deletion, makes the days from the earlier time on be computed anew', async () => {
    const resolved = (await updatesOf(id)).find(({ posted_at }) => posted_at === day(15, '01:00:00'));
    const path = `/${id}/updates/${resolved?.id}`;
    for (const [posted_at, from] of [
      [day(14), day(14)],
      [day(16), day(14)],
    ]) {
      await close(one);
      expect((await ask('PATCH', path, { posted_at })).status).toBe(200);
      expect(await closedBefore(one)).toBe(from);
    }
    await close(one);
    expect((await ask('DELETE', path)).status).toBe(204);
    expect(await closedBefore(one)).toBe(day(16));
  });

  it('that deletes it makes the days from its start on be computed anew', async () => {
    const three = await monitor();
    const other = await make({ started_at: day(8), monitors: affected({ [three]: 'major_outage' }) });
    await update(other.id, 0, 'resolved');
    await close(three);
    expect((await ask('DELETE', `/${other.id}`)).status).toBe(204);
    expect(await closedBefore(three)).toBe(day(8));
  });
});
