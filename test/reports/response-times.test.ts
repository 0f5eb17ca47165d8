import { describe, expect, it } from 'vitest';
import type { ResponseTimes } from '../../clients/typescript/src/index.js';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { expectProblem } from '../support/expectations.js';
import type { Answer, One, Tenant } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useReports } from './use-reports.js';

const { server, tenant, monitor, post } = useReports();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The hour before the last full one, which has ended, and is not split by a report. */
const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
const at = (ms: number): string => new Date(ms).toISOString();

const times = (id: string, query = ''): Promise<Answer<One<ResponseTimes>>> =>
  server.ask(`/v1/monitors/${id}/response-times${query}`, { key: tenant.key });

/** Runs a periodic task once. Returns whether there can be more. */
function run(name: string): Promise<boolean> {
  const task = server.app.get(PeriodicTasks, { strict: false }).all.find((one) => one.name === name);
  if (!task) throw new Error(`no task ${name}`);
  return task.run();
}

/** Counts all samples, as if five minutes had passed. */
async function countAll(): Promise<void> {
  await server.sql(`UPDATE response_samples SET created_at = created_at - interval '1 hour'`);
  while (await run('response times'));
}

/** Sends reports of a monitor, one for each response time, from a time on. */
async function send(monitor_id: string, ms: number[], start = hour): Promise<void> {
  const reports = ms.map((response_ms, index) => ({
    monitor_id,
    status: 'operational',
    observed_at: at(start + index * 1_000),
    response_ms,
  }));
  expect((await post(reports)).status).toBe(200);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('GET /v1/monitors/{id}/response-times', () => {
  it('contains the quantiles of each hour within 5 %, and of each day', async () => {
    const id = await monitor();
    await send(id, upTo(1_000)); // 1 to 1,000 ms
    await send(id, [7, 7, 7, 600_000], hour - HOUR_MS);
    await countAll();
    const { body } = await times(id);
    expect(body.data).toMatchObject({ monitor_id: id, resolution: 'hour' });
    const [before, last, ...others] = body.data.periods;
    expect(others).toEqual([]);
    expect(before).toMatchObject({ started_at: at(hour - HOUR_MS), count: 4, p50: 7 });
    expect(last).toMatchObject({ started_at: at(hour), count: 1_000 });
    for (const [found, exact] of [
      [before?.p99, 7], // 0.99 of the ranks 0 to 3 lies before the last one
      [last?.p50, 500],
      [last?.p95, 950],
      [last?.p99, 990],
    ])
      expect(Math.abs((found ?? 0) / (exact ?? 1) - 1)).toBeLessThanOrEqual(0.051);
    const days = (await times(id, '?resolution=day')).body.data.periods;
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(1_004);
    for (const { started_at } of days) expect(started_at).toMatch(/T00:00:00\.000Z$/);
  });

  it('adds to the histogram of an hour, also if several processes count', async () => {
    const id = await monitor();
    for (let request = 0; request < 5; request++) await send(id, [10, 2_000]);
    await server.sql(`UPDATE response_samples SET created_at = created_at - interval '1 hour'`);
    await Promise.all(upTo(4).map(() => run('response times')));
    await send(id, [0]);
    await countAll();
    const { data } = (await times(id)).body;
    expect(data.periods).toEqual([
      { started_at: at(hour), count: 11, p50: 10, p95: expect.any(Number), p99: expect.any(Number) },
    ]);
    expect(data.periods[0]?.p95).toBeGreaterThan(1_899);
  });

  it('contains the periods of its range only, by default of 24 hours or 30 days', async () => {
    const id = await monitor();
    for (const start of [hour - 2 * DAY_MS, hour - 40 * DAY_MS, hour - 399 * DAY_MS])
      await send(id, [1], start);
    await countAll();
    const starts = async (query: string) =>
      (await times(id, query)).body.data.periods.map(({ started_at }) => started_at);
    const day = (ago: number) => at(Math.floor((hour - ago * DAY_MS) / DAY_MS) * DAY_MS);
    expect(await starts('')).toEqual([]);
    expect(await starts(`?from=${at(hour - 2 * DAY_MS)}&to=${at(hour)}`)).toEqual([at(hour - 2 * DAY_MS)]);
    expect(await starts('?resolution=day')).toEqual([day(2)]);
    expect(await starts(`?resolution=day&from=${at(Date.now() - 400 * DAY_MS + 60_000)}`)).toEqual([
      day(399),
      day(40),
      day(2),
    ]);
  });

  it.each([
    ['?resolution=minute', 'resolution'],
    ['?from=yesterday', 'from'],
    [`?from=${at(hour)}&to=${at(hour)}`, 'from'],
    [`?from=${at(hour - 33 * DAY_MS)}`, 'from'],
    [`?resolution=day&from=${at(hour - 401 * DAY_MS)}`, 'from'],
  ])('rejects %s and names the parameter', async (query, parameter) => {
    const answer = await times(await monitor(), query);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body).toMatchObject({ errors: [{ parameter }] });
  });

  it('returns 404 for a monitor of another organization', async () => {
    const other: Tenant = await server.tenant();
    const [foreign = ''] = await server.monitors(other, 1);
    for (const id of [foreign, UNKNOWN_ID]) expectProblem(await times(id), 404, 'not_found');
  });
});

describe('response_ms of a report', () => {
  it.each([-1, 600_001, 1.5, '100', null])('rejects %j and names the field', async (response_ms) => {
    const answer = await post([{ monitor_id: await monitor(), status: 'operational', response_ms }]);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body).toMatchObject({ errors: [{ pointer: '#/reports/0/response_ms' }] });
  });

  it('stores nothing if it is not sent, or if a report of the request is rejected', async () => {
    const monitor_id = await monitor();
    const before = await server.sql<object[]>('SELECT FROM response_samples');
    await post([{ monitor_id, status: 'operational' }]);
    const response_ms = 5;
    await post([
      { monitor_id, status: 'operational', response_ms },
      { monitor_id: UNKNOWN_ID, status: 'operational', response_ms },
    ]);
    expect(await server.sql('SELECT FROM response_samples')).toHaveLength(before.length);
  });
});

describe('the count of response times', () => {
  it('takes turns by organization, so that one with many requests does not delay others', async () => {
    await countAll();
    const [flood, other] = [await server.tenant(), await server.tenant()];
    const [id = ''] = await server.monitors(flood, 1);
    const [quiet = ''] = await server.monitors(other, 1);
    await server.sql(
      `INSERT INTO response_samples (organization_id, id, created_at, monitor_ids, hours, bins)
       SELECT $1, gen_random_uuid(), now() - interval '2 hours', ARRAY[$2::uuid], ARRAY[(extract(epoch FROM now()) / 3600)::integer], ARRAY[3]
         FROM generate_series(1, 5000)`,
      [flood.organization_id, id],
    );
    await server.sql(
      `INSERT INTO response_samples (organization_id, id, created_at, monitor_ids, hours, bins)
       VALUES ($1, gen_random_uuid(), now() - interval '1 hour', ARRAY[$2::uuid], ARRAY[(extract(epoch FROM now()) / 3600)::integer], ARRAY[3])`,
      [other.organization_id, quiet],
    );
    await run('response times');
    await run('response times');
    const counted = await server.sql(
      `SELECT FROM response_times WHERE monitor_id = $1 AND resolution = 'day'`,
      [quiet],
    );
    expect(counted).toHaveLength(1);
    const left = await server.sql('SELECT FROM response_samples WHERE organization_id = $1', [
      flood.organization_id,
    ]);
    expect(left).toHaveLength(3_000);
    await countAll();
  });

  it('omits monitors that have been deleted since', async () => {
    const [deleted, kept] = [await monitor(), await monitor()];
    await send(deleted, [1]);
    await send(kept, [1]);
    await server.ask(`/v1/monitors/${deleted}`, { method: 'DELETE', key: tenant.key });
    await countAll();
    expect(await server.sql('SELECT FROM response_samples')).toEqual([]);
    expect((await times(kept)).body.data.periods).toHaveLength(1);
  });

  it('deletes hours after 32 days, and days after 400', async () => {
    const id = await monitor();
    const insert = (resolution: string, days: number) =>
      server.sql(
        `INSERT INTO response_times (organization_id, monitor_id, resolution, started_at, counts)
         VALUES ($1, $2, $3, date_trunc('hour', now()) - make_interval(days => $4), '{1}')`,
        [tenant.organization_id, id, resolution, days],
      );
    for (const days of [31, 33]) await insert('hour', days);
    for (const days of [399, 401]) await insert('day', days);
    await run('old response times');
    const left = await server.sql<{ resolution: string; days: number }[]>(
      `SELECT resolution, round(extract(epoch FROM now() - started_at) / 86400)::integer AS days
         FROM response_times WHERE monitor_id = $1 ORDER BY days`,
      [id],
    );
    expect(left).toEqual([
      { resolution: 'hour', days: 31 },
      { resolution: 'day', days: 399 },
    ]);
  });
});
