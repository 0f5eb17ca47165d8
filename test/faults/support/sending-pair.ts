import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { Program, stop } from '../../support/process.js';
import { until } from '../../support/server.js';
import { Audience, type Sql } from './audience.js';
import type { Cluster } from './cluster.js';
import { MailServer } from './mail-server.js';
import { Service } from './service.js';

/** Flag of Node.js for a process whose clock jumps, see {@link jump}. */
export const SHIFTED_CLOCK = `--import=${pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href}`;

/** Sets the clock of a process with {@link SHIFTED_CLOCK}. CLOCK_FILE in its environment is `file`. */
export async function jump(process: { signal(name: NodeJS.Signals): void }, file: string, seconds: number) {
  await writeFile(file, String(seconds));
  process.signal('SIGUSR2');
  await until(async () => (await readFile(`${file}.set`, 'utf8').catch(() => '')) === String(seconds));
}

/** Starts a process that only sends, like `npm run start:worker`. */
export async function startWorker(env: NodeJS.ProcessEnv): Promise<Program> {
  const worker = Program.run('main.js', ['--worker'], env);
  await worker.prints(/"msg":"Status Pages delivers events"/);
  return worker;
}

/** A server and a worker, which both send mail of one database. */
export class SendingPair {
  private constructor(
    readonly mail: MailServer,
    readonly server: Service,
    readonly worker: Program,
    readonly sql: Sql,
  ) {}

  static async start(cluster: Cluster): Promise<SendingPair> {
    const mail = await MailServer.start();
    const env = { ...(await cluster.database()), ...mail.env };
    const [server, worker] = await Promise.all([
      Service.start(env, cluster.seed),
      startWorker({ ...env, NODE_OPTIONS: SHIFTED_CLOCK, CLOCK_FILE: join(mail.directory, 'clock') }),
    ]);
    return new SendingPair(mail, server, worker, (statement) => cluster.sql(statement, env.DATABASE_URL));
  }

  /** A page with subscribers, see `Audience.create`. */
  audience(name: string, active: Record<string, number>): Promise<Audience> {
    return Audience.create(this.server, this.sql, active, name);
  }

  /** Sets the worker's clock ahead of the real time. */
  async setWorkerAhead(seconds: number): Promise<void> {
    const signal = (name: NodeJS.Signals) => this.worker.kill(name);
    await jump({ signal }, join(this.mail.directory, 'clock'), seconds);
  }

  async stop(): Promise<void> {
    await Promise.all([this.server.isRunning && this.server.stop(), stop(this.worker)]);
    await this.mail.destroy();
  }
}

/**
 * One pair for all tests of a group, because each startup takes seconds of CPU time. A failed test ends it, and the next test
 * starts another one.
 */
export function useSendingPair(cluster: { readonly current: Cluster }): { readonly current: SendingPair } {
  const holder: { found?: SendingPair | undefined; readonly current: SendingPair } = {
    get current() {
      if (!this.found) throw new Error('the processes start before each test');
      return this.found;
    },
  };
  beforeEach(async () => {
    holder.found ??= await SendingPair.start(cluster.current);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await Program.killAll();
    await holder.found?.mail.destroy();
    holder.found = undefined;
  });
  afterAll(() => holder.found?.stop());
  return holder;
}
