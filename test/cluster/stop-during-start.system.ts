import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Primary } from '../../src/platform/cluster/primary.js';
import { Env } from '../../src/platform/config/env.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { MemoryCounts } from '../../src/platform/server/memory-counts.js';

it('a shutdown during the startup of the first worker starts no others', async () => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'late-worker.mjs'), execArgv: [] });
  const workers: Worker[] = [];
  const remember = (worker: Worker) => workers.push(worker);
  cluster.on('fork', remember);
  const env = Object.assign(new Env(), { WEB_CONCURRENCY: 3 });
  const primary = new Primary(
    env,
    createLogger('silent', 1),
    new MemoryCounts(),
    async () => async () => undefined,
  );
  const started = primary.start().catch(() => undefined);
  await once(cluster, 'message'); // it can be stopped
  const stopped = primary.stop();
  await started;
  cluster.off('fork', remember);
  for (const worker of workers.slice(1)) worker.process.kill('SIGKILL');
  await stopped;
  expect(workers).toHaveLength(1);
});
