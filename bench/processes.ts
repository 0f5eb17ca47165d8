import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const MODULES = join(PROJECT, 'dist/modules');

/** The built programs of the service. */
export const SERVICE = {
  server: join(PROJECT, 'bin/serve'),
  cli: join(PROJECT, 'dist/src/cli/main.js'),
  /** Before the bundle, so that a profile shows the files of functions. */
  modules: join(MODULES, 'src/main.js'),
};

/** The baselines. */
export const BASELINES = {
  nodeHttp: join(MODULES, 'bench/baselines/node-http.js'),
  express: join(MODULES, 'bench/baselines/express.js'),
  history: join(MODULES, 'bench/baselines/history.js'),
  herd: join(MODULES, 'bench/baselines/herd.js'),
  mail: join(MODULES, 'bench/baselines/mail.js'),
  mailSink: join(MODULES, 'bench/baselines/mail-sink.js'),
  webhooks: join(MODULES, 'bench/baselines/webhooks.js'),
  webhookSink: join(MODULES, 'bench/baselines/webhook-sink.js'),
  withoutRevisions: join(MODULES, 'bench/baselines/without-revisions.js'),
};

/** The flags of `bin/serve`. */
export const V8_FLAGS = execFileSync('sh', [join(PROJECT, 'bin/v8-flags')], { encoding: 'utf8' })
  .trim()
  .split(' ');

const POOL_SIZE = 10;
const READY_WITHIN_MS = 180_000;
const POLL_MS = 2;
const TICKS_PER_SECOND = 100; // USER_HZ, the same on all platforms of Node.js

/**
 * The environment of the service: its defaults, independent of the benchmark's environment. Without `databaseUrl`, it uses
 * the embedded PostgreSQL in `dataDir`.
 */
export function serviceEnv(databaseUrl: string, port: number, dataDir = ''): NodeJS.ProcessEnv {
  return {
    ...baseEnv(databaseUrl, port),
    ...(databaseUrl === '' && { DATABASE_URL: undefined, EMBEDDED: 'true' }),
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    DATA_DIR: dataDir,
    DEMO: '',
    LOG_LEVEL: 'info',
    SHUTDOWN_TIMEOUT: '',
    RATE_LIMIT: '1000000000', // counts, and never rejects
  };
}

/** The environment of a baseline. */
export function baselineEnv(databaseUrl: string, port: number, organizationId: string): NodeJS.ProcessEnv {
  return { ...baseEnv(databaseUrl, port), POOL_SIZE: String(POOL_SIZE), ORGANIZATION_ID: organizationId };
}

function baseEnv(databaseUrl: string, port: number): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: databaseUrl };
}

/** A server under measurement, in its own process. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /**
   * Starts a program on a free port, and waits until `path` returns 200. Its standard output (the request log) goes
   * to /dev/null.
   */
  static async start(
    program: string,
    env: (port: number) => NodeJS.ProcessEnv,
    { path = '/health/ready', flags = [] }: { path?: string; flags?: string[] } = {},
  ): Promise<Server> {
    const port = await freePort();
    const command = program.endsWith('.js') ? process.execPath : 'sh';
    const child = spawn(command, [...flags, program], {
      env: env(port),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const server = new Server(child, `http://127.0.0.1:${port}`);
    const deadline = performance.now() + READY_WITHIN_MS;
    while (!(await answers200(server.url + path))) {
      if (child.exitCode !== null || performance.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`${program} did not start`);
      }
      await delay(POLL_MS);
    }
    return server;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Current and peak resident memory, in MB (10^6 bytes). Linux only, null elsewhere. */
  async memory(): Promise<{ now: number; peak: number } | null> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8').catch(() => null);
    if (status === null) return null;
    const megabytes = (name: string) =>
      (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  }

  /** CPU time of the process and its workers so far, in seconds. Linux only, NaN elsewhere. */
  async processorTime(): Promise<number> {
    const { pid } = this.child;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    const pids = [String(pid), ...children.trim().split(' ').filter(Boolean)];
    const times = await Promise.all(pids.map(processorTimeOf));
    return times.reduce((total, time) => total + time, 0);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}

/** CPU time of a process so far, in seconds. Linux only, NaN elsewhere. */
export async function processorTimeOf(pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name in brackets: field 14 is utime, 15 is stime (proc(5)), in ticks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

async function answers200(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
