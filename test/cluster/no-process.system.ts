import cluster, { type ClusterSettings, type Worker } from 'node:cluster';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Primary } from '../../src/platform/cluster/primary.js';
import { Env } from '../../src/platform/config/env.js';
import { MemoryCounts } from '../../src/platform/server/memory-counts.js';
import { until } from '../support/server.js';

const POSSIBLE: ClusterSettings = {
  exec: join(import.meta.dirname, 'plain-worker.mjs'),
  execArgv: [],
  args: [],
  cwd: import.meta.dirname,
};

/** Settings with which the system creates no process, as without free memory or process IDs. */
const IMPOSSIBLE: [string, ClusterSettings, RegExp][] = [
  ['emits', { cwd: '/nowhere' }, /^could not create a worker process: spawn .* ENOENT$/],
  ['throws', { args: ['x'.repeat(1_000_000)] }, /^could not create a worker process: spawn E2BIG$/],
];

let lines: string[] = [];
/** The workers of this test. Workers of other tests can still be in `cluster.workers`. */
let workers: Worker[] = [];
let primary: Primary;

/** Without workers that have no process. Their channel stays open for a moment. */
function countWorkers(): number {
  return workers.filter((worker) => worker.process.pid !== undefined && worker.isConnected()).length;
}

const remember = (worker: Worker) => workers.push(worker);

beforeEach(() => {
  const own: string[] = [];
  lines = own;
  workers = [];
  cluster.on('fork', remember);
  cluster.setupPrimary(POSSIBLE);
  const log = pino({ base: null, level: 'error' }, { write: (line) => own.push(line) });
  const env = Object.assign(new Env(), { WEB_CONCURRENCY: 2, PORT: 1 });
  primary = new Primary(env, log, new MemoryCounts(), async () => async () => undefined);
});
afterEach(async () => {
  cluster.setupPrimary(POSSIBLE);
  await primary.stop();
  cluster.off('fork', remember);
});

describe.each(IMPOSSIBLE)(
  'error that node:cluster %s if no process can be created',
  (_how, settings, reason) => {
    it('fails the startup with a reason', async () => {
      cluster.setupPrimary(settings);
      await expect(primary.start()).rejects.toThrow(reason);
      await primary.stop();
      expect(lines).toEqual([]);
    });

    it('appears in the log after the startup, and the primary retries', async () => {
      await primary.start();
      cluster.setupPrimary(settings);
      workers[0]?.process.kill('SIGKILL');
      await until(async () => lines.length === 3); // the exit of the worker, and two retries
      for (const line of lines.slice(1)) {
        const logged: { reason: string; msg: string } = JSON.parse(line);
        expect(logged.reason).toMatch(reason);
        expect(logged.msg).toBe('worker could not start; retrying');
      }
      expect(countWorkers()).toBe(1);
      cluster.setupPrimary(POSSIBLE);
      await until(async () => countWorkers() === 2);
      await primary.stop();
      expect([countWorkers(), lines.length]).toEqual([0, 3]);
    });
  },
);
