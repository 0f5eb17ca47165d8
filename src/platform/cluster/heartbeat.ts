import type { Worker } from 'node:cluster';
import type { FromWorker } from './messages.js';
import { send } from './worker-process.js';

const INTERVAL_MS = 1_000;
/**
 * Maximum number of rounds without a reply. Rounds instead of time, because workers can still reply after a pause of the whole
 * machine.
 */
const MAX_MISSED = 15;

/**
 * Sends a ping each second to a worker that listens or has replied to one. After 15 pings without a reply (the worker is suspended, or in
 * an endless loop), calls `onSilent`, and again each second. Ignores an event loop that is busy for a shorter time.
 */
export function watchHeartbeat(worker: Worker, onSilent: () => void): void {
  let missed = -Infinity; // until its first message, because startup takes time
  const timer = setInterval(() => {
    if (!worker.isConnected()) return;
    if (missed >= MAX_MISSED) onSilent();
    missed += 1;
    send(worker, { kind: 'ping' });
  }, INTERVAL_MS).unref();
  worker.on('message', ({ kind }: Partial<FromWorker>) => {
    // A worker that is suspended within a second after its startup has replied to no ping.
    if (kind === 'pong' || kind === 'listening') missed = 0;
  });
  worker.once('exit', () => clearInterval(timer));
  worker.once('error', () => clearInterval(timer));
}
