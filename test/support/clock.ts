import { syncBuiltinESMExports } from 'node:module';
import { performance as measured } from 'node:perf_hooks';
import timersPromises, { setImmediate as nextTurn } from 'node:timers/promises';
import { Client, type ClientBase } from 'pg';

/*
 * Time that tests drive.
 *
 *     await passTime(5_000); // runs the timers that are due within the next 5 seconds, in their order
 *
 * Timers of `src/` and `packages/` run in real time, or earlier if a test lets time pass: `setTimeout`, `setInterval`,
 * `setTimeout` of `node:timers/promises`, and `AbortSignal.timeout`. `performance.now()` moves with them, so lifetimes of
 * caches end. `Date`, the database, threads, other processes, and timers of libraries are not driven.
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
  /** The line that started the timer. */
  line: string;
}

/** Shorter timers are not driven. */
const SHORTEST_MS = 15;

/** Shorter waits do not count. */
const SHORTEST_WAIT_MS = 100;

const real = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  delay: timersPromises.setTimeout,
  abortAfter: AbortSignal.timeout.bind(AbortSignal),
  now: performance.now.bind(performance),
};

/** Milliseconds that have passed in addition to real time. */
let passed = 0;

const timers = new Map<object, Timer>();
const clients = new Set<ClientBase>();
let waits: Wait[] = [];

const now = (): number => real.now() + passed;

type Above = Parameters<typeof Error.captureStackTrace>[1];

/** Returns the line of this project that calls `above`, a function of this file. Vitest's own stacks take 50 times longer. */
function findCaller(ms: number, above: Above): { line: string; isDriven: boolean } | undefined {
  if (ms < SHORTEST_MS) return undefined;
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  Error.prepareStackTrace = (_error, [site]) => `${site?.getFileName()}:${site?.getLineNumber()}`;
  const holder = { stack: '' };
  Error.captureStackTrace(holder, above);
  const line = holder.stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  if (line.includes('/node_modules/')) return undefined;
  const isDriven = /\/(src|packages\/[\w-]+\/(src|dist))\//.test(line);
  return isDriven || line.includes('/test/') ? { line, isDriven } : undefined;
}

/**
 * Returns a function that records a wait if the process was idle for half of the time until its call.
 * @param handle a timer. One that does not keep the process running belongs to work in the background.
 */
function beginWait(ms: number, line: string): (handle?: NodeJS.Timeout) => void {
  if (ms < SHORTEST_WAIT_MS) return () => undefined;
  const before = measured.eventLoopUtilization();
  return (handle) => {
    if (handle?.hasRef() === false) return;
    if (measured.eventLoopUtilization(before).idle >= ms / 2) waits.push({ ms, line });
  };
}

/** Makes `passTime` call `run`, which prevents the run by the clock. */
function drive(handle: object, ms: number, run: () => void, every?: number): void {
  timers.set(handle, { due: now() + ms, every, run });
}

const setTimer = (run: (...values: unknown[]) => void, ms = 1, ...values: unknown[]): NodeJS.Timeout => {
  const caller = findCaller(ms, setTimer);
  if (!caller) return real.setTimeout(run, ms, ...values);
  const endWait = beginWait(ms, caller.line);
  const handle = real.setTimeout(() => {
    timers.delete(handle);
    endWait(handle);
    run(...values);
  }, ms);
  if (caller.isDriven)
    drive(handle, ms, () => {
      real.clearTimeout(handle);
      run(...values);
    });
  return handle;
};

const repeat = (run: (...values: unknown[]) => void, ms = 1, ...values: unknown[]): NodeJS.Timeout => {
  const handle = real.setInterval(run, ms, ...values);
  if (findCaller(ms, repeat)?.isDriven) drive(handle, ms, () => run(...values), ms);
  return handle;
};

const clear = (handle?: NodeJS.Timeout | string | number): void => {
  if (typeof handle === 'object') timers.delete(handle);
  real.clearTimeout(handle);
};

async function delay<T>(
  ms = 1,
  value?: T,
  options: { signal?: AbortSignal; ref?: boolean } = {},
): Promise<T | undefined> {
  const caller = findCaller(ms, delay);
  if (!caller) return real.delay(ms, value, options);
  const endWait = beginWait(ms, caller.line);
  const early = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, early.signal]) : early.signal;
  if (caller.isDriven) drive(early, ms, () => early.abort());
  try {
    await real.delay(ms, undefined, { ...options, signal });
    if (options.ref !== false) endWait();
  } catch (error) {
    if (!early.signal.aborted || options.signal?.aborted) throw error;
  } finally {
    timers.delete(early);
  }
  return value;
}

function abortAfter(ms: number): AbortSignal {
  const caller = findCaller(ms, abortAfter);
  if (!caller?.isDriven) return real.abortAfter(ms);
  const controller = new AbortController();
  const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const endWait = beginWait(ms, caller.line);
  const run = () => {
    real.clearTimeout(handle);
    controller.abort(reason);
  };
  const handle: NodeJS.Timeout = real.setTimeout(() => {
    timers.delete(handle);
    endWait();
    run();
  }, ms);
  drive(handle.unref(), ms, run);
  return controller.signal;
}

/** Replaces the timers of this process, once. */
export function installClock(): void {
  if (performance.now === now) return;
  performance.now = now;
  Object.assign(globalThis, { setTimeout: setTimer, setInterval: repeat });
  Object.assign(globalThis, { clearTimeout: clear, clearInterval: clear });
  Object.assign(timersPromises, { setTimeout: delay });
  Object.assign(AbortSignal, { timeout: abortAfter });
  syncBuiltinESMExports();
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
    if (timer.every !== undefined) timer.due = end + timer.every;
    else timers.delete(handle);
    timer.run();
    await nextTurn();
  }
  passed += Math.max(0, end - now());
  await nextTurn();
}

/** Whether a statement is in flight. A database in another process works while this one is idle. */
const isQuerying = (): boolean =>
  [...clients].some((client) => Reflect.get(client, 'readyForQuery') === false);

const LOOK_MS = 10;

/** What polls the database does so once a second. Longer time-outs do not end, because at most this number of seconds pass. */
const MAX_POLLS = 3;

/**
 * Returns a function that waits some milliseconds. If the process was idle meanwhile, it lets a second pass, so that what
 * polls once a second does so now; three times at most.
 */
export function createPatience(): () => Promise<void> {
  let polls = 0;
  return async () => {
    const before = measured.eventLoopUtilization();
    await real.delay(LOOK_MS);
    const { utilization } = measured.eventLoopUtilization(before);
    if (polls >= MAX_POLLS || utilization > 0.5 || isQuerying()) return;
    polls += 1;
    await passTime(1_000);
  };
}

/** Waits for work of the service that may wait for what happens once a second. */
export async function hasten<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => (isDone = true);
  work.then(done, done);
  const wait = createPatience();
  while (!isDone) await wait();
  return work;
}

/** Returns the waits since the last call. */
export function takeWaits(): Wait[] {
  const taken = waits;
  waits = [];
  return taken;
}
