import { describe, expect, it } from 'vitest';
import type { StatusNow } from '../history/model.js';
import type { One } from '../support/server.js';
import { useDays } from './use-days.js';

const { server, monitor, at, dayAt, send, make, reportAt, daysOf, oneDay } = useDays();

const HOUR = 3_600;
const DAY = 86_400;

/** Creates a monitor at a past day and hour. */
async function monitorSince(day: number, hour: number, stale_after_seconds?: number): Promise<string> {
  const id = await monitor(stale_after_seconds);
  await server.sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, at(day, hour)]);
  return id;
}

const patch = (id: string, stale_after_seconds: number | null) =>
  send('PATCH', `/v1/monitors/${id}`, { stale_after_seconds });

async function statusOf(id: string): Promise<StatusNow> {
  return (await send<One<StatusNow>>('GET', `/v1/monitors/${id}/status`)).body.data;
}

describe('GET /v1/monitors/{id}/days of a monitor without stale_after_seconds', () => {
  it('counts the time from its creation as operational, and the time before as unknown', async () => {
    const id = await monitorSince(-2, 6);
    expect(await oneDay(id, -3)).toEqual({ day: dayAt(-3), uptime: null, unknown: DAY });
    expect(await oneDay(id, -2)).toEqual({
      day: dayAt(-2),
      uptime: 100,
      observed_seconds: 18 * HOUR,
      unknown: 6 * HOUR,
      operational: 18 * HOUR,
    });
    const { body } = await daysOf(id, `?from=${dayAt(-3)}&to=${dayAt(-1)}`);
    expect(body.data).toMatchObject({ uptime: 100, observed_seconds: 42 * HOUR });
  });

  it('applies its first report from the time of the report on', async () => {
    const id = await monitorSince(-3, 6);
    expect(await oneDay(id, -2)).toMatchObject({ operational: DAY });
    await reportAt(id, ['major_outage', -2, 12], ['operational', -2, 18]);
    expect(await oneDay(id, -3)).toMatchObject({ operational: 18 * HOUR, unknown: 6 * HOUR });
    expect(await oneDay(id, -2)).toMatchObject({
      operational: 18 * HOUR,
      major_outage: 6 * HOUR,
      uptime: 75,
    });
  });

  it('applies a report that arrives later than the first one but was observed before it', async () => {
    const id = await monitorSince(-4, 6);
    await reportAt(id, ['operational', -2, 12]);
    expect(await oneDay(id, -3)).toMatchObject({ operational: DAY });
    await reportAt(id, ['major_outage', -3, 12]);
    expect(await oneDay(id, -4)).toMatchObject({ operational: 18 * HOUR, unknown: 6 * HOUR });
    expect(await oneDay(id, -3)).toMatchObject({ operational: 12 * HOUR, major_outage: 12 * HOUR });
    expect(await oneDay(id, -2)).toMatchObject({ operational: 12 * HOUR, major_outage: 12 * HOUR });
  });

  it('assumes nothing if its first report is earlier than its creation', async () => {
    const id = await monitorSince(-2, 0);
    expect(await oneDay(id, -2)).toMatchObject({ operational: DAY });
    await reportAt(id, ['major_outage', -3, 12], ['operational', -1, 0]);
    expect(await oneDay(id, -3)).toMatchObject({ unknown: 12 * HOUR, major_outage: 12 * HOUR });
    expect(await oneDay(id, -2)).toMatchObject({ major_outage: DAY });
  });

  it('counts incidents and maintenance windows on top, also before its creation', async () => {
    const id = await monitorSince(-2, 6);
    await make('/v1/maintenances', {
      title: 'Upgrade',
      starts_at: at(-2, 8),
      ends_at: at(-2, 10),
      monitor_ids: [id],
    });
    const incident = await make('/v1/incidents', {
      title: 'Down',
      body: 'It is down.',
      started_at: at(-2, 4),
      monitors: [{ monitor_id: id, status: 'major_outage' }],
    });
    const fixed = { status: 'resolved', body: 'Fixed.', posted_at: at(-2, 7) };
    expect((await send('POST', `/v1/incidents/${incident}/updates`, fixed)).status).toBe(201);
    expect(await oneDay(id, -2)).toEqual({
      day: dayAt(-2),
      uptime: 86.36,
      observed_seconds: 22 * HOUR,
      operational: 19 * HOUR,
      under_maintenance: 2 * HOUR,
      major_outage: 3 * HOUR,
    });
  });

  it('counts the time since the day of an incident before its creation as operational, until the incident is deleted', async () => {
    const [id, probed] = [await monitorSince(-2, 6), await monitorSince(-2, 6, 3_600)];
    const range = `?from=${dayAt(-62)}&to=${dayAt(-1)}`;
    const historyOf = async (monitor_id: string) => {
      const { days, uptime } = (await daysOf(monitor_id, range)).body.data;
      return { unknown: days.map((day) => day.unknown).filter((seconds) => seconds > 0).length, uptime };
    };
    expect(await historyOf(id)).toEqual({ unknown: 61, uptime: 100 });
    const monitors = [id, probed].map((monitor_id) => ({ monitor_id, status: 'major_outage' }));
    const fields = { title: 'Down', body: 'It is down.', started_at: at(-60, 4), monitors };
    const incident = await make('/v1/incidents', fields);
    const fixed = { status: 'resolved', body: 'Fixed.', posted_at: at(-60, 7) };
    expect((await send('POST', `/v1/incidents/${incident}/updates`, fixed)).status).toBe(201);
    expect(await historyOf(id)).toEqual({ unknown: 2, uptime: 99.79 }); // 3 of 1,440 hours
    expect(await historyOf(probed)).toEqual({ unknown: 62, uptime: 0 });
    await send('PATCH', `/v1/incidents/${incident}`, { started_at: at(-61, 4) });
    expect((await historyOf(id)).unknown).toBe(1);
    await send('DELETE', `/v1/incidents/${incident}`);
    expect(await historyOf(id)).toEqual({ unknown: 61, uptime: 100 });
  });

  it('computes past days again when stale_after_seconds is set or removed', async () => {
    const id = await monitorSince(-2, 6, 3_600);
    expect(await oneDay(id, -1)).toEqual({ day: dayAt(-1), uptime: null, unknown: DAY });
    await patch(id, null);
    expect(await oneDay(id, -1)).toMatchObject({ operational: DAY, uptime: 100 });
    await patch(id, 60);
    expect(await oneDay(id, -1)).toMatchObject({ unknown: DAY, uptime: null });
  });

  it('computes days again that an older version has stored', async () => {
    const [id, reportedBefore] = [await monitorSince(-3, 6), await monitorSince(-3, 6)];
    const range = `?from=${dayAt(-2)}&to=${dayAt(-1)}`;
    const ids = [id, reportedBefore];
    for (const one of ids) await daysOf(one, range);
    await server.sql(
      `UPDATE monitor_days SET rules_version = 1, operational = 0, unknown = 86400 WHERE monitor_id = ANY ($1)`,
      [ids],
    );
    // `reportedBefore` stands for a monitor that had reported before `is_operational_until_reported` existed. Its stored days are
    // still correct.
    await server.sql(
      `UPDATE monitor_states SET is_operational_until_reported = false WHERE monitor_id = $1`,
      [reportedBefore],
    );
    for (const day of [-2, -1]) expect(await oneDay(id, day)).toMatchObject({ operational: DAY });
    for (const day of [-2, -1]) expect(await oneDay(reportedBefore, day)).toMatchObject({ unknown: DAY });
    const rows = await server.sql<{ count: number }[]>(
      `SELECT rules_version, count(*)::int FROM monitor_days WHERE monitor_id = ANY ($1) GROUP BY 1 ORDER BY 1`,
      [ids],
    );
    expect(rows).toEqual([
      { rules_version: 1, count: 2 },
      { rules_version: 3, count: 2 },
    ]);
  });
});

describe('GET /v1/monitors/{id}/status of a monitor without reports', () => {
  it('returns operational without stale_after_seconds, and unknown with it', async () => {
    const [id, probed] = [await monitor(), await monitor(60)];
    const none = { observed_at: null, incident_ids: [], maintenance_ids: [] };
    expect(await statusOf(id)).toEqual({
      monitor_id: id,
      status: 'operational',
      reported_status: 'operational',
      ...none,
    });
    expect(await statusOf(probed)).toMatchObject({ status: 'unknown', reported_status: 'unknown', ...none });
    await patch(id, 60);
    expect(await statusOf(id)).toMatchObject({ status: 'unknown', reported_status: 'unknown' });
    await patch(id, null);
    expect(await statusOf(id)).toMatchObject({ status: 'operational', reported_status: 'operational' });
  });

  it('returns operational again after an incident is resolved', async () => {
    const id = await monitor();
    const affected = [{ monitor_id: id, status: 'degraded_performance' }];
    const incident = await make('/v1/incidents', { title: 'Slow', body: 'It is slow.', monitors: affected });
    expect(await statusOf(id)).toMatchObject({
      status: 'degraded_performance',
      reported_status: 'operational',
      incident_ids: [incident],
    });
    await send('POST', `/v1/incidents/${incident}/updates`, { status: 'resolved', body: 'Fixed.' });
    expect(await statusOf(id)).toMatchObject({ status: 'operational', incident_ids: [] });
  });

  it('returns under_maintenance during a maintenance window', async () => {
    const id = await monitor();
    const window = { starts_at: at(-1, 0), ends_at: at(2, 0), monitor_ids: [id] };
    await make('/v1/maintenances', { title: 'Upgrade', ...window });
    expect(await statusOf(id)).toMatchObject({ status: 'under_maintenance', reported_status: 'operational' });
  });
});
