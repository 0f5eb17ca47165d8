import { describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { type Sent, useReports } from './use-reports.js';

const { server, tenant, timeAt, monitor, post, report, runsOf } = useReports();

const UP = 'operational';
const DOWN = 'major_outage';

describe('POST /v1/monitor-reports', () => {
  it('stores reports as runs that equal reports extend', async () => {
    const id = await monitor();
    expect(await report(id, [UP, 0])).toBe(1);
    expect(await report(id, [UP, 60])).toBe(0);
    expect(await runsOf(id)).toEqual([[UP, 0, 60]]);
    expect(await report(id, [DOWN, 120])).toBe(1);
    expect(await report(id, [UP, 180])).toBe(1);
    expect(await runsOf(id)).toEqual([
      [UP, 0, 60],
      [DOWN, 120, 120],
      [UP, 180, 180],
    ]);
  });

  it('counts the reports and those that change the status', async () => {
    const ids = [await monitor(), await monitor()];
    const reports = ids.map((monitor_id) => ({ monitor_id, status: UP }));
    expect((await post(reports)).body).toEqual({ data: { reports: 2, changed: 2 } });
    const [first] = ids;
    const next = [{ monitor_id: first, status: DOWN }, reports[1]];
    expect((await post(next)).body).toEqual({ data: { reports: 2, changed: 1 } });
  });

  it('splits a run by a report inside it, until the next report', async () => {
    const id = await monitor();
    await report(id, [UP, 0], [UP, 60], [UP, 120], [UP, 180]);
    expect(await report(id, [DOWN, 90])).toBe(1);
    expect(await runsOf(id)).toEqual([
      [UP, 0, 60],
      [DOWN, 90, 90],
      [UP, 120, 180],
    ]);
  });

  it('moves the start of a splitting report back with an earlier report', async () => {
    const id = await monitor();
    await report(id, [UP, 0], [UP, 200]);
    await report(id, [DOWN, 100]);
    await report(id, [DOWN, 50]);
    expect(await runsOf(id)).toEqual([
      [UP, 0, 0],
      [DOWN, 50, 100],
      [UP, 200, 200],
    ]);
  });

  it('splits a run until its next report, even with a shorter stale_after_seconds', async () => {
    const id = await monitor();
    await report(id, [UP, 0], [UP, 200]);
    const json = { stale_after_seconds: 60 };
    await server.ask(`/v1/monitors/${id}`, { method: 'PATCH', key: tenant.key, json });
    await report(id, [DOWN, 100]);
    expect(await runsOf(id)).toEqual([
      [UP, 0, 0],
      [DOWN, 100, 100],
      [UP, 200, 200],
    ]);
  });

  it('replaces the report of the same monitor and time and joins runs', async () => {
    const id = await monitor();
    await report(id, [UP, 0], [DOWN, 60], [UP, 120]);
    expect(await report(id, [UP, 60])).toBe(1);
    expect(await runsOf(id)).toEqual([[UP, 0, 120]]);
    await report(id, [DOWN, 0], [DOWN, 120]);
    expect(await runsOf(id)).toEqual([
      [DOWN, 0, 0],
      [UP, 60, 60],
      [DOWN, 120, 120],
    ]);
  });

  it('stores the last of several reports of the same time in a request', async () => {
    const id = await monitor();
    await report(id, [DOWN, 0], [UP, 0]);
    expect(await runsOf(id)).toEqual([[UP, 0, 0]]);
  });

  it('changes nothing for a repeated request', async () => {
    const id = await monitor();
    const reports: Sent[] = [
      [UP, 0],
      [DOWN, 30],
      [UP, 60],
    ];
    expect(await report(id, ...reports)).toBe(3);
    const before = await hashesOf(server);
    expect(await report(id, ...reports)).toBe(0);
    expect(await report(id, [UP, 60])).toBe(0);
    expect(await hashesOf(server)).toEqual(before);
  });

  it('starts a run after a gap in which the monitor was stale', async () => {
    const id = await monitor(60);
    expect(await report(id, [UP, 0], [UP, 60])).toBe(1);
    expect(await report(id, [UP, 121])).toBe(1);
    expect(await runsOf(id)).toEqual([
      [UP, 0, 60],
      [UP, 121, 121],
    ]);
    expect(await report(id, [UP, 90])).toBe(0);
    expect(await runsOf(id)).toEqual([[UP, 0, 121]]);
  });

  it('stores the same runs for reports in any order or grouping', async () => {
    const reports: Sent[] = [
      [UP, 0],
      [UP, 60],
      [DOWN, 120],
      [DOWN, 180],
      [UP, 240],
      [DOWN, 300],
      [UP, 360],
    ];
    const inOrder = await monitor(90);
    await report(inOrder, ...reports);
    const wanted = await runsOf(inOrder);
    expect(wanted.length).toBe(5);
    for (const order of [reports.toReversed(), [...reports.slice(3), ...reports.slice(0, 3)]]) {
      const [oneByOne, atOnce] = [await monitor(90), await monitor(90)];
      for (const one of order) await report(oneByOne, one);
      await report(atOnce, ...order);
      expect(await runsOf(oneByOne)).toEqual(wanted);
      expect(await runsOf(atOnce)).toEqual(wanted);
    }
  });

  it('accepts observed_at with any offset, from 400 days ago to 5 minutes in the future', async () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
    const monitor_id = await monitor();
    const at = (observed_at: unknown) => post([{ monitor_id, status: UP, observed_at }]);
    const accepted = [minutes(4.9), minutes(-400 * 1440 + 1), '2026-11-20T12:00:00.123456+02:00', undefined];
    for (const time of accepted) expect([time, (await at(time)).status]).toEqual([time, 200]);
    for (const [time, code] of [
      [minutes(5.1), 'out_of_range'],
      [minutes(-400 * 1440 - 1), 'out_of_range'],
      ['2026-02-30T12:00:00Z', 'invalid_format'],
      ['2026-11-20', 'invalid_format'],
      ['2026-11-20T12:00:00', 'invalid_format'],
      [1_763_640_000, 'invalid_type'],
      [null, 'invalid_type'],
    ])
      expectProblem(await at(time), 400, 'validation_failed', {
        code: String(code),
        pointer: '#/reports/0/observed_at',
      });
  });

  it('rejects a request with invalid reports and lists every error', async () => {
    const id = await monitor();
    const foreign = (await server.monitors(await server.tenant(), 1))[0];
    const elsewhere = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const ofOtherProject = (await server.monitors(elsewhere, 1))[0];
    const before = await hashesOf(server);
    const malformed = await post([
      { monitor_id: id, status: UP },
      { monitor_id: 'x', status: 'up', extra: 1 },
      { status: UP },
      null,
      { monitor_id: id, status: UP, observed_at: 'yesterday' },
    ]);
    expectProblem(
      malformed,
      400,
      'validation_failed',
      { code: 'unknown_field', pointer: '#/reports/1/extra' },
      { code: 'invalid_format', pointer: '#/reports/1/monitor_id' },
      { code: 'invalid_format', pointer: '#/reports/1/status' },
      { code: 'required', pointer: '#/reports/2/monitor_id' },
      { code: 'invalid_type', pointer: '#/reports/3' },
      { code: 'invalid_format', pointer: '#/reports/4/observed_at' },
    );
    const unknown = await post([
      { monitor_id: id, status: UP },
      { monitor_id: UNKNOWN_ID, status: UP },
      { monitor_id: foreign, status: UP },
      { monitor_id: ofOtherProject, status: UP },
    ]);
    expectProblem(
      unknown,
      400,
      'validation_failed',
      { code: 'unknown_monitor', pointer: '#/reports/1/monitor_id' },
      { code: 'unknown_monitor', pointer: '#/reports/2/monitor_id' },
      { code: 'unknown_monitor', pointer: '#/reports/3/monitor_id' },
    );
    expect(await hashesOf(server)).toEqual(before);
  });

  it('rejects a report of a monitor of another project that has reported before', async () => {
    const other = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const [theirs = ''] = await server.monitors(other, 1);
    const reports = [{ monitor_id: theirs, status: UP, observed_at: timeAt(0) }];
    const first = await server.ask('/v1/monitor-reports', {
      method: 'POST',
      key: tenant.key,
      json: { project_id: other.project_id, reports },
    });
    expect(first.status).toBe(200);
    for (const at of [-60, 0, 60]) {
      const again = await post([{ monitor_id: theirs, status: DOWN, observed_at: timeAt(at) }]);
      expectProblem(again, 400, 'validation_failed', { code: 'unknown_monitor' });
    }
    expect(await runsOf(theirs)).toEqual([[UP, 0, 0]]);
  });

  it.each([
    [[], 'too_short'],
    [{}, 'invalid_type'],
    [null, 'invalid_type'],
    ['x', 'invalid_type'],
    [Array.from({ length: 1001 }, () => ({})), 'too_long'],
  ])('rejects reports that are not a list of 1 to 1,000 (case %#)', async (reports, code) => {
    expectProblem(await post(reports), 400, 'validation_failed', { code, pointer: '#/reports' });
  });

  it('accepts 1,000 reports', async () => {
    const monitors = await server.monitors(tenant, 500);
    const reports = monitors.flatMap((monitor_id) =>
      [UP, DOWN].map((status, index) => ({ monitor_id, status, observed_at: timeAt(index) })),
    );
    const { status, body } = await post(reports);
    expect([status, body.data]).toEqual([200, { reports: 1000, changed: 1000 }]);
  });

  // At most 32 reports, so the neighbors of a late report are known (MAX_OBSERVATIONS).
  it.each([1, 2, 3])(
    'gives concurrent reports of the same monitors a sequential result (round %i)',
    async () => {
      const monitors = await Promise.all([monitor(), monitor(), monitor()]);
      const writers = Array.from({ length: 8 }, (_, writer) =>
        Array.from({ length: 4 }, (_one, step) => {
          const at = (step * 8 + writer) * 10;
          const status = (step + writer) % 3 === 0 ? DOWN : UP;
          return { status, observed_at: timeAt(at), at };
        }),
      );
      await Promise.all(
        writers.map(async (reports, writer) => {
          // Each writer has a different order, so locks in the order of the request would deadlock.
          const order = writer % 2 === 0 ? monitors : monitors.toReversed();
          for (const { status, observed_at } of reports) {
            const sent = await post(order.map((monitor_id) => ({ monitor_id, status, observed_at })));
            expect([sent.status, sent.text]).toEqual([200, sent.text]);
          }
        }),
      );
      const inOrder = await monitor();
      const all = writers.flat().toSorted((a, b) => a.at - b.at);
      await report(inOrder, ...all.map(({ status, at }): Sent => [status, at]));
      const wanted = statusesOf(await runsOf(inOrder));
      for (const id of monitors) expect(statusesOf(await runsOf(id))).toEqual(wanted);
    },
  );

  /** Returns the runs without their ends: each status and its start. */
  const statusesOf = (runs: [string, number, number][]) => runs.map(([status, first]) => [status, first]);

  it('writes no row and updates no index for an unchanged status', async () => {
    const monitors = await server.monitors(tenant, 20);
    const send = (at: number) =>
      post(monitors.map((monitor_id) => ({ monitor_id, status: UP, observed_at: timeAt(at) })));
    await send(0);
    const rows = () =>
      server.sql<{ states: number; runs: number }[]>(
        'SELECT (SELECT count(*) FROM monitor_states)::int AS states, (SELECT count(*) FROM monitor_runs)::int AS runs',
      );
    const before = await rows();
    for (let minute = 1; minute <= 5; minute++)
      expect((await send(minute * 60)).body.data).toEqual({ reports: 20, changed: 0 });
    expect(await rows()).toEqual(before);
    for (const id of monitors) expect(await runsOf(id)).toEqual([[UP, 0, 300]]);
  });
});

describe('DELETE /v1/monitors/{id} with reports', () => {
  it('deletes concurrent reports or rejects them with unknown_monitor', async () => {
    const answers = new Set<number>();
    for (let round = 0; round < 40; round++) {
      const [kept = '', doomed = ''] = await server.monitors(tenant, 2);
      const reports = [kept, doomed].map((monitor_id) => ({ monitor_id, status: UP }));
      const [deleted, posted] = await Promise.all([
        server.ask(`/v1/monitors/${doomed}`, { method: 'DELETE', key: tenant.key }),
        post(reports),
      ]);
      expect(deleted.status).toBe(204);
      answers.add(posted.status);
      if (posted.status !== 200)
        expectProblem(posted, 400, 'validation_failed', {
          code: 'unknown_monitor',
          pointer: '#/reports/1/monitor_id',
        });
      expect(await runsOf(doomed)).toEqual([]);
      expect((await runsOf(kept)).length).toBe(posted.status === 200 ? 1 : 0);
    }
    expect([...answers].every((status) => [200, 400].includes(status))).toBe(true);
  });

  it('deletes the reports of the monitor', async () => {
    const id = await monitor();
    await report(id, [UP, 0], [DOWN, 60]);
    expect((await runsOf(id)).length).toBe(2);
    await server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: tenant.key });
    expect(await runsOf(id)).toEqual([]);
  });
});

describe('PATCH /v1/monitors/{id} with stale_after_seconds', () => {
  it('runs concurrently with the first report', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = await server.monitors(tenant, 8);
      const changes = ids.map((id) =>
        server.ask(`/v1/monitors/${id}`, {
          method: 'PATCH',
          key: tenant.key,
          json: { stale_after_seconds: 60 },
        }),
      );
      const answers = await Promise.all([
        ...changes,
        post(ids.map((monitor_id) => ({ monitor_id, status: UP }))),
      ]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
  });

  it.each([
    [59, 'out_of_range'],
    [604_801, 'out_of_range'],
    ['60', 'invalid_type'],
    [60.5, 'out_of_range'],
  ])('rejects %j', async (stale_after_seconds, code) => {
    const json = { project_id: tenant.project_id, name: 'Monitor', stale_after_seconds };
    const answer = await server.ask('/v1/monitors', { method: 'POST', key: tenant.key, json });
    expectProblem(answer, 400, 'validation_failed', { code, pointer: '#/stale_after_seconds' });
  });
});
