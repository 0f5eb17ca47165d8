import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { Program, stop } from '../support/process.js';
import { until } from '../support/server.js';
import { useCluster } from './support/cluster.js';

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

describe('checks', () => {
  it('run once in their interval in two processes, also if one is killed', async () => {
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
    const sql = async <Row extends object>(statement: string) =>
      current.sql<Row>(statement, env.DATABASE_URL);
    const { project } = current.seed;
    await sql(`
      INSERT INTO monitors (id, organization_id, project_id, name)
      SELECT gen_random_uuid(), organization_id, id, 'Watched ' || number
        FROM projects, generate_series(1, ${CHECKS}) AS number
       WHERE id = '${project}'`);
    await sql(`
      INSERT INTO checks (id, organization_id, project_id, monitor_id, type, target, interval_seconds)
      SELECT gen_random_uuid(), organization_id, project_id, id, 'http', 'http://127.0.0.1:${port}/' || id, 30
        FROM monitors
       WHERE name LIKE 'Watched %'`);
    const workers = [startWorker(env), startWorker(env)] as const;
    const [killed, left] = await Promise.all(workers);
    await sql(`
      INSERT INTO check_states (organization_id, check_id, due_at)
      SELECT organization_id, id, clock_timestamp() + random() * interval '${DUE_SECONDS} seconds'
        FROM checks WHERE interval_seconds = 30`);
    await until(async () => requests.size > CHECKS / 3);
    killed.kill('SIGKILL');
    await killed.exit();
    const count = async (condition: string): Promise<number> => {
      const [row] = await sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM check_states WHERE due_at IS NOT NULL AND ${condition}`,
      );
      return row?.count ?? 0;
    };
    await until(async () => (await count('token = 0')) === 0);
    await until(async () => (await count('checked_at IS NOT NULL')) > CHECKS / 2);
    expect([...requests.values()].filter((times) => times > 1)).toEqual([]);
    const [{ observed = 0 } = {}] = await sql<{ observed: number }>(
      `SELECT count(*)::int AS observed 
         FROM monitor_states JOIN monitors ON monitors.id = monitor_id
        WHERE name LIKE 'Watched %' AND status = 'operational'`,
    );
    // Each recorded run is a report, and each report belongs to a recorded run.
    expect(observed).toBe(await count('checked_at IS NOT NULL'));
    await stop(left);
  });
});

/** Starts a process that only delivers and runs checks, like `npm run start:worker`. */
async function startWorker(env: NodeJS.ProcessEnv): Promise<Program> {
  const worker = Program.run('main.js', ['--worker'], env);
  await worker.prints(/"msg":"Status Pages delivers events"/);
  return worker;
}
