import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { loadEnvFile } from './config/env-file.js';
import { Env, findMisspelledNames } from './config/env.js';
import { PublicUrl } from './config/public-url.js';
import { createApp } from './create-app.js';
import { DemoService } from './demo/demo.service.js';
import { printDemo } from './demo/print-demo.js';
import { flushLog } from './logging/log-output.js';
import { LOGGER } from './logging/logging.module.js';
import { createOrStandBy, type Standby } from './standby.js';

const DEMO_PAGES = 60;

let app: NestExpressApplication | undefined;
let standby: Standby | undefined;
let stopping = false;

/** Stops the server after the running requests. */
async function stop(): Promise<void> {
  if (stopping) return; // npm forwards a Ctrl-C that the terminal has already sent to each process
  stopping = true;
  await standby?.close();
  await app?.close();
  await exit(0);
}

async function exit(code: number): Promise<never> {
  await flushLog();
  process.exit(code);
}

/**
 * Starts the server. SIGTERM and SIGINT stop it with exit code 0, also during the start.
 * With `--dev` (`npm start`), it uses the embedded PostgreSQL unless DATABASE_URL is set.
 */
async function main(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stop().catch(failedTo('stop')));
  process.stdout.on('error', () => undefined); // keep serving on a full disk or a closed pipe
  loadEnvFile();
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env;
  if (process.argv.includes('--dev') && DATABASE_URL === undefined && DATABASE_URL_FILE === undefined)
    process.env['EMBEDDED'] ??= 'true';
  const { app: created, port } = await createOrStandBy(createApp, (found) => (standby = found));
  app = created;
  const logger = created.get<Logger>(LOGGER);
  for (const warning of findMisspelledNames(process.env)) logger.warn(warning);
  const env = created.get(Env);
  await created.listen(port, env.HOST);
  const url = await created.getUrl();
  logger.info({ url }, `Status Pages listens on ${url} (documentation: ${url}/docs)`);
  // After listening: a failed start must not create a key that is never printed.
  const demo = env.DEMO && env.EMBEDDED ? await created.get(DemoService).createIfEmpty(DEMO_PAGES) : null;
  if (demo) printDemo(demo, url, created.get(PublicUrl).value);
}

/** Closes the database after a start that failed, such as on a port in use. */
async function closeAfterFailure(): Promise<void> {
  try {
    await app?.close();
  } catch {
    // The reason of the failed start is printed; another error would hide it.
  }
}

/** Returns a handler that prints the error and exits with code 1. */
function failedTo(action: 'start' | 'stop'): (error: unknown) => Promise<void> {
  return async (error) => {
    if (stopping && action === 'start') return; // stopped during the start
    const message = error instanceof Error ? error.message : String(error);
    const cannotListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
    const advice = cannotListen ? ': set another HOST or PORT' : '';
    process.stderr.write(`Status Pages could not ${action}: ${message}${advice}\n`);
    if (action === 'start') await closeAfterFailure();
    await exit(1);
  };
}

main().catch(failedTo('start'));
