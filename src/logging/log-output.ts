import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import sonicBoom from 'sonic-boom';

const MAX_BUFFERED_BYTES = 1024 * 1024;
const MAX_FLUSH_MS = 1_000;

type SonicBoom = InstanceType<typeof sonicBoom.SonicBoom>;

let output: SonicBoom | undefined;
let logger: Logger | undefined;
let dropped = 0;

/**
 * Standard output for the log of the server. It never holds up the service: a reader that stalls or a full disk fills a
 * buffer of 1 MiB. Lines that do not fit are dropped, and counted in a line that follows when there is space again.
 */
export function logOutput(): SonicBoom {
  if (output) return output;
  // Opening it makes a pipe non-blocking. Otherwise a write to a full pipe blocks a thread, for which the exit waits.
  const { fd } = process.stdout;
  output = new sonicBoom.SonicBoom({ fd, sync: false, maxLength: MAX_BUFFERED_BYTES });
  output.on('drop', () => (dropped += 1));
  output.on('error', () => undefined); // the lines stay in the buffer until a later write succeeds
  output.on('drain', () => {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    logger?.warn({ dropped: count }, 'log lines were dropped: the output is too slow or cannot be written');
  });
  return output;
}

/** Says where the number of dropped lines is logged. */
export function reportDroppedLinesTo(reporter: Logger): void {
  logger = reporter;
}

/** Waits, for at most a second, until the log is written. Nothing can be logged after it. */
export async function flushLog(): Promise<void> {
  const open = output;
  if (!open) return;
  const closed = new Promise((resolve) => open.once('close', resolve));
  open.end();
  await Promise.race([closed, delay(MAX_FLUSH_MS)]);
}
