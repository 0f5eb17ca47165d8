import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Primary } from '../../src/platform/cluster/primary.js';
import { Env } from '../../src/platform/config/env.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { MemoryCounts } from '../../src/platform/server/memory-counts.js';
import { until } from '../support/server.js';

/**
 * A pause of 1 s, and the startup of a process on a busy machine. Doubling pauses would reach 8 s in the fourth
 * round, 16 s in the fifth.
 */
const MAX_GAP_MS = 6_000;
const ROUNDS = 5;

const listening = new Set<Worker>();
const add = (worker: Worker) => listening.add(worker);
const remove = (worker: Worker) => listening.delete(worker);
let primary: Primary;

beforeEach(async () => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'plain-worker.mjs'), execArgv: [], args: [] });
  cluster.on('message', add).on('exit', remove);
  const env = Object.assign(new Env(), { WEB_CONCURRENCY: 2, PORT: 1 });
  primary = new Primary(
    env,
    createLogger('silent', 1),
    new MemoryCounts(),
    async () => async () => undefined,
  );
  await primary.start();
});
afterEach(async () => {
  await primary.stop();
  cluster.off('message', add).off('exit', remove);
});

it('new workers serve within seconds each time all workers are killed', async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const killed = [...listening];
    for (const worker of killed) worker.process.kill('SIGKILL');
    await until(async () => !killed.some((worker) => listening.has(worker)));
    const killedAt = performance.now();
    await until(async () => listening.size > 0);
    expect([round, performance.now() - killedAt < MAX_GAP_MS]).toEqual([round, true]);
  }
});
