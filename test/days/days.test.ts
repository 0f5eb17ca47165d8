import { describe, expect, it } from 'vitest';
import { contentsOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { useDays } from './use-days.js';

const { server, tenant, monitor, at, dayAt, send, make, reportAt, daysOf, oneDay } = useDays();

const HOUR = 3_600;
const DAY = 86_400;

describe('GET /v1/monitors/{id}/days', () => {
  it('returns the seconds in each status per day, by default for 90 days', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -2, 6], ['major_outage', -2, 20], ['operational', -1, 4]);
    const { body } = await daysOf(id, '');
    const { monitor_id, from, to, days } = body.data;
    expect([monitor_id, from, to, days.length]).toEqual([id, dayAt(-89), dayAt(0), 90]);
    expect(days.map((one) => one.day)).toEqual(Array.from({ length: 90 }, (_, index) => dayAt(index - 89)));
    expect(await oneDay(id, -3)).toEqual({ day: dayAt(-3), uptime: null, unknown: DAY });
    expect(await oneDay(id, -2)).toEqual({
      day: dayAt(-2),
      uptime: 77.77,
      observed_seconds: 18 * HOUR,
      unknown: 6 * HOUR,
      operational: 14 * HOUR,
      major_outage: 4 * HOUR,
    });
    expect(await oneDay(id, -1)).toEqual({
      day: dayAt(-1),
      uptime: 83.33,
      observed_seconds: DAY,
      major_outage: 4 * HOUR,
      operational: 20 * HOUR,
    });
    for (const { day: _, uptime: _uptime, observed_seconds: _observed, ...seconds } of days.slice(0, -1))
      expect(Object.values(seconds).reduce((sum, one) => sum + one, 0)).toBe(DAY);
  });

  it('returns only the elapsed seconds of today', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -1, 12]);
    const secondsOfToday = () => Math.floor((Date.now() % (DAY * 1000)) / 1000);
    const before = secondsOfToday();
    const { body } = await daysOf(id, `?from=${dayAt(0)}`);
    const after = secondsOfToday();
    const [today] = body.data.days;
    expect(today).toMatchObject({ unknown: 0, major_outage: 0 });
    expect(today?.operational).toBeGreaterThanOrEqual(before);
    expect(today?.operational).toBeLessThanOrEqual(after);
  });

  it('counts time as unknown from stale_after_seconds after the last report', async () => {
    const id = await monitor(7_200);
    await reportAt(id, ['operational', -1, 10], ['operational', -1, 11], ['operational', -1, 20]);
    expect(await oneDay(id, -1)).toMatchObject({ operational: 5 * HOUR, unknown: 19 * HOUR, uptime: 100 });
    await send('PATCH', `/v1/monitors/${id}`, { stale_after_seconds: null });
    expect(await oneDay(id, -1)).toMatchObject({ operational: 14 * HOUR, unknown: 10 * HOUR });
  });

  it('computes a day again after a late report', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -5, 0]);
    expect(await oneDay(id, -3)).toMatchObject({ operational: DAY });
    await reportAt(id, ['partial_outage', -3, 12], ['operational', -3, 18]);
    expect(await oneDay(id, -3)).toMatchObject({
      operational: 18 * HOUR,
      partial_outage: 6 * HOUR,
      uptime: 92.5,
    });
    expect(await oneDay(id, -2)).toMatchObject({ operational: DAY });
  });

  it('computes days again after an incident is backdated, moved or deleted', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -5, 0]);
    expect(await oneDay(id, -2)).toMatchObject({ operational: DAY, uptime: 100 });
    const incident = await make('/v1/incidents', {
      title: 'Down',
      body: 'It is down.',
      started_at: at(-2, 22),
      monitors: [{ monitor_id: id, status: 'major_outage' }],
    });
    expect(await oneDay(id, -2)).toMatchObject({
      operational: 22 * HOUR,
      major_outage: 2 * HOUR,
      uptime: 91.66,
    });
    expect(await oneDay(id, -1)).toEqual({ day: dayAt(-1), observed_seconds: DAY, major_outage: DAY });
    await send('PATCH', `/v1/incidents/${incident}`, { started_at: at(-3, 12) });
    expect(await oneDay(id, -3)).toMatchObject({ operational: 12 * HOUR, major_outage: 12 * HOUR });
    await send('POST', `/v1/incidents/${incident}/updates`, {
      status: 'resolved',
      body: 'Fixed.',
      posted_at: at(-2, 6),
    });
    expect(await oneDay(id, -2)).toMatchObject({
      operational: 18 * HOUR,
      major_outage: 6 * HOUR,
      uptime: 75,
    });
    expect(await oneDay(id, -1)).toMatchObject({ operational: DAY });
    await send('DELETE', `/v1/incidents/${incident}`);
    expect(await oneDay(id, -2)).toMatchObject({ operational: DAY, uptime: 100 });
  });

  it('ignores reports during a maintenance window but includes incidents', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -5, 0], ['major_outage', -2, 10], ['operational', -2, 14]);
    const maintenance = await make('/v1/maintenances', {
      title: 'Upgrade',
      starts_at: at(-2, 8),
      ends_at: at(-2, 12),
      monitor_ids: [id],
    });
    expect(await oneDay(id, -2)).toEqual({
      day: dayAt(-2),
      uptime: 90,
      observed_seconds: 20 * HOUR,
      operational: 18 * HOUR,
      under_maintenance: 4 * HOUR,
      major_outage: 2 * HOUR,
    });
    await make('/v1/incidents', {
      title: 'More than planned',
      body: 'It is worse.',
      started_at: at(-2, 9),
      monitors: [{ monitor_id: id, status: 'degraded_performance' }],
    });
    expect(await oneDay(id, -2)).toMatchObject({ under_maintenance: HOUR, major_outage: 2 * HOUR });
    await send('DELETE', `/v1/maintenances/${maintenance}`);
    expect(await oneDay(id, -2)).toMatchObject({ major_outage: 4 * HOUR });
  });

  it('returns the same days after stored days are deleted', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -9, 3], ['major_outage', -4, 20], ['operational', -3, 4]);
    const range = `?from=${dayAt(-10)}&to=${dayAt(-1)}`;
    const { text } = await daysOf(id, range);
    const { monitor_days: kept } = await contentsOf(server);
    expect(kept?.length).toBeGreaterThanOrEqual(10);
    await server.sql('DELETE FROM monitor_days');
    expect((await daysOf(id, range)).text).toBe(text);
    await server.sql('DELETE FROM monitor_days WHERE day = $1', [dayAt(-4)]);
    expect((await daysOf(id, range)).text).toBe(text);
    await server.sql('UPDATE monitor_states SET closed_before = NULL');
    expect((await daysOf(id, range)).text).toBe(text);
  });

  it('computes a closed day once', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -3, 0]);
    await daysOf(id, '');
    const spoiled =
      'UPDATE monitor_days SET operational = 1, unknown = 86399 WHERE monitor_id = $1 AND day = $2';
    await server.sql(spoiled, [id, dayAt(-1)]);
    expect(await oneDay(id, -1)).toMatchObject({ operational: 1 });
  });

  /**
   * Marks the stored days of a monitor with an unknown second, which days computed again do not have.
   */
  const spoil = (id: string) => server.sql('UPDATE monitor_days SET unknown = 1 WHERE monitor_id = $1', [id]);

  /** Returns the days that were computed again, from `from` until yesterday, in days before today. */
  async function computedAnew(id: string, from: number): Promise<number[]> {
    const { body } = await daysOf(id, `?from=${dayAt(from)}&to=${dayAt(-1)}`);
    return body.data.days.flatMap((one, index) => (one.unknown === 1 ? [] : [from + index]));
  }

  it('computes only the days between a late report and the next report again', async () => {
    const [id, other] = [await monitor(), await monitor()];
    for (const one of [id, other])
      await reportAt(
        one,
        ...Array.from({ length: 60 }, (_, index): [string, number, number] => [
          index % 2 ? 'operational' : 'partial_outage',
          index - 399,
          6,
        ]),
      );
    const { id: page_id } = await server.page(tenant, {
      sections: [{ id: 'all', title: 'All', monitor_ids: [id, other] }],
    });
    const summary = () => send('GET', `/v1/status-pages/${page_id}/summary`);
    await summary();
    for (const one of [id, other]) await daysOf(one, `?from=${dayAt(-399)}`);
    for (const one of [id, other]) await spoil(one);
    await reportAt(id, ['major_outage', -390, 12]);
    await summary();
    expect(await computedAnew(id, -398)).toEqual([-390, -389]);
    expect(await computedAnew(other, -398)).toEqual([]);
    expect(await oneDay(id, -390)).toMatchObject({ major_outage: 12 * HOUR });
  });

  it('computes only the days of a changed past maintenance window again', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -30, 0]);
    await daysOf(id, `?from=${dayAt(-30)}`);
    await spoil(id);
    const window = { starts_at: at(-20, 1), ends_at: at(-19, 1) };
    const maintenance = await make('/v1/maintenances', { title: 'Upgrade', ...window, monitor_ids: [id] });
    expect(await computedAnew(id, -30)).toEqual([-20, -19]);
    await spoil(id);
    await send('PATCH', `/v1/maintenances/${maintenance}`, { ends_at: at(-18, 1) });
    expect(await computedAnew(id, -30)).toEqual([-20, -19, -18]);
    await spoil(id);
    await send('DELETE', `/v1/maintenances/${maintenance}`);
    expect(await computedAnew(id, -30)).toEqual([-20, -19, -18]);
  });

  it('never returns an invalidated stored day after other ranges are read', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', -9, 0]);
    await daysOf(id, `?from=${dayAt(-9)}`);
    await reportAt(id, ['major_outage', -6, 0], ['operational', -3, 0]);
    await daysOf(id, `?from=${dayAt(-2)}`);
    for (const of of [-6, -5, -4]) expect(await oneDay(id, of)).toMatchObject({ major_outage: DAY });
    expect(await oneDay(id, -3)).toMatchObject({ operational: DAY });
  });

  it('returns no data for a monitor with stale_after_seconds that has never reported', async () => {
    const id = await monitor(60);
    const { body } = await daysOf(id, `?from=${dayAt(-1)}&to=${dayAt(-1)}`);
    expect(body.data).toMatchObject({
      uptime: null,
      observed_seconds: 0,
      days: [{ unknown: DAY, uptime: null, observed_seconds: 0 }],
    });
  });

  it.each([
    ['from=2026-02-30', 'from', 'invalid_format'],
    ['from=20260201', 'from', 'invalid_format'],
    ['to=', 'to', 'invalid_format'],
    ['to=9999-01-01', 'to', 'out_of_range'],
    ['from=1999-12-31&to=2000-01-02', 'from', 'out_of_range'],
    ['from=2026-02-02&to=2026-02-01', 'from', 'out_of_range'],
    ['from=2025-01-01&to=2026-02-05', 'from', 'out_of_range'],
  ])('rejects ?%s', async (query, parameter, code) => {
    expectProblem(await daysOf(await monitor(), `?${query}`), 400, 'validation_failed', { code, parameter });
  });

  it('returns correct days for a monitor that changes every two seconds', async () => {
    const id = await monitor();
    await reportAt(id, ['operational', 0, 0]);
    // In quarters of a day, because one statement for all can exceed the time limit of a statement on a slow machine.
    for (const hour of [0, 6, 12, 18])
      await server.sql(
        `INSERT INTO monitor_runs (organization_id, monitor_id, started_at, last_observed_at, status)
       SELECT $1, $2, time, time, (CASE WHEN extract(second FROM time)::int % 4 = 0 THEN 'operational' ELSE 'major_outage' END)::monitor_status
         FROM generate_series($3::timestamptz, $4::timestamptz, interval '2 seconds') AS time`,
        [tenant.organization_id, id, at(-1, hour), at(-1, hour + 5.9999)],
      );
    const { body } = await daysOf(id, `?from=${dayAt(-2)}&to=${dayAt(-1)}`);
    const half = { uptime: 50, operational: 43_200, major_outage: 43_200, unknown: 0 };
    expect(body.data.days).toMatchObject([{ unknown: 86_400 }, half]);
  });

  it('accepts 400 days', async () => {
    const { status, body } = await daysOf(await monitor(), '?from=2025-01-01&to=2026-02-04');
    expect([status, body.data.days.length]).toEqual([200, 400]);
  });
});
