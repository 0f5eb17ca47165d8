import { describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { connectTo } from '../support/database.js';
import { type One, until } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useReports } from './use-reports.js';

const { server, tenant, timeAt, monitor, post, runsOf } = useReports();

const UP = 'operational';
const DOWN = 'major_outage';

/** Creates a monitor with a key. */
async function keyed(key: string | null, of: { key: string; project_id: string } = tenant): Promise<string> {
  const { body } = await server.ask<One<{ id: string }>>('/v1/monitors', {
    method: 'POST',
    key: of.key,
    json: { project_id: of.project_id, name: 'Monitor', key },
  });
  return body.data.id;
}

/** A connection outside of the server. */
const connect = () => {
  const { DATABASE_URL = '', DATA_DIR = '' } = server.env;
  return connectTo({ env: { DATABASE_URL, DATA_DIR, EMBEDDED: '' }, drop: async () => undefined });
};

/** Changes the key of a monitor. */
const rename = (id: string, key: string | null) =>
  server.ask(`/v1/monitors/${id}`, { method: 'PATCH', key: tenant.key, json: { key } });

describe('POST /v1/monitor-reports with monitor_key', () => {
  it('records reports of the monitor with the key', async () => {
    const id = await keyed('api');
    const other = { ...tenant, project_id: await server.project(tenant.organization_id) };
    const others = [await keyed('api', other), await keyed('api', await server.tenant())];
    const reports = [
      { monitor_key: 'api', status: UP, observed_at: timeAt(0) },
      { monitor_key: 'api', status: DOWN, observed_at: timeAt(60) },
    ];
    expect((await post(reports)).body.data).toEqual({ reports: 2, changed: 2 });
    expect(await runsOf(id)).toEqual([
      [UP, 0, 0],
      [DOWN, 60, 60],
    ]);
    for (const one of others) expect(await runsOf(one)).toEqual([]);
  });

  it('treats an ID and a key of the same monitor like the same ID twice', async () => {
    const send = async (key: string, isSecondByKey: boolean) => {
      const id = await keyed(key);
      const byKey = { monitor_key: key };
      const byId = { monitor_id: id };
      const answer = await post([
        { ...byId, status: UP, observed_at: timeAt(0) },
        { ...(isSecondByKey ? byKey : byId), status: DOWN, observed_at: timeAt(0) },
        { ...byId, status: UP, observed_at: timeAt(60) },
        { ...(isSecondByKey ? byKey : byId), status: UP, observed_at: timeAt(30) },
      ]);
      return [answer.body, await runsOf(id)];
    };
    expect(await send('mixed', true)).toEqual(await send('only-ids', false));
  });

  it('accepts 1,000 reports by key, and finds their monitors with one statement', async () => {
    const { project_id, organization_id } = tenant;
    await server.sql(
      `INSERT INTO monitors (id, organization_id, project_id, name, key)
       SELECT gen_random_uuid(), $1, $2, 'Many', 'many-' || n FROM generate_series(1, 1000) AS n`,
      [organization_id, project_id],
    );
    const reports = Array.from({ length: 1000 }, (_, index) => ({
      monitor_key: `many-${index + 1}`,
      status: DOWN,
    }));
    const statements = await statementsOf(async () => {
      expect((await post(reports)).body.data).toEqual({ reports: 1000, changed: 1000 });
    });
    expect(statements.filter((one) => /key = ANY/.test(one))).toHaveLength(1);
  });

  it('sends no further statement for reports by ID', async () => {
    const id = await monitor();
    const byId = await statementsOf(() => post([{ monitor_id: id, status: UP }]));
    expect(byId.filter((one) => /\bkey\b/.test(one))).toEqual([]);
  });

  it('rejects a request with unknown keys and IDs, and lists each of them', async () => {
    const id = await keyed('known');
    const other = { ...tenant, project_id: await server.project(tenant.organization_id) };
    await keyed('of-other-project', other);
    await keyed('foreign', await server.tenant());
    const before = await hashesOf(server);
    const answer = await post([
      { monitor_key: 'known', status: UP },
      { monitor_id: UNKNOWN_ID, status: UP },
      { monitor_key: 'of-other-project', status: UP },
      { monitor_key: 'foreign', status: UP },
      { monitor_id: id, status: UP },
      { monitor_key: 'unknown', status: UP },
    ]);
    expectProblem(
      answer,
      400,
      'validation_failed',
      { code: 'unknown_monitor', pointer: '#/reports/1/monitor_id' },
      { code: 'unknown_monitor', pointer: '#/reports/2/monitor_key' },
      { code: 'unknown_monitor', pointer: '#/reports/3/monitor_key' },
      { code: 'unknown_monitor', pointer: '#/reports/5/monitor_key' },
    );
    expect(answer.body).toMatchObject({ errors: { length: 4 } });
    expect(await hashesOf(server)).toEqual(before);
  });

  it('requires exactly one of monitor_id and monitor_key', async () => {
    const id = await keyed('either');
    const before = await hashesOf(server);
    expectProblem(
      await post([
        { monitor_id: id, monitor_key: 'either', status: UP },
        { status: UP },
        { monitor_id: null, monitor_key: 'either', status: UP },
        { monitor_key: 'Either', status: UP },
        { monitor_key: 'x'.repeat(64), status: UP },
        { monitor_key: 1, status: UP },
        { monitor_key: null, status: UP },
        { monitor_key: '', status: 'up' },
      ]),
      400,
      'validation_failed',
      { code: 'duplicate', pointer: '#/reports/0/monitor_key' },
      { code: 'required', pointer: '#/reports/1/monitor_id' },
      { code: 'invalid_type', pointer: '#/reports/2/monitor_id' },
      { code: 'duplicate', pointer: '#/reports/2/monitor_key' },
      { code: 'invalid_format', pointer: '#/reports/3/monitor_key' },
      { code: 'too_long', pointer: '#/reports/4/monitor_key' },
      { code: 'invalid_type', pointer: '#/reports/5/monitor_key' },
      { code: 'invalid_type', pointer: '#/reports/6/monitor_key' },
      { code: 'invalid_format', pointer: '#/reports/7/monitor_key' },
      { code: 'invalid_format', pointer: '#/reports/7/status' },
    );
    expect(await hashesOf(server)).toEqual(before);
  });

  it('finds a monitor whose key looks like the ID of another one', async () => {
    const other = await monitor();
    const id = await keyed(other);
    expect((await post([{ monitor_key: other, status: DOWN, observed_at: timeAt(0) }])).status).toBe(200);
    expect([await runsOf(id), await runsOf(other)]).toEqual([[[DOWN, 0, 0]], []]);
  });

  it('records nothing for a monitor that has lost its key', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await keyed('moving'), await keyed(null)];
      const reports = Array.from({ length: 5 }, (_, at) =>
        post([{ monitor_key: 'moving', status: DOWN, observed_at: timeAt(at) }]),
      );
      expect((await rename(one, null)).status).toBe(200);
      const before = await runsOf(one);
      expect((await rename(other, 'moving')).status).toBe(200);
      for (const { status } of await Promise.all(reports)) expect([200, 400]).toContain(status);
      expect(await runsOf(one)).toEqual(before);
      await rename(other, null);
    }
  });

  it('makes a change of the key wait for the reports in progress', { tags: ['postgres'] }, async () => {
    const id = await keyed('awaited');
    await post([{ monitor_key: 'awaited', status: UP, observed_at: timeAt(0) }]);
    const waiting = async (text: string) =>
      (
        await server.sql<object[]>(
          `SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
          [`%${text}%`],
        )
      ).length > 0;
    const client = await connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM monitor_states WHERE monitor_id = $1 FOR UPDATE', [id]);
      const reported = post([{ monitor_key: 'awaited', status: DOWN, observed_at: timeAt(60) }]);
      await until(() => waiting('INTO monitor_states'));
      const renamed = rename(id, null);
      await until(() => waiting('UPDATE monitors'));
      await client.query('COMMIT');
      expect([(await reported).status, (await renamed).status]).toEqual([200, 200]);
      expect(await runsOf(id)).toEqual([
        [UP, 0, 0],
        [DOWN, 60, 60],
      ]);
    } finally {
      await client.end();
    }
  });

  it('changes a key while another transaction references the monitor', { tags: ['postgres'] }, async () => {
    const id = await keyed('referenced');
    const client = await connect();
    try {
      await client.query('BEGIN');
      // like the first report of a monitor
      await client.query('SELECT FROM monitors WHERE id = $1 FOR KEY SHARE', [id]);
      expect((await rename(id, 'changed')).status).toBe(200);
    } finally {
      await client.end();
    }
  });

  it(
    'queues with updates of the monitor, so that many reports cannot delay an update',
    { tags: ['postgres'] },
    async () => {
      const id = await keyed('queued');
      const client = await connect();
      try {
        await client.query('BEGIN');
        // A report with a shared lock would not wait for this one, but overtake a waiting update.
        await client.query('SELECT FROM monitors WHERE id = $1 FOR SHARE', [id]);
        const reported = post([{ monitor_key: 'queued', status: UP }]);
        await until(async () => {
          const waiting = await server.sql<object[]>(
            `SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%key = ANY%'`,
          );
          return waiting.length > 0;
        });
        await client.query('COMMIT');
        expect((await reported).status).toBe(200);
      } finally {
        await client.end();
      }
    },
  );

  it('records or rejects reports of a monitor that is deleted concurrently', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await keyed('doomed');
      const [posted, deleted] = await Promise.all([
        post([{ monitor_key: 'doomed', status: UP }]),
        server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: tenant.key }),
      ]);
      expect(deleted.status).toBe(204);
      if (posted.status !== 200)
        expectProblem(posted, 400, 'validation_failed', {
          code: 'unknown_monitor',
          pointer: '#/reports/0/monitor_key',
        });
      expect(await runsOf(id)).toEqual([]);
    }
  });

  it('runs concurrently with updates of the monitors', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => keyed(`busy-${index}`)));
    const reports = ids.map((_, index) => ({ monitor_key: `busy-${index}`, status: UP }));
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        post(reports),
        post(reports.toReversed()),
        post(ids.map((monitor_id) => ({ monitor_id, status: DOWN }))),
        ...ids.map((id, index) =>
          server.ask(`/v1/monitors/${id}`, {
            method: 'PATCH',
            key: tenant.key,
            json: { key: `busy-${index}`, stale_after_seconds: 60 + round, description: `${round}` },
          }),
        ),
      ]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
  });
});
