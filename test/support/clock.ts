import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout as realDelay } from 'node:timers/promises';
import { Client } from 'pg';

/*
 * Time that tests drive.
 *
 *     await passTime(5_000); // runs the timers that are due within the next 5 seconds, in their order
 *
 * Timers of `src/` and `packages/` run in real time, or earlier if a test lets time pass: `setTimeout`, `setInterval`,
 * `setTimeout` of `node:timers/promises`, and `AbortSignal.timeout`. `driven-timers.ts` gives these files their timers.
 * `performance.now()` moves with them, so lifetimes of caches end. `Date`, the database, threads, other
 * processes, and timers of libraries are not driven.
 */

/** A timer of `src/` or `packages/` that has not run yet. */
interface Timer {
  due: number;
  /** Milliseconds between two runs; undefined: it runs once. */
  every: number | undefined;
  run: () => void;
}

/** A timer for which a test has waited in real time. */
export interface Wait {
  ms: number;
  /** The file that started the timer. */
  file: string;
}

/** Shorter waits do not count. */
const SHORTEST_WAIT_MS = 100;

const realNow = performance.now.bind(performance);

/** Milliseconds that have passed in addition to real time. */
let passed = 0;

const timers = new Map<object, Timer>();
const clients = new Set<Client>();
let waits: Wait[] = [];

const now = (): number => realNow() + passed;

/**
 * Returns a function that records a wait if the process was idle for half of the time until its call.
 * @param handle a timer. One that does not keep the process running belongs to work in the background.
 */
function beginWait(ms: number, file: string): (handle?: NodeJS.Timeout) => void {
  if (ms < SHORTEST_WAIT_MS) return () => undefined;
  const before = performance.eventLoopUtilization();
  return (handle) => {
    if (handle?.hasRef() === false) return;
    if (performance.eventLoopUtilization(before).idle >= ms / 2) waits.push({ ms, file });
  };
}

type Run = (...values: unknown[]) => void;

/**
 * Returns the timers for a file.
 * @param isDriven whether `passTime` runs them early. The waits of all count.
 */
export function timersOf(file: string, isDriven: boolean) {
  const drive = (handle: object, ms: number, run: () => void, every?: number): void => {
    if (isDriven) timers.set(handle, { due: now() + ms, every, run });
  };
  const startOnce = (run: () => void, ms: number): NodeJS.Timeout => {
    const endWait = beginWait(ms, file);
    const handle = setTimeout(() => {
      timers.delete(handle);
      endWait(handle);
      run();
    }, ms);
    drive(handle, ms, () => {
      clearTimeout(handle);
      run();
    });
    return handle;
  };
  const clear = (handle?: NodeJS.Timeout): void => {
    if (handle) timers.delete(handle);
    clearTimeout(handle);
  };
  return {
    setTimeout: (run: Run, ms = 1, ...values: unknown[]) => startOnce(() => run(...values), ms),
    setInterval: (run: Run, ms = 1, ...values: unknown[]): NodeJS.Timeout => {
      const handle = setInterval(run, ms, ...values);
      drive(handle, ms, () => run(...values), ms);
      return handle;
    },
    clearTimeout: clear,
    clearInterval: clear,
    abortAfter: (ms: number): AbortSignal => {
      const controller = new AbortController();
      const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
      startOnce(() => controller.abort(reason), ms).unref();
      return controller.signal;
    },
    promises: {
      setImmediate,
      setTimeout: async (
        ms = 1,
        value?: unknown,
        { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {},
      ): Promise<unknown> => {
        const endWait = beginWait(ms, file);
        const early = new AbortController();
        const either = signal ? AbortSignal.any([signal, early.signal]) : early.signal;
        drive(early, ms, () => early.abort());
        try {
          await realDelay(ms, undefined, { signal: either, ref });
          if (ref) endWait();
        } catch (error) {
          if (!early.signal.aborted || signal?.aborted) throw error;
        } finally {
          timers.delete(early);
        }
        return value;
      },
    },
  };
}

/** Makes `performance.now()` move with driven time, and observes the connections of `pg`. Does so once. */
export function installClock(): void {
  if (performance.now === now) return;
  performance.now = now;
  Client.prototype.connect = new Proxy(Client.prototype.connect, {
    apply(connect, client: Client, parameters) {
      clients.add(client);
      client.once('end', () => clients.delete(client));
      return Reflect.apply(connect, client, parameters);
    },
  });
}

/**
 * Lets time pass. Runs the timers of the service that become due, each interval once, and lets what they start begin.
 * @param ms milliseconds
 */
export async function passTime(ms: number): Promise<void> {
  const end = now() + ms;
  const ran = new Set<Timer>();
  for (;;) {
    const due = [...timers].filter(([, timer]) => timer.due <= end && !ran.has(timer));
    const [next] = due.toSorted(([, a], [, b]) => a.due - b.due);
    if (!next) break;
    const [handle, timer] = next;
    passed += Math.max(0, timer.due - now());
    ran.add(timer);
    if (timer.every === undefined) timers.delete(handle);
    else timer.due = end + timer.every;
    timer.run();
    await setImmediate();
  }
  passed += Math.max(0, end - now());
  await setImmediate();
}

/** Whether a statement is in flight. A database in another process works while this one is idle. */
const isQuerying = (): boolean =>
  [...clients].some((client) => Reflect.get(client, 'readyForQuery') === false);

const LOOK_MS = 10;

/** The service polls once a second. Longer time-outs do not end, because this number of seconds passes at first. */
const MAX_POLLS = 3;

/** Maximum number of seconds that pass while a test waits. None outside of `npm test`. */
let maxPolls = 0;

/** Determines whether time passes while the tests of a file wait. Tests of processes wait for real time. */
export function driveWaits(isDriven: boolean): void {
  maxPolls = isDriven ? MAX_POLLS : 0;
}

/** On a busy machine, the process looks idle while other processes run. So after the polls, a second passes this often. */
const LATE_POLL_MS = 300;

/**
 * Returns a function that waits some milliseconds. If the process was idle in this time, it lets a second pass, so that what
 * happens once a second happens now: three times, and once in each further 300 ms.
 */
export function createPatience(max_polls = maxPolls): () => Promise<void> {
  let polls = 0;
  let latest = 0;
  return async () => {
    const before = performance.eventLoopUtilization();
    await realDelay(LOOK_MS);
    const { utilization } = performance.eventLoopUtilization(before);
    if (max_polls === 0 || utilization > 0.5 || isQuerying()) return;
    if (polls >= max_polls && realNow() - latest < LATE_POLL_MS) return;
    polls += 1;
    latest = realNow();
    await passTime(1_000);
  };
}

/** Waits for work of the service that may wait for what happens once a second. */
export async function hasten<T>(work: Promise<T>, max_polls = maxPolls): Promise<T> {
  const end = new AbortController();
  void Promise.allSettled([work]).then(() => end.abort());
  const wait = createPatience(max_polls);
  while (!end.signal.aborted) await wait();
  return work;
}

/** Returns the waits since the last call. */
export function takeWaits(): Wait[] {
  const taken = waits;
  waits = [];
  return taken;
}
