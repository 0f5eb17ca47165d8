import cluster, { type Worker } from 'node:cluster';
import type { FromPrimary } from './messages.js';

/** How a worker has ended, as the log says it. */
export interface WorkerEnd {
  worker_pid: number | undefined;
  code: number | null;
  signal: string | null;
  reason: string | undefined;
}

/** A worker has died before it listened, without a reason of its own such as an invalid configuration. */
export class EarlyEnd extends Error {
  constructor(end: WorkerEnd) {
    super(`a worker ended with ${statusOf(end)} before it listened`);
  }
}

/** Creates the process of a worker. @throws Error if the system cannot create it; the worker can also emit such an error */
export function forkProcess(port: number): Worker {
  try {
    return cluster.fork({ PORT: port });
  } catch (error) {
    throw cannotFork(error);
  }
}

/** The error for a process that the system does not create. */
export function cannotFork(error: unknown): Error {
  return new Error(`the system cannot create a process: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  });
}

/** The signal that ended a worker, or its exit code. */
export function statusOf({ code, signal }: WorkerEnd): string {
  return signal ?? `exit code ${code}`;
}

/** Sends a message. A worker that is gone, or goes, does not get it. */
export function send(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.process.send?.(message, undefined, {}, () => undefined);
}
