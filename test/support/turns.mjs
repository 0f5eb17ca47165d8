// Preloaded into a server (NODE_OPTIONS=--import …): prints the longest turn of its event loop, in milliseconds, and forgets it,
// at SIGUSR2. On Linux it is the processor time of the main thread, which other processes do not prolong.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const FILE = '/proc/self/schedstat';

function now() {
  try {
    return Number(readFileSync(FILE, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

if (isMainThread) {
  let longest = 0;
  let last = now();
  const turn = () => {
    const time = now();
    longest = Math.max(longest, time - last);
    last = time;
    setImmediate(turn).unref();
  };
  turn();
  process.on('SIGUSR2', () => {
    process.stdout.write(`longest turn: ${longest.toFixed(1)} ms\n`);
    longest = 0;
  });
}
