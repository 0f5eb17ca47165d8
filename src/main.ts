import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { loadEnvFile } from './config/env-file.js';
import { Env, findMisspelledNames } from './config/env.js';
import { setV8Flags } from './config/v8-flags.js';
import { createApp } from './create-app.js';
import { DemoService } from './demo/demo.service.js';
import { printDemo } from './demo/print-demo.js';
import { flushLog } from './logging/log-output.js';
import { LOGGER } from './logging/logging.module.js';

const DEMO_PAGES = 60;

let app: NestExpressApplication | undefined;
let stopping = false;

/** Stops the server cleanly. Before it serves there is nothing to finish. */
async function stop(): Promise<void> {
  if (stopping) return; // npm forwards a Ctrl-C that the terminal has sent to every process already
  stopping = true;
  await app?.close();
  await exit(0);
}

async function exit(code: number): Promise<never> {
  await flushLog();
  process.exit(code);
}

/**
 * Starts the server. SIGTERM or SIGINT stops it cleanly, with exit code 0, also while it starts.
 * With `--dev`, as `npm start` has it, the embedded PostgreSQL is used where DATABASE_URL is not set.
 */
async function main(): Promise<void> {
  setV8Flags();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stop().catch(failedTo('stop')));
  process.stdout.on('error', () => undefined); // a full disk or a closed pipe: the service goes on without its output
  loadEnvFile();
  if (process.argv.includes('--dev') && process.env['DATABASE_URL'] === undefined)
    process.env['EMBEDDED'] ??= 'true';
  const created = await createApp();
  app = created;
  const logger = created.get<Logger>(LOGGER);
  for (const warning of findMisspelledNames(process.env)) logger.warn(warning);
  const env = created.get(Env);
  await created.listen(env.PORT, env.HOST);
  const url = await created.getUrl();
  logger.info({ url }, `Status Pages listens on ${url} (documentation: ${url}/docs)`);
  // After listening, so that a start that fails does not make a key that nobody is shown.
  const demo = env.DEMO && env.EMBEDDED ? await created.get(DemoService).createIfNew(DEMO_PAGES) : null;
  if (demo) printDemo(demo, url);
}

/** Prints why the server could not do something, and ends with exit code 1. */
function failedTo(action: 'start' | 'stop'): (error: unknown) => Promise<void> {
  return async (error) => {
    if (stopping && action === 'start') return; // the stop cut the start short
    const message = error instanceof Error ? error.message : String(error);
    const cannotListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
    const advice = cannotListen ? ': set another HOST or PORT' : '';
    process.stderr.write(`Status Pages could not ${action}: ${message}${advice}\n`);
    await exit(1);
  };
}

main().catch(failedTo('start'));
