import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { environment, Program, stop } from '../support/process.js';
import { until } from '../support/server.js';
import { V8_FLAGS } from '../support/v8-flags.js';
import { useCluster } from './support/cluster.js';
import { jump, SHIFTED_CLOCK, startWorker } from './support/sending-pair.js';

const cluster = useCluster();
let target: Server | undefined;
afterEach(async () => {
  await Program.killAll();
  target?.closeAllConnections();
  target?.close();
});

const CHECKS = 300;
/** Time in which the checks become due. Less than half of the interval, after which the second runs begin. */
const DUE_SECONDS = 10;
/** Time of a response, so that runs are in flight when a process is killed. */
const RESPONSE_MS = 300;
const OUTAGE_MS = 2_000;

/** A check of each of many monitors, whose first runs are due within ten seconds after `begin`, and a target that counts its requests. */
async function watch() {
  const requests = new Map<string, number>();
  target = createServer(({ url = '' }, response) => {
    requests.set(url, (requests.get(url) ?? 0) + 1);
    setTimeout(() => response.end('ok'), RESPONSE_MS);
  });
  await once(target.listen(0, '127.0.0.1'), 'listening');
  const address = target.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { current } = cluster;
  const env = { ...(await current.database()), CHECK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const sql = async <Row extends object>(statement: string) => current.sql<Row>(statement, env.DATABASE_URL);
  const count = async (from: string): Promise<number> => {
    const [row] = await sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`);
    return row?.count ?? 0;
  };
  await sql(`
    INSERT INTO monitors (id, organization_id, project_id, name)
    SELECT gen_random_uuid(), organization_id, id, 'Watched ' || number
      FROM projects, generate_series(1, ${CHECKS}) AS number
     WHERE id = '${current.seed.project}'`);
  await sql(`
    INSERT INTO checks (id, organization_id, project_id, monitor_id, type, target, interval_seconds)
    SELECT gen_random_uuid(), organization_id, project_id, id, 'http', 'http://127.0.0.1:${port}/' || id, 30
      FROM monitors
     WHERE name LIKE 'Watched %'`);
  return {
    env,
    requests,
    begin: () =>
      sql(`
        INSERT INTO check_states (organization_id, check_id, due_at)
        SELECT organization_id, id, clock_timestamp() + random() * interval '${DUE_SECONDS} seconds'
          FROM checks WHERE interval_seconds = 30`),
    statesWith: (condition: string) => count(`check_states WHERE due_at IS NOT NULL AND ${condition}`),
    /** Number of recorded runs without a report, and of reports without a recorded run, in one snapshot. */
    differences: () =>
      count(`checks
               JOIN check_states ON check_id = checks.id
               LEFT JOIN monitor_states AS state ON state.monitor_id = checks.monitor_id AND state.status = 'operational'
              WHERE interval_seconds = 30 AND (checked_at IS NULL) <> (state.monitor_id IS NULL)`),
    /** Number of monitors with a report. */
    reported: () =>
      count(`monitor_states JOIN monitors ON monitors.id = monitor_id
              WHERE name LIKE 'Watched %' AND status = 'operational'`),
  };
}

describe('checks', () => {
  it('run once in their interval in two processes, also if one is killed', async () => {
    const { env, requests, begin, statesWith, differences } = await watch();
    const [killed, left] = await Promise.all([startWorker(env), startWorker(env)]);
    await begin();
    await until(async () => requests.size > CHECKS / 3);
    killed.kill('SIGKILL');
    await killed.exit();
    await until(async () => (await statesWith('token = 0')) === 0);
    await until(async () => (await statesWith('checked_at IS NOT NULL')) > CHECKS / 2);
    expect([...requests.values()].filter((times) => times > 1)).toEqual([]);
    expect(await differences()).toBe(0);
    await stop(left);
  });

  it('record each run once through outages of PostgreSQL, while the clock of the process jumps', async () => {
    const { env, requests, begin, statesWith, reported } = await watch();
    const CLOCK_FILE = join(await mkdtemp(join(tmpdir(), 'status-pages-clock-')), 'clock');
    const worker = await startWorker({ ...env, CLOCK_FILE, NODE_OPTIONS: SHIFTED_CLOCK });
    await begin();
    for (const [index, seconds] of [3_600, -3_600].entries()) {
      await until(async () => requests.size > ((index + 1) * CHECKS) / 4);
      await cluster.current.stopAtOnce();
      await jump({ signal: (name) => worker.kill(name) }, CLOCK_FILE, seconds);
      await delay(OUTAGE_MS);
      await cluster.current.start();
    }
    await until(async () => (await statesWith('token = 0')) === 0);
    // All runs but those whose claim was committed when PostgreSQL stopped, without a response.
    await until(async () => (await statesWith('checked_at IS NOT NULL')) === requests.size);
    expect(requests.size).toBeGreaterThan(CHECKS * 0.9);
    expect([...requests.values()].filter((times) => times > 1)).toEqual([]);
    expect(await reported()).toBe(requests.size);
    await stop(worker);
  });

  it('record no failure without a network, and log it once', { tags: ['mount'] }, async () => {
    const { env, requests, begin, statesWith, reported } = await watch();
    const url = cluster.current.socketUrlOf(new URL(env.DATABASE_URL).pathname.slice(1));
    const without = environment({ ...env, DATABASE_URL: url, CHECK_CANARIES: '192.0.2.1:443' });
    // A new network namespace, which needs the same right as a mount, has no interfaces. PostgreSQL is reachable through its socket.
    const parameters = ['--net', process.execPath, ...V8_FLAGS, 'dist/src/main.js', '--worker'];
    const worker = new Program(spawn('unshare', parameters, { env: without }));
    await worker.prints(/"msg":"Status Pages delivers events"/);
    await begin();
    await until(async () => (await statesWith('token = 0')) === 0);
    await worker.prints(/their results are not recorded/);
    await stop(worker);
    expect([requests.size, await reported(), await statesWith('failed_runs > 0')]).toEqual([0, 0, 0]);
    expect(worker.stdout.match(/their results are not recorded/g)).toHaveLength(1);
  });
});
