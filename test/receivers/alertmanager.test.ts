import type { Logger } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { hashesOf } from '../support/catalogue.js';
import { passTime } from '../support/clock.js';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { deliveryOf, useClock, useReceivers } from './use-receivers.js';

const { server, tenant, ask, monitors, keyed, runsOf, deliver } = useReceivers();
const setClock = useClock();

const UP = 'operational';
const SLOW = 'degraded_performance';
const PARTIAL = 'partial_outage';
const DOWN = 'major_outage';

const NOW = '2018-08-03T12:00:00.000Z';
const NONE = '0001-01-01T00:00:00Z';
const ALL_FIT = { ignored: 0, ignored_alerts: [] };

/** Returns a time on the day of the deliveries. */
const at = (time: string): string => `2018-08-03T${time.padEnd(12, time.length === 5 ? ':00.000' : '.000')}Z`;

const firing = (monitor_id: string | undefined, startsAt: string, labels: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'Probe', monitor_id, ...labels },
  startsAt,
  endsAt: NONE,
});
const resolved = (monitor_id: string | undefined, startsAt: string, endsAt: string, labels: object = {}) => ({
  ...firing(monitor_id, startsAt, labels),
  status: 'resolved',
  endsAt,
});

/** Delivers alerts. The delivery must be accepted. */
async function send(time: string, ...alerts: object[]) {
  setClock(time);
  const { status, text, body } = await deliver({ version: '4', alerts });
  expect([status, text]).toEqual([200, text]);
  return body.data;
}

describe('POST /v1/receivers/alertmanager', () => {
  it('follows a group of alerts from its first delivery to its last', async () => {
    const ids = await monitors(1);
    const [id] = ids;
    const replay = async (time: string, name: string) => {
      setClock(time);
      const { status, body } = await deliver(deliveryOf(name, ids));
      expect(status).toBe(200);
      return body.data;
    };
    expect(await replay(at('07:52:56'), '1-firing')).toEqual({
      reports: 2,
      changed: 1,
      skipped: 0,
      ...ALL_FIT,
    });
    expect(await runsOf(id)).toEqual([[DOWN, '2018-08-03T07:52:26.739Z', at('07:52:56')]]);

    expect((await replay(at('08:00:30'), '2-second-fires')).changed).toBe(0);
    expect(await runsOf(id)).toEqual([[DOWN, '2018-08-03T07:52:26.739Z', at('08:00:30')]]);

    expect((await replay(at('08:12'), '3-first-resolved')).changed).toBe(1);
    const afterFirst = [DOWN, '2018-08-03T07:52:26.739Z', at('08:00:30')];
    expect(await runsOf(id)).toEqual([afterFirst, [SLOW, '2018-08-03T08:10:00.500Z', at('08:12')]]);

    // The remaining alert began while the monitor was worse, so that period is unchanged.
    expect((await replay(at('08:30'), '4-repeated')).changed).toBe(0);
    expect(await runsOf(id)).toEqual([afterFirst, [SLOW, '2018-08-03T08:10:00.500Z', at('08:30')]]);

    expect((await replay(at('08:41'), '5-resolved')).changed).toBe(1);
    expect(await runsOf(id)).toEqual([
      afterFirst,
      [SLOW, '2018-08-03T08:10:00.500Z', at('08:30')],
      [UP, '2018-08-03T08:40:15.000Z', at('08:41')],
    ]);
  });

  it('reads a group with several monitors and skips alerts without the label', async () => {
    const ids = await monitors(2);
    setClock(at('07:31'));
    const { body } = await deliver(deliveryOf('by-alertname', ids));
    expect(body.data).toEqual({ reports: 5, changed: 3, skipped: 1, ...ALL_FIT });
    expect(await runsOf(ids[0])).toEqual([[DOWN, at('07:00'), at('07:31')]]);
    expect(await runsOf(ids[1])).toEqual([
      [DOWN, at('07:15'), at('07:15')],
      [UP, at('07:20'), at('07:31')],
    ]);
  });

  it('only confirms the status for a repeated delivery', async () => {
    const [id] = await monitors(1);
    const alert = firing(id, at('07:00'));
    expect(await send(at('07:01'), alert)).toMatchObject({ changed: 1 });
    expect(await send(at('11:01'), alert)).toMatchObject({ changed: 0 });
    expect(await runsOf(id)).toEqual([[DOWN, at('07:00'), at('11:01')]]);
    const before = await hashesOf(server);
    expect(await send(at('11:01'), alert)).toMatchObject({ changed: 0 });
    expect(await hashesOf(server)).toEqual(before);
  });

  it('keeps a monitor from becoming stale while an alert fires', async () => {
    const json = { project_id: tenant.project_id, name: 'Monitor', stale_after_seconds: 3600 };
    const { body } = await server.ask('/v1/monitors', { method: 'POST', key: tenant.key, json });
    const { id } = body.data;
    const alert = firing(id, at('07:00'));
    for (const time of ['07:01', '08:00', '09:00', '10:00']) await send(at(time), alert);
    expect(await runsOf(id)).toEqual([[DOWN, at('07:00'), at('10:00')]]);
  });

  it('ends an alert whose repetition arrived after its end', async () => {
    const [id] = await monitors(1);
    await send(at('07:01'), firing(id, at('07:00')));
    await send(at('11:01'), firing(id, at('07:00')));
    // Prometheus saw the end before the repetition, Alertmanager after it.
    await send(at('11:06'), resolved(id, at('07:00'), at('11:00:59')));
    expect((await runsOf(id)).at(-1)).toEqual([UP, at('11:06'), at('11:06')]);
  });

  it.each([[false], [true]])(
    'reports the worst of the firing alerts in any order: reversed %s',
    async (reversed) => {
      const [id] = await monitors(1);
      const alerts = [
        firing(id, at('07:00'), { status: SLOW }),
        resolved(id, at('07:10'), at('07:20'), { status: DOWN }),
        firing(id, at('07:15'), { status: PARTIAL }),
      ];
      await send(at('07:30'), ...(reversed ? alerts.toReversed() : alerts));
      expect(await runsOf(id)).toEqual([
        [SLOW, at('07:00'), at('07:00')],
        [DOWN, at('07:10'), at('07:10')],
        [PARTIAL, at('07:20'), at('07:30')],
      ]);
    },
  );

  it('reports the monitor operational between two alerts', async () => {
    const [id] = await monitors(1);
    await send(at('09:05'), resolved(id, at('07:00'), at('08:00')), firing(id, at('09:00')));
    expect(await runsOf(id)).toEqual([
      [DOWN, at('07:00'), at('07:00')],
      [UP, at('08:00'), at('08:00')],
      [DOWN, at('09:00'), at('09:05')],
    ]);
  });

  it('uses the label and status parameters unless an alert has a status', async () => {
    const ids = await monitors(3);
    setClock(NOW);
    const alerts = [
      { ...firing(undefined, at('11:00'), { page: ids[0]?.toUpperCase() }) },
      { ...firing(undefined, at('11:00'), { page: ids[1], status: SLOW }) },
      { ...firing(undefined, at('11:00'), { page: ids[2], status: '503' }) },
      { ...firing(ids[0], at('11:00'), { page: '' }) },
    ];
    const { body } = await deliver({ alerts }, { label: 'page', status: PARTIAL });
    expect(body.data).toEqual({ reports: 6, changed: 3, skipped: 1, ...ALL_FIT });
    const found = await Promise.all(ids.map(async (id) => (await runsOf(id))[0]?.[0]));
    expect(found).toEqual([PARTIAL, SLOW, PARTIAL]);
  });

  it('moves times out of range to the nearest valid time, so deliveries do not fail forever', async () => {
    const ids = await monitors(4);
    const floor = new Date(new Date(NOW).getTime() - 400 * 86_400_000).toISOString();
    const result = await send(
      NOW,
      firing(ids[0], '2016-01-01T00:00:00Z'),
      firing(ids[1], '2018-08-03T12:00:03+00:00'),
      resolved(ids[2], '2015-01-01T00:00:00Z', '2016-01-01T00:00:00Z'),
      resolved(ids[3], NONE, NONE),
    );
    expect(result.skipped).toBe(0);
    expect(await runsOf(ids[0])).toEqual([[DOWN, floor, NOW]]);
    expect(await runsOf(ids[1])).toEqual([[DOWN, NOW, NOW]]);
    expect(await runsOf(ids[2])).toEqual([[UP, floor, NOW]]);
    expect(await runsOf(ids[3])).toEqual([[UP, NOW, NOW]]);
    expect(await send(at('12:10'), firing(ids[0], '2016-01-01T00:00:00Z'))).toMatchObject({ changed: 0 });
  });

  it('returns 200 for a delivery without alerts of a monitor', async () => {
    expect((await deliver({ version: '4', alerts: [] })).body.data).toEqual({
      reports: 0,
      changed: 0,
      skipped: 0,
      ...ALL_FIT,
    });
    expect(await send(NOW, firing(undefined, 'x'))).toEqual({
      reports: 0,
      changed: 0,
      skipped: 1,
      ...ALL_FIT,
    });
  });

  /** Creates monitors that the project does not have: in another organization, and in another project. */
  async function elsewhere(key: string): Promise<string[]> {
    const project_id = await server.project(tenant.organization_id);
    return [await keyed(key, await server.tenant()), await keyed(key, { ...tenant, project_id })];
  }

  it('finds monitors by the label monitor_key', async () => {
    const [id] = [await keyed('checkout'), await keyed('checkout-2')];
    await elsewhere('checkout');
    const alert = firing(undefined, at('11:00'), { monitor_key: 'checkout', status: PARTIAL });
    expect(await send(NOW, alert)).toEqual({ reports: 2, changed: 1, skipped: 0, ...ALL_FIT });
    expect(await runsOf(id)).toEqual([[PARTIAL, at('11:00'), NOW]]);
  });

  it('merges alerts that name a monitor by ID and by key', async () => {
    const id = await keyed('merged');
    const result = await send(
      at('07:30'),
      firing(id, at('07:00'), { status: SLOW }),
      resolved(undefined, at('07:10'), at('07:20'), { status: DOWN, monitor_key: 'merged' }),
    );
    expect(result).toMatchObject({ reports: 4, changed: 3 });
    expect(await runsOf(id)).toEqual([
      [SLOW, at('07:00'), at('07:00')],
      [DOWN, at('07:10'), at('07:10')],
      [SLOW, at('07:20'), at('07:30')],
    ]);
  });

  it('uses the key_label parameter, and prefers the label with the ID', async () => {
    const [one, other] = [await keyed('shop'), await keyed('search')];
    setClock(NOW);
    const alerts = [
      firing(undefined, at('11:00'), { job: 'shop', monitor_key: 'search' }),
      firing(other, at('11:00'), { job: 'shop', status: SLOW }),
      firing('', at('11:00'), { job: '' }),
    ];
    const { body } = await deliver({ alerts }, { key_label: 'job' });
    expect(body.data).toEqual({ reports: 4, changed: 2, skipped: 1, ...ALL_FIT });
    expect([await runsOf(one), await runsOf(other)]).toEqual([
      [[DOWN, at('11:00'), NOW]],
      [[SLOW, at('11:00'), NOW]],
    ]);
  });

  it('ignores alerts of unknown monitors, records the others, and lists the ignored ones', async () => {
    const id = await keyed('recorded');
    const [foreign, ofOtherProject] = await elsewhere('of-others');
    const unknown = [UNKNOWN_ID, foreign, ofOtherProject, 'no-uuid'];
    const alerts = [
      firing(undefined, NOW),
      ...unknown.map((one) => firing(one, NOW)),
      firing(undefined, NOW, { monitor_key: 'recorded' }),
      firing(undefined, NOW, { monitor_key: 'of-others' }),
      firing(undefined, NOW, { monitor_key: 'No Key' }),
    ];
    const detail = 'is not a monitor of the project';
    const notFound = (index: number, label: string) => ({
      code: 'unknown_monitor',
      detail,
      pointer: `#/alerts/${index}/labels/${label}`,
    });
    expect(await send(NOW, ...alerts)).toEqual({
      reports: 1,
      changed: 1,
      skipped: 1,
      ignored: 6,
      ignored_alerts: [
        notFound(1, 'monitor_id'),
        notFound(2, 'monitor_id'),
        notFound(3, 'monitor_id'),
        {
          code: 'invalid_format',
          detail: 'must be the ID of a monitor',
          pointer: '#/alerts/4/labels/monitor_id',
        },
        notFound(6, 'monitor_key'),
        {
          code: 'invalid_format',
          detail: 'must be the key of a monitor',
          pointer: '#/alerts/7/labels/monitor_key',
        },
      ],
    });
    expect(await runsOf(id)).toEqual([[DOWN, NOW, NOW]]);
    for (const other of [foreign, ofOtherProject]) expect(await runsOf(other)).toEqual([]);
  });

  it('lists at most 100 ignored alerts', async () => {
    const [id] = await monitors(1);
    const label = 'x'.repeat(100);
    setClock(NOW);
    const alerts = Array.from({ length: 299 }, () => firing(undefined, NOW, { [label]: UNKNOWN_ID }));
    const { status, body } = await deliver(
      { alerts: [...alerts, firing(undefined, NOW, { [label]: id })] },
      { label },
    );
    expect([status, body.data.ignored, body.data.ignored_alerts?.length]).toEqual([200, 299, 100]);
    expect(await runsOf(id)).toHaveLength(1);
  });

  it('rejects a delivery if no alert with a label fits a monitor, and lists each of them', async () => {
    const [foreign, ofOtherProject] = await elsewhere('without-fit');
    const before = await hashesOf(server);
    setClock(NOW);
    const alerts = [
      firing(undefined, NOW),
      ...[UNKNOWN_ID, foreign, ofOtherProject, 'x'].map((one) => firing(one, NOW)),
      firing(undefined, NOW, { monitor_key: 'without-fit' }),
    ];
    expectProblem(
      await deliver({ version: '4', alerts }),
      400,
      'validation_failed',
      ...[1, 2, 3].map((index) => ({
        code: 'unknown_monitor',
        pointer: `#/alerts/${index}/labels/monitor_id`,
      })),
      { code: 'invalid_format', pointer: '#/alerts/4/labels/monitor_id' },
      { code: 'unknown_monitor', pointer: '#/alerts/5/labels/monitor_key' },
    );
    expect(await hashesOf(server)).toEqual(before);
  });

  it('logs an ignored alert once an hour, with the number of those since, and at most ten lines of a project', async () => {
    const warn = vi.spyOn(server.app.get<Logger>(LOGGER), 'warn').mockReturnValue();
    setClock(NOW);
    const [id] = await monitors(1);
    await passTime(3_600_000); // ends the hour of the preceding tests
    const ignore = async (...keys: string[]) => {
      const alerts = keys.map((monitor_key) => firing(undefined, NOW, { monitor_key }));
      await deliver({ alerts: [firing(id, NOW), ...alerts] });
    };
    const linesOf = () => {
      const lines = warn.mock.calls.flatMap(([fields]) =>
        fields instanceof Object && 'ignored' in fields ? [fields] : [],
      );
      warn.mockClear();
      return lines.map(({ ignored }) => ignored);
    };
    linesOf();
    for (let repeat = 0; repeat < 5; repeat++) await ignore('gone-1', 'gone-2');
    expect(linesOf()).toEqual([2]);
    await ignore('gone-1', 'gone-3');
    expect(linesOf()).toEqual([10]);
    await passTime(3_600_000);
    await ignore('gone-1');
    expect(linesOf()).toEqual([1]);
    for (let index = 0; index < 20; index++) await ignore(`other-${index}`);
    expect(linesOf()).toHaveLength(9);
  });

  it('replays the ignored alerts for an Idempotency-Key', async () => {
    await keyed('replay');
    setClock(NOW);
    const path = `/alertmanager?project_id=${tenant.project_id}`;
    const alerts = ['replay', 'gone'].map((monitor_key) => firing(undefined, NOW, { monitor_key }));
    const post = () => ask('POST', path, { alerts }, { 'Idempotency-Key': 'ignored-alerts' });
    const [first, second] = [await post(), await post()];
    expect(first.body.data).toMatchObject({ reports: 1, ignored: 1 });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  it('rejects a delivery in another format and lists every error', async () => {
    const [id] = await monitors(1);
    setClock(NOW);
    const alerts = [
      null,
      'x',
      [],
      {},
      { labels: [] },
      { labels: { monitor_id: 5 } },
      firing(undefined, NOW, { monitor_key: { toString: 5 } }),
      { status: 'pending', labels: { monitor_id: id }, startsAt: 'yesterday', endsAt: 7 },
      { status: true, labels: { monitor_id: id }, endsAt: '2018-02-30T00:00:00Z' },
      firing(id, NOW),
    ];
    expectProblem(
      await deliver({ version: '4', alerts }),
      400,
      'validation_failed',
      ...[0, 1, 2].map((index) => ({ code: 'invalid_type', pointer: `#/alerts/${index}` })),
      { code: 'required', pointer: '#/alerts/3/labels' },
      { code: 'invalid_type', pointer: '#/alerts/4/labels' },
      { code: 'invalid_type', pointer: '#/alerts/5/labels/monitor_id' },
      { code: 'required', pointer: '#/alerts/5/status' },
      { code: 'required', pointer: '#/alerts/5/startsAt' },
      { code: 'invalid_type', pointer: '#/alerts/6/labels/monitor_key' },
      { code: 'invalid_format', pointer: '#/alerts/7/status' },
      { code: 'invalid_format', pointer: '#/alerts/7/startsAt' },
      { code: 'invalid_type', pointer: '#/alerts/7/endsAt' },
      { code: 'invalid_type', pointer: '#/alerts/8/status' },
      { code: 'required', pointer: '#/alerts/8/startsAt' },
      { code: 'invalid_format', pointer: '#/alerts/8/endsAt' },
    );
    expect(await runsOf(id)).toEqual([]);
  });

  it.each([
    [{}, 'required'],
    [{ alerts: null }, 'invalid_type'],
    [{ alerts: {} }, 'invalid_type'],
    [{ alerts: Array.from({ length: 1001 }, () => ({})) }, 'too_long'],
  ])('rejects alerts that are not a list of at most 1,000 (case %#)', async (payload, code) => {
    expectProblem(await deliver(payload), 400, 'validation_failed', { code, pointer: '#/alerts' });
  });

  it('lists at most 1,000 errors', async () => {
    const alerts = Array.from({ length: 1000 }, () => ({ labels: { monitor_id: '' }, status: 1 }));
    expect((await deliver({ alerts })).body.data.skipped).toBe(1000);
    for (const alert of [{ labels: { monitor_id: 'x' } }, firing('x', NOW)]) {
      const bad = Array.from({ length: 1000 }, () => alert);
      expect((await deliver({ alerts: bad })).body.errors).toHaveLength(1000);
    }
  });

  it('accepts 1,000 alerts', async () => {
    const ids = await monitors(500);
    const alerts = ids.flatMap((id) => [
      resolved(id, at('07:00'), at('07:10')),
      firing(id, at('07:30'), { status: PARTIAL }),
    ]);
    expect(await send(at('08:00'), ...alerts)).toEqual({
      reports: 2000,
      changed: 1500,
      skipped: 0,
      ...ALL_FIT,
    });
  });

  it('rejects invalid parameters', async () => {
    const [id] = await monitors(1);
    const payload = { alerts: [firing(id, NOW)] };
    for (const [query, code, parameter] of [
      [{ label: 'a-b' }, 'invalid_format', 'label'],
      [{ label: '' }, 'invalid_format', 'label'],
      [{ label: 'x'.repeat(101) }, 'invalid_format', 'label'],
      [{ key_label: 'a-b' }, 'invalid_format', 'key_label'],
      [{ status: 'up' }, 'invalid_format', 'status'],
      [{ severity: 'x' }, 'unknown_parameter', 'severity'],
    ] as const)
      expectProblem(await deliver(payload, query), 400, 'validation_failed', { code, parameter });
  });

  it('ignores labels in the object prototype, such as constructor', async () => {
    const [id] = await monitors(1);
    for (const label of ['constructor', '__proto__', 'toString'])
      for (const key_label of ['monitor_key', label])
        expect((await deliver({ alerts: [firing(id, NOW)] }, { label, key_label })).body.data.skipped).toBe(
          1,
        );
  });

  it('returns specific errors for large and malformed bodies and accepts deep ones', async () => {
    const path = `/alertmanager?project_id=${tenant.project_id}`;
    const headers = { 'Content-Type': 'application/json' };
    const post = (body: string) =>
      server.ask(`/v1/receivers${path}`, { method: 'POST', key: tenant.key, body, headers });
    expectProblem(await post(JSON.stringify({ x: 'x'.repeat(256 * 1024) })), 413, 'payload_too_large');
    expectProblem(await post('{"alerts":['), 400, 'malformed_json');
    expectProblem(await post('[]'), 400, 'malformed_json');
    expectProblem(await ask('POST', path), 400, 'malformed_json');
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect((await post(`{"alerts":[],"x":${deep}}`)).status).toBe(200);
    expect((await post(`{"alerts":[{"labels":{},"annotations":${deep}}]}`)).status).toBe(200);
  });

  it('gives concurrent deliveries the same result as one', async () => {
    const ids = await monitors(3);
    setClock(NOW);
    const alerts = ids.map((id) => firing(id, at('11:00'), { status: PARTIAL }));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => deliver({ alerts: turn % 2 ? alerts : alerts.toReversed() })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const id of ids) expect(await runsOf(id)).toEqual([[PARTIAL, at('11:00'), NOW]]);
  });
});
