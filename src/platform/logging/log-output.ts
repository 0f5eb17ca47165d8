import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { DestinationStream, Logger } from 'pino';
import sonicBoom from 'sonic-boom';

const MAX_BUFFERED_BYTES = 1024 * 1024;
const MAX_FLUSH_MS = 1_000;
/**
 * Maximum number of bytes that a pipe writes atomically (PIPE_BUF of Linux), so that lines of several workers are not mixed.
 */
const ATOMIC_BYTES = 4_096;
/**
 * Maximum time for which lines wait for others, or until they have BLOCK_BYTES. Each write wakes a thread. With a write in each
 * iteration of the event loop, a request takes 3 to 8 % more CPU time (docs/decisions/logging.md).
 */
const BLOCK_MS = 10;
const BLOCK_BYTES = 16_000;

type SonicBoom = InstanceType<typeof sonicBoom.SonicBoom>;

let output: SonicBoom | undefined;
let isFlushed = false;
let timer: NodeJS.Timeout | undefined;
/** Number of bytes in the buffer. */
let unwritten = 0;
let logger: Logger | undefined;
let dropped = 0;
let droppedInAll = 0;

/**
 * Returns standard output for the server's log. It never blocks the service. While the reader stalls or the disk is full, lines
 * fill a buffer of 1 MiB. Drops further lines, and logs their number when there is space again.
 */
export function logOutput(): DestinationStream {
  const open = (output ??= openOutput());
  return {
    write: (line) => {
      if (isFlushed) return;
      unwritten += Buffer.byteLength(line);
      open.write(line);
      writeSoon();
    },
  };
}

function writeSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    if (!isFlushed) output?.flush();
  }, BLOCK_MS);
}

function openOutput(): SonicBoom {
  // Opening makes a pipe non-blocking. A write to a full pipe would block a thread, and the process exit would wait for it.
  const { fd } = process.stdout;
  const opened = new sonicBoom.SonicBoom({
    fd,
    sync: false,
    minLength: cluster.isWorker ? ATOMIC_BYTES / 2 : BLOCK_BYTES,
    maxLength: MAX_BUFFERED_BYTES,
    ...(cluster.isWorker && { maxWrite: ATOMIC_BYTES }),
  });
  opened.on('error', () => undefined); // the buffer remains; the next line retries
  opened.on('write', (bytes) => (unwritten -= bytes));
  opened.on('drop', (line) => {
    unwritten -= Buffer.byteLength(line);
    dropped += 1;
    droppedInAll += 1;
    opened.flush(); // sonic-boom does not write a full buffer by itself
  });
  opened.on('drain', () => {
    if (unwritten > 0) writeSoon(); // sonic-boom ignores a flush during a write
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    logger?.warn({ dropped: count }, 'dropped log lines: the output is too slow or not writable');
  });
  return opened;
}

/** Returns the number of lines that the process has dropped so far. */
export function droppedLines(): number {
  return droppedInAll;
}

/** Sets the logger that reports the number of dropped lines. */
export function reportDroppedLinesTo(reporter: Logger): void {
  logger = reporter;
}

/** Writes the buffered log lines, within a second. Drops later lines. */
export async function flushLog(): Promise<void> {
  const open = output;
  if (!open) return;
  const closed = new Promise((resolve) => open.once('close', resolve));
  isFlushed = true;
  open.end();
  await Promise.race([closed, delay(MAX_FLUSH_MS)]);
}
