import { setTimeout as delay } from 'node:timers/promises';
import type { DestinationStream, Logger } from 'pino';
import sonicBoom from 'sonic-boom';

const MAX_BUFFERED_BYTES = 1024 * 1024;
const MAX_FLUSH_MS = 1_000;

type SonicBoom = InstanceType<typeof sonicBoom.SonicBoom>;

let output: SonicBoom | undefined;
let isFlushed = false;
let logger: Logger | undefined;
let dropped = 0;

/**
 * Standard output for the log of the server. It never holds up the service: a reader that stalls or a full disk fills a
 * buffer of 1 MiB. Lines that do not fit are dropped, and counted in a line that follows when there is space again.
 */
export function logOutput(): DestinationStream {
  const open = (output ??= openOutput());
  return { write: (line) => void (isFlushed || open.write(line)) };
}

function openOutput(): SonicBoom {
  // Opening it makes a pipe non-blocking. Otherwise a write to a full pipe blocks a thread, for which the exit waits.
  const { fd } = process.stdout;
  const opened = new sonicBoom.SonicBoom({ fd, sync: false, minLength: 1, maxLength: MAX_BUFFERED_BYTES });
  opened.on('error', () => undefined); // what is in the buffer stays there, and the next line tries again
  opened.on('drop', () => {
    dropped += 1;
    opened.flush(); // a full buffer is not written by itself
  });
  opened.on('drain', () => {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    logger?.warn({ dropped: count }, 'dropped log lines: the output is too slow or not writable');
  });
  return opened;
}

/** Says where the number of dropped lines is logged. */
export function reportDroppedLinesTo(reporter: Logger): void {
  logger = reporter;
}

/** Waits, for at most a second, until the log is written. Lines that come after it are dropped. */
export async function flushLog(): Promise<void> {
  const open = output;
  if (!open) return;
  const closed = new Promise((resolve) => open.once('close', resolve));
  isFlushed = true;
  open.end();
  await Promise.race([closed, delay(MAX_FLUSH_MS)]);
}
