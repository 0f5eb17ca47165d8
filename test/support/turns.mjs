// Preloaded into a server (NODE_OPTIONS=--import …). On SIGUSR2, it prints and resets the longest turn of the event
// loop in milliseconds. On Linux this is the CPU time of the main thread, which other processes do not affect.
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
