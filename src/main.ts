import cluster from 'node:cluster';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { primaryLink } from './platform/cluster/primary-link.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { PROJECT_DIR } from './platform/config/project-files.js';
import { type Env, EnvError, findMisspelledNames, loadEnv } from './platform/config/env.js';
import { flushLog } from './platform/logging/log-output.js';
import { createLogger } from './platform/logging/logger.js';

/** Signals within this time count as one, because npm forwards a Ctrl-C that the terminal has already sent to each process. */
const NEXT_SIGNAL_MS = 1_000;

/** Whether `npm start` runs this process, or the primary of this worker. */
const isDevelopment = process.argv.includes('--dev');

/** Whether `npm run start:worker` runs this process, which only delivers events. */
const isDelivering = process.argv.includes('--worker');

/** Role of this process. */
interface Program {
  start(): Promise<void>;
  stop(): Promise<void>;
  skipDelay(): void;
}

let program: Program | undefined;
let logger: Logger | undefined;
let stoppedAt: number | undefined;

/** Stops the process after the in-flight requests. A later signal ends DRAIN_DELAY. */
async function stop(signal?: string): Promise<void> {
  if (stoppedAt !== undefined) {
    if (performance.now() - stoppedAt >= NEXT_SIGNAL_MS) program?.skipDelay();
    return;
  }
  stoppedAt = performance.now();
  if (cluster.isPrimary) logger?.info({ signal }, 'shutting down; finishing in-flight requests');
  await program?.stop();
  if (cluster.isPrimary) logger?.info('shutdown complete');
  await exit(0);
}

async function exit(code: number): Promise<never> {
  await flushLog();
  process.exit(code);
}

/**
 * Stops a worker whose primary has exited. Without the primary, the worker gets no connections, so it finishes the in-flight
 * requests without DRAIN_DELAY.
 */
function stopWithPrimary(): void {
  cluster.worker?.once('disconnect', () => {
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true; // Node.js would exit immediately
    const stopped = stoppedAt === undefined ? stop() : Promise.resolve();
    program?.skipDelay();
    stopped.catch(failedTo('stop'));
  });
}

/**
 * Creates a server, or the primary of WEB_CONCURRENCY workers, each of which is a server. Imports only the code of this role.
 */
async function createProgram(env: Env, log: Logger): Promise<Program> {
  if (isDelivering) {
    const { DeliveryProcess } = await import('./delivery-process.js');
    return new DeliveryProcess();
  }
  if (cluster.isPrimary && env.WEB_CONCURRENCY > 1) {
    const { Primary } = await import('./platform/cluster/primary.js');
    const { MemoryCounts } = await import('./platform/server/memory-counts.js');
    const { ClusterAdmin } = await import('./platform/admin/cluster-admin.js');
    const admin = new ClusterAdmin(env, log, await savedDomains(env));
    return new Primary(
      env,
      log,
      new MemoryCounts(),
      (url) => admin.open(url),
      (changes) => admin.changeDomains(changes),
    );
  }
  const { ServerProcess } = await import('./server-process.js');
  return new ServerProcess(isDevelopment);
}

/** Returns the domains that an earlier process has saved, for a startup while the database is unavailable. */
async function savedDomains(env: Env): Promise<string[]> {
  if (env.ADMIN_PORT === undefined) return [];
  const { DomainFile } = await import('./domains/domain-file.js');
  const file = new DomainFile({ ...env, DATA_DIR: resolve(PROJECT_DIR, env.DATA_DIR) });
  return (await file.read()).names();
}

/**
 * Starts the server. SIGTERM and SIGINT stop it with exit code 0, including during startup. With `--dev` (`npm start`), it uses
 * the embedded PostgreSQL unless DATABASE_URL is set.
 */
async function main(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stop(signal).catch(failedTo('stop')));
  stopWithPrimary();
  process.stdout.on('error', () => undefined); // continue to serve if the disk is full or a pipe is closed
  loadEnvFile();
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  if (isDevelopment && DATABASE_URL === undefined && DATABASE_URL_FILE === undefined)
    process.env['EMBEDDED'] ??= 'true';
  if (isDelivering) setDeliveryProcess(process.env);
  const { DATA_DIR = './data', SMTP_URL, SMTP_URL_FILE } = process.env;
  if (isDevelopment && !SMTP_URL && !SMTP_URL_FILE) process.env['MAIL_DIR'] ??= join(DATA_DIR, 'mail');
  const env = loadEnv(process.env);
  logger = createLogger(env.LOG_LEVEL, 1);
  program = await createProgram(env, logger);
  if (stoppedAt !== undefined) return;
  if (cluster.isPrimary) for (const warning of findMisspelledNames(process.env)) logger.warn(warning);
  await program.start();
}

/**
 * Sets the variables of a process that only delivers.
 * @throws EnvError if it would use the embedded PostgreSQL
 */
function setDeliveryProcess(env: NodeJS.ProcessEnv): void {
  const isEmbedded = env['EMBEDDED'] !== undefined && env['EMBEDDED'] !== 'false' && env['EMBEDDED'] !== '';
  if (isEmbedded || (!env['DATABASE_URL'] && !env['DATABASE_URL_FILE']))
    throw new EnvError(
      'npm run start:worker requires DATABASE_URL. The embedded PostgreSQL supports only one process, which delivers events itself',
    );
  Object.assign(env, { DELIVERY: 'on', WEB_CONCURRENCY: '1' });
}

/** After a failed startup, closes what is open (the database, if the port is in use), without DRAIN_DELAY. */
async function closeAfterFailure(): Promise<void> {
  try {
    program?.skipDelay();
    await program?.stop();
  } catch {
    // The reason for the failed startup is printed; another error would hide it.
  }
}

/** Returns a handler that prints the error and exits with code 1. The primary prints the errors of its workers. */
function failedTo(action: 'start' | 'stop'): (error: unknown) => Promise<void> {
  return async (error) => {
    if (stoppedAt !== undefined && action === 'start') return; // stopped during startup
    const reason = reasonOf(error);
    if (cluster.isWorker) await primaryLink.send({ kind: 'failed', action, reason });
    else process.stderr.write(`Status Pages could not ${action}: ${reason}\n`);
    if (action === 'start') await closeAfterFailure();
    await exit(1);
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // In a worker, the syscall of the primary's error is `bind`.
  const cannotListen = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind');
  return cannotListen ? `${error.message}. Set another HOST or PORT` : error.message;
}

main().catch(failedTo('start'));
