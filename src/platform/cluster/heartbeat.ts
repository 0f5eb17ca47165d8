import type { Worker } from 'node:cluster';
import type { FromWorker } from './messages.js';
import { send } from './worker-process.js';

const INTERVAL_MS = 1_000;
/** Rounds without a reply. Rounds, not time: after a pause of the whole machine, workers can still reply. */
const MAX_MISSED = 15;

/**
 * Sends a ping each second to a worker that has answered one. After 15 without a reply (it is stopped, or in an endless loop)
 * calls `onSilent`, again each second. An event loop that is busy for less than that is left alone.
 */
export function watchHeartbeat(worker: Worker, onSilent: () => void): void {
  let missed = -Infinity; // until the first reply: a start takes its time
  const timer = setInterval(() => {
    if (!worker.isConnected()) return;
    if (missed >= MAX_MISSED) onSilent();
    missed += 1;
    send(worker, { kind: 'ping' });
  }, INTERVAL_MS).unref();
  worker.on('message', ({ kind }: Partial<FromWorker>) => {
    if (kind === 'pong') missed = 0;
  });
  worker.once('exit', () => clearInterval(timer));
  worker.once('error', () => clearInterval(timer));
}
