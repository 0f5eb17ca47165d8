import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onceAnswered, textOf } from '../../support/http-agent.js';
import { environment, Program } from '../../support/process.js';
import { V8_FLAGS } from '../../support/v8-flags.js';
import type { Seed } from './seed.js';

/**
 * The maximum duration of a response under any fault. On an idle machine, no response takes longer than 6 s.
 */
const MAX_ANSWER_MS = 25_000;
/** The maximum time until the service recovers after a fault. On an idle machine, it takes up to 6 s. */
const MAX_RECOVERY_MS = 30_000;

/** A complete response. */
export interface Answer<Body = unknown> {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
  body: Body;
  ms: number;
}

interface Ask {
  method?: string;
  json?: unknown;
  headers?: Record<string, string>;
}

/** The connection ended before the response, so the client cannot know whether the request took effect. */
export class NoAnswerError extends Error {}

/**
 * The built server as a separate process. It checks each response under any fault: the response is complete and in
 * time, and 503 with Retry-After is its only 5xx.
 */
export class Service {
  readonly program: Program;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly secrets: string[];

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    program: Program,
    readonly seed: Seed,
    env: NodeJS.ProcessEnv,
  ) {
    this.program = program;
    const [, password = ''] = /\/\/[^:/@]*:([^@/]*)@/.exec(env['DATABASE_URL'] ?? '') ?? [];
    this.secrets = [seed.key, password].filter((secret) => secret !== '');
  }

  /**
   * Starts a server and waits until it listens.
   * @param flags of Node.js
   */
  static async start(env: NodeJS.ProcessEnv, seed: Seed, flags: string[] = []): Promise<Service> {
    const { child, program } = Service.spawn(env, flags);
    const [, url = ''] = await program.prints(/listens on (http:[^\s"]+)/);
    return new Service(child, url, program, seed, env);
  }

  /** Starts a server without waiting, for tests of the startup. */
  static spawn(env: NodeJS.ProcessEnv, flags: string[] = []): { child: ChildProcess; program: Program } {
    const script = join(process.cwd(), 'dist/src/main.js');
    const own = { PORT: '0', DEMO: 'false', RATE_LIMIT: '0', ...env };
    const child = spawn(process.execPath, [...V8_FLAGS, ...flags, script], { env: environment(own) });
    return { child, program: new Program(child) };
  }

  /** The same service through a proxy. */
  through({ port }: { port: number }): Service {
    return new Service(this.child, `http://127.0.0.1:${port}`, this.program, this.seed, {});
  }

  /**
   * Sends a request with the seeded key.
   * @throws NoAnswerError if the connection ends before the response is complete
   * @throws Error if no fault allows the response
   */
  async ask<Body = unknown>(path: string, options: Ask = {}): Promise<Answer<Body>> {
    const answer = await this.send<Body>(path, options);
    const isAllowed =
      answer.status < 500 || (answer.status === 503 && Number(answer.headers['retry-after']) >= 1);
    if (!isAllowed) throw new Error(`${options.method ?? 'GET'} ${path}: ${answer.status} ${answer.text}`);
    if (answer.ms > MAX_ANSWER_MS) throw new Error(`${path} was answered after ${answer.ms} ms`);
    return answer;
  }

  private async send<Body>(path: string, { method = 'GET', json, headers }: Ask): Promise<Answer<Body>> {
    const started = performance.now();
    const body = json === undefined ? undefined : JSON.stringify(json);
    const asked = request(this.url + path, {
      method,
      agent: this.agent,
      headers: {
        Authorization: `Bearer ${this.seed.key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      timeout: 2 * MAX_ANSWER_MS,
    });
    asked.once('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.end(body);
    try {
      const [answer] = await onceAnswered(asked);
      const { statusCode: status = 0, headers: answered } = answer;
      const text = await textOf(answer);
      const isJson = String(answered['content-type']).includes('json') && text !== '';
      const parsed = isJson ? JSON.parse(text) : null;
      return { status, headers: answered, text, body: parsed, ms: performance.now() - started };
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      throw new NoAnswerError(String(error), { cause: error });
    }
  }

  /** Waits until the service recovers after a fault: it is ready, lists, and writes. */
  async recovers(): Promise<void> {
    const deadline = performance.now() + MAX_RECOVERY_MS;
    for (;;) {
      const answers = [
        await this.ask('/health/ready'),
        await this.ask(`/v1/status-pages?project_id=${this.seed.project}`),
        await this.ask(`/v1/projects/${this.seed.project}`, { method: 'PATCH', json: { name: 'Recovered' } }),
      ];
      if (answers.every(({ status }) => status === 200)) return;
      if (performance.now() > deadline) throw new Error('the service has not recovered');
      await delay(100);
    }
  }

  /** Polls /health/live. The returned function stops the polling, and fails unless every response was 200. */
  watchLive(): () => Promise<void> {
    const stopping = new AbortController();
    const statuses: number[] = [];
    const watching = (async () => {
      while (!stopping.signal.aborted) {
        statuses.push((await this.ask('/health/live')).status);
        await delay(50);
      }
    })();
    watching.catch(() => undefined); // reported when the polling stops
    return async () => {
      stopping.abort();
      await watching;
      assert.deepEqual([...new Set(statuses)], [200]);
    };
  }

  /** Whether the process is running. */
  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    return Number(this.child.pid);
  }

  /** The number of open file descriptors. */
  async descriptors(): Promise<number> {
    return (await readdir(`/proc/${this.pid}/fd`)).length;
  }

  /** Resident memory of the process, in MiB. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Kills the process like the out-of-memory killer. */
  async kill(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
    this.agent.destroy();
  }

  /** Stops the server. It must exit with 0, and its log must contain no secret and no 5xx other than 503. */
  async stop(): Promise<void> {
    this.agent.destroy();
    this.child.kill('SIGTERM');
    assert.deepEqual([await this.program.exit(), this.program.stderr], [0, '']);
    this.expectSoundLog();
  }

  expectSoundLog(): void {
    const output = this.program.stdout + this.program.stderr;
    for (const secret of this.secrets) assert.ok(!output.includes(secret), 'a secret is in the log');
    assert.deepEqual(output.match(/"status":5(?!03)\d\d|internal_error/g) ?? [], []);
  }
}
