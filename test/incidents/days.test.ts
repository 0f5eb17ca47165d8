import { beforeAll, describe, expect, it } from 'vitest';
import { affected, useIncidents } from './use-incidents.js';

const { server, tenant, ask, make, post, update, updatesOf, monitor } = useIncidents();

/** Returns midnight of a day of January 2026 in UTC. */
const day = (number: number, time = '00:00:00'): string =>
  `2026-01-${String(number).padStart(2, '0')}T${time}.000Z`;

/** Marks the days of a monitor in January until the 30th as computed. */
async function close(monitor_id: string): Promise<void> {
  await server.sql('UPDATE monitor_states SET closed_before = $1 WHERE monitor_id = $2', [
    day(31),
    monitor_id,
  ]);
  await server.sql(
    `INSERT INTO monitor_days (organization_id, monitor_id, day, operational, degraded_performance, partial_outage, major_outage,
                               under_maintenance, unknown)
     SELECT $1, $2, day, 0, 0, 0, 0, 0, 86400 FROM generate_series($3::date, $4::date, interval '1 day') AS day
         ON CONFLICT DO NOTHING`,
    [tenant.organization_id, monitor_id, day(1), day(30)],
  );
}

/** Returns the first and last invalid day in January until the 30th, or null. */
async function invalidDays(monitor_id: string): Promise<[first: number, last: number] | null> {
  const [row] = await server.sql<{ first: number | null; last: number | null }[]>(
    `SELECT min(number)::int AS first, max(number)::int AS last
       FROM generate_series(1, 30) AS number
      WHERE NOT EXISTS (
              SELECT FROM monitor_days AS one JOIN monitor_states AS state USING (organization_id, monitor_id)
               WHERE monitor_id = $1 AND day = $2::date + number - 1 AND day < (closed_before AT TIME ZONE 'UTC')::date
            )`,
    [monitor_id, day(1)],
  );
  return row?.first && row.last ? [row.first, row.last] : null;
}

describe('stored days of a monitor in an incident', () => {
  let one: string;
  let two: string;
  let id: string;

  beforeAll(async () => {
    [one, two] = [await monitor(), await monitor()];
    await server.sql(`UPDATE monitors SET created_at = '2026-01-01' WHERE id = ANY ($1)`, [[one, two]]);
    const monitors = affected({ [one]: 'degraded_performance' });
    ({ id } = await make({ started_at: day(5, '13:00:00'), monitors }));
    await post(id, {
      posted_at: day(10, '23:59:59'),
      monitors: affected({ [one]: 'major_outage', [two]: 'partial_outage' }),
    });
    await post(id, { status: 'resolved', posted_at: day(15, '01:00:00') });
  });

  const reopened = { status: 'identified', posted_at: day(20, '12:00:00') };

  /** Each change, and the first and last changed days of the two monitors. They run in this order. */
  const CHANGES: [
    what: string,
    change: () => Promise<{ status: number }>,
    ...days: ([first: number, last: number] | null)[],
  ][] = [
    ['of its title', () => ask('PATCH', `/${id}`, { title: 'Changed' }), null, null],
    ['of its impact', () => ask('PATCH', `/${id}`, { impact: 'minor' }), null, null],
    ['by an update that repeats the last one', () => post(id, { status: 'resolved' }), null, null],
    ['to an earlier start', () => ask('PATCH', `/${id}`, { started_at: day(3, '01:00:00') }), [3, 5], null],
    ['to a later start', () => ask('PATCH', `/${id}`, { started_at: day(7) }), [3, 7], null],
    ['by an update that reopens it', () => post(id, reopened), [20, 30], [20, 30]],
    [
      'by an update in the past that changes the affected monitors',
      () => post(id, { posted_at: day(12), monitors: affected({ [one]: 'major_outage' }) }),
      [12, 30],
      [12, 30],
    ],
  ];

  it.each(CHANGES)('become invalid if they change, after a change %s', async (_what, change, ...days) => {
    for (const monitor_id of [one, two]) await close(monitor_id);
    expect([200, 201]).toContain((await change()).status);
    expect([await invalidDays(one), await invalidDays(two)]).toEqual(days);
  });

  it('become invalid between both times of a moved or deleted update', async () => {
    const resolved = (await updatesOf(id)).find(({ posted_at }) => posted_at === day(15, '01:00:00'));
    const path = `/${id}/updates/${resolved?.id}`;
    for (const [posted_at, days] of [
      [day(14), [14, 15]],
      [day(16), [14, 16]],
    ]) {
      await close(one);
      expect((await ask('PATCH', path, { posted_at })).status).toBe(200);
      expect(await invalidDays(one)).toEqual(days);
    }
    await close(one);
    expect((await ask('DELETE', path)).status).toBe(204);
    expect(await invalidDays(one)).toEqual([16, 20]);
  });

  it('become invalid from the start of a deleted incident', async () => {
    const three = await monitor();
    const other = await make({ started_at: day(8), monitors: affected({ [three]: 'major_outage' }) });
    await update(other.id, 0, 'resolved');
    await close(three);
    expect((await ask('DELETE', `/${other.id}`)).status).toBe(204);
    expect(await invalidDays(three)).toEqual([8, 30]);
  });
});
