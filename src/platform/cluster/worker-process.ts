import cluster, { type Worker } from 'node:cluster';
import type { FromPrimary } from './messages.js';

/** Exit of a worker, as logged. */
export interface WorkerEnd {
  worker_pid: number | undefined;
  code: number | null;
  signal: string | null;
  reason: string | undefined;
}

/** Thrown if a worker has died before it listened, without a reason of its own such as an invalid configuration. */
export class EarlyEnd extends Error {
  constructor(end: WorkerEnd) {
    super(`worker exited before it could accept connections (${statusOf(end)})`);
  }
}

/** Creates a worker process. @throws Error if the system cannot create it; the worker can also emit such an error */
export function forkProcess(port: number): Worker {
  try {
    return cluster.fork({ PORT: port });
  } catch (error) {
    throw cannotFork(error);
  }
}

/** Returns the error for a process that the system cannot create. */
export function cannotFork(error: unknown): Error {
  return new Error(`could not create a worker process: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  });
}

/** Returns the signal that ended a worker, or its exit code. */
export function statusOf({ code, signal }: WorkerEnd): string {
  return signal ?? `exit code ${code}`;
}

/** Sends a message. Does nothing if the worker has exited or is exiting. */
export function send(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.process.send?.(message, undefined, {}, () => undefined);
}
