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

/** Settings with which the system creates no process, as without free memory or process ids. */
const IMPOSSIBLE: [string, ClusterSettings, RegExp][] = [
  ['emits', { cwd: '/nowhere' }, /^the system cannot create a process: spawn .* ENOENT$/],
  ['throws', { args: ['x'.repeat(1_000_000)] }, /^the system cannot create a process: spawn E2BIG$/],
];

let lines: string[] = [];
/** Those of this test: workers of others can still be in `cluster.workers`. */
let workers: Worker[] = [];
let primary: Primary;

/** Without those that have no process: their channel is still open for a moment. */
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
  'an error that node:cluster %s if there can be no process',
  (_how, settings, reason) => {
    it('fails the start with a reason', async () => {
      cluster.setupPrimary(settings);
      await expect(primary.start()).rejects.toThrow(reason);
      await primary.stop();
      expect(lines).toEqual([]);
    });

    it('is logged later, and the primary tries again', async () => {
      await primary.start();
      cluster.setupPrimary(settings);
      workers[0]?.process.kill('SIGKILL');
      await until(async () => lines.length === 3); // the end of the worker, and two tries
      for (const line of lines.slice(1)) {
        const logged: { reason: string; msg: string } = JSON.parse(line);
        expect(logged.reason).toMatch(reason);
        expect(logged.msg).toBe('a new worker could not start: the primary tries again');
      }
      expect(countWorkers()).toBe(1);
      cluster.setupPrimary(POSSIBLE);
      await until(async () => countWorkers() === 2);
      await primary.stop();
      expect([countWorkers(), lines.length]).toEqual([0, 3]);
    });
  },
);
