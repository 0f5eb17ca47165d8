import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { primaryLink } from './platform/cluster/primary-link.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { type Env, findMisspelledNames, loadEnv } from './platform/config/env.js';
import { flushLog } from './platform/logging/log-output.js';
import { createLogger } from './platform/logging/logger.js';

/** Another signal counts after this time: npm forwards a Ctrl-C that the terminal has already sent to each process. */
const NEXT_SIGNAL_MS = 1_000;

/** What this process runs. */
interface Program {
  start(): Promise<void>;
  stop(): Promise<void>;
  skipDelay(): void;
}

let program: Program | undefined;
let logger: Logger | undefined;
let stoppedAt: number | undefined;

/** Stops the program after the running requests. A later signal ends DRAIN_DELAY. */
async function stop(signal?: string): Promise<void> {
  if (stoppedAt !== undefined) {
    if (performance.now() - stoppedAt >= NEXT_SIGNAL_MS) program?.skipDelay();
    return;
  }
  stoppedAt = performance.now();
  if (cluster.isPrimary) logger?.info({ signal }, 'stopping after the running requests');
  await program?.stop();
  await exit(0);
}

async function exit(code: number): Promise<never> {
  await flushLog();
  process.exit(code);
}

/** Without its primary, a worker gets no connections: it finishes the running requests, without DRAIN_DELAY. */
function stopWithPrimary(): void {
  cluster.worker?.once('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true; // Node.js would exit at once
    const stopped = stoppedAt === undefined ? stop() : Promise.resolve();
    program?.skipDelay();
    stopped.catch(failedTo('stop'));
  });
}

/** A server, or the primary of WEB_CONCURRENCY workers, each of which is a server. Imports only what the process runs. */
async function createProgram(env: Env, log: Logger): Promise<Program> {
  if (cluster.isPrimary && env.WEB_CONCURRENCY > 1) {
    const { Primary } = await import('./platform/cluster/primary.js');
    const { MemoryCounts } = await import('./platform/server/memory-counts.js');
    const { openClusterAdmin } = await import('./platform/admin/cluster-admin.js');
    return new Primary(env, log, new MemoryCounts(), (url) => openClusterAdmin(env, log, url));
  }
  const { ServerProcess } = await import('./server-process.js');
  return new ServerProcess();
}

/**
 * Starts the server. SIGTERM and SIGINT stop it with exit code 0, also during the start.
 * With `--dev` (`npm start`), it uses the embedded PostgreSQL unless DATABASE_URL is set.
 */
async function main(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stop(signal).catch(failedTo('stop')));
  stopWithPrimary();
  process.stdout.on('error', () => undefined); // keep serving on a full disk or a closed pipe
  loadEnvFile();
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  if (process.argv.includes('--dev') && DATABASE_URL === undefined && DATABASE_URL_FILE === undefined)
    process.env['EMBEDDED'] ??= 'true';
  const env = loadEnv(process.env);
  logger = createLogger(env.LOG_LEVEL, 1);
  program = await createProgram(env, logger);
  if (stoppedAt !== undefined) return;
  if (cluster.isPrimary) for (const warning of findMisspelledNames(process.env)) logger.warn(warning);
  await program.start();
}

/** Closes at once, without DRAIN_DELAY, what a start that failed has left, such as the database after a port in use. */
async function closeAfterFailure(): Promise<void> {
  try {
    program?.skipDelay();
    await program?.stop();
  } catch {
    // The reason of the failed start is printed; another error would hide it.
  }
}

/** Returns a handler that prints the error and exits with code 1. The primary prints the errors of its workers. */
function failedTo(action: 'start' | 'stop'): (error: unknown) => Promise<void> {
  return async (error) => {
    if (stoppedAt !== undefined && action === 'start') return; // stopped during the start
    const reason = reasonOf(error);
    if (cluster.isWorker) await primaryLink.send({ kind: 'failed', action, reason });
    else process.stderr.write(`Status Pages could not ${action}: ${reason}\n`);
    if (action === 'start') await closeAfterFailure();
    await exit(1);
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A worker binds through the primary.
  const cannotListen = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind');
  return cannotListen ? `${error.message}: set another HOST or PORT` : error.message;
}

main().catch(failedTo('start'));
