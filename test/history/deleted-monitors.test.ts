import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { connectTo, onPostgres } from '../support/database.js';
import { expectProblem } from '../support/expectations.js';
import { until } from '../support/server.js';
import { useVisits } from '../public-page/use-visits.js';

const { server, tenant, monitor, pageOf, visit } = useVisits();

let clients: Client[] = [];
afterEach(async () => {
  for (const client of clients) await client.end();
  clients = [];
});

/** Opens a transaction outside the server that locks a row against deletion, update and references. */
async function lock(table: 'monitors' | 'status_pages', id: string): Promise<Client> {
  const { DATABASE_URL = '', DATA_DIR = '' } = server.env;
  const client = await connectTo({
    env: { DATABASE_URL, DATA_DIR, EMBEDDED: '' },
    drop: async () => undefined,
  });
  clients.push(client);
  await client.query('BEGIN');
  await client.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
  return client;
}

/**
 * Waits until statements of the server wait for locks. In the embedded database, transactions run one after the other.
 */
async function untilBlocked(count: number): Promise<void> {
  if (!onPostgres) return;
  await until(async () => {
    const [row] = await server.sql<{ blocked: number }[]>(
      `SELECT count(*)::int AS blocked FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.blocked === count;
  });
}

/** Waits until a statement of the server waits for the transaction of a client. */
async function untilBlockedBy(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await until(async () => {
    const waiting = await server.sql<unknown[]>(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
      [rows[0]?.pid],
    );
    return waiting.length > 0;
  });
}

describe('GET requests during the deletion of a monitor without reports', () => {
  it('return its page and summary with 200 and its days with 404', async () => {
    const [doomed, other] = [await monitor(), await monitor()];
    const { id, slug } = await pageOf([doomed, other]);
    const { key } = tenant;
    // The deletion locks the monitor, then waits for the page.
    const client = await lock('status_pages', id);
    const deletion = server.ask(`/v1/monitors/${doomed}`, { method: 'DELETE', key });
    await untilBlocked(1);
    const [summary, days, page] = [
      server.ask(`/v1/status-pages/${id}/summary`, { key }),
      server.ask(`/v1/monitors/${doomed}/days`, { key }),
      visit(slug),
    ];
    await untilBlocked(4);
    await client.query('COMMIT');
    expect((await deletion).status).toBe(204);
    expectProblem(await days, 404, 'not_found');
    expect(await summary).toMatchObject({
      status: 200,
      body: { data: { sections: [{ monitors: [{ monitor_id: other }] }] } },
    });
    expect((await page).status).toBe(200);
    expect((await page).text).not.toContain(doomed);
  });
});

describe('POST /v1/monitor-reports', { tags: ['postgres'] }, () => {
  it('returns 400 unknown_monitor during deletions of its monitors, even when replayed', async () => {
    const ids = await server.monitors(tenant, 3);
    const transactions = [];
    for (const id of ids) transactions.push({ id, client: await lock('monitors', id) });
    const post = () =>
      server.ask('/v1/monitor-reports', {
        method: 'POST',
        key: tenant.key,
        headers: { 'Idempotency-Key': 'vanishing' },
        json: {
          project_id: tenant.project_id,
          reports: ids.map((monitor_id) => ({ monitor_id, status: 'operational' })),
        },
      });
    const posted = post();
    for (const { id, client } of transactions) {
      await untilBlockedBy(client);
      await client.query('DELETE FROM monitors WHERE id = $1', [id]);
      await client.query('COMMIT');
    }
    const unknown = ids.map((_, index) => ({
      code: 'unknown_monitor',
      pointer: `#/reports/${index}/monitor_id`,
    }));
    for (const answer of [await posted, await post()]) {
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors).toMatchObject(unknown);
    }
  });
});
