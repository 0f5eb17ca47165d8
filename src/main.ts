import { Env } from './config/env.js';
import { createApp } from './configure-app.js';
import { DemoService } from './demo/demo.service.js';
import { printDemo } from './demo/print-demo.js';

const DEMO_PAGES = 60;

/** Starts the server; SIGTERM or SIGINT stops it cleanly, with exit code 0. */
async function main(): Promise<void> {
  const app = await createApp();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void app.close().then(() => process.exit(0)));
  }
  const env = app.get(Env);
  await app.listen(env.PORT, env.HOST);
  const url = await app.getUrl();
  process.stdout.write(`Status Pages listens on ${url} (documentation: ${url}/docs)\n`);
  // After listening, so that a start that fails does not make a key that nobody is shown.
  const demo = env.DEMO && !env.DATABASE_URL ? await app.get(DemoService).createIfNew(DEMO_PAGES) : null;
  if (demo) printDemo(demo, url);
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const cannotListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  process.stderr.write(
    `Status Pages could not start: ${message}${cannotListen ? ': set another HOST or PORT' : ''}\n`,
  );
  process.exit(1);
});
