import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

// For `node --import`: WORKER_FAULTS contains the faults of workers by their number, such as {"2":"cannot start"}.
const fault = JSON.parse(process.env.WORKER_FAULTS)[cluster.worker?.id];
if (fault === 'cannot start') process.exit(3);
if (fault === 'is killed') process.kill(process.pid, 'SIGKILL');
if (fault === 'refuses to start')
  process.send({ kind: 'failed', action: 'start', reason: 'the worker refuses' }, () => process.exit(1));
if (fault === 'cannot stop') process.on('exit', () => (process.exitCode = 7));
if (fault?.startsWith('/')) while (!existsSync(fault)) await delay(50); // starts when the file exists
