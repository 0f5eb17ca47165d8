import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject } from 'vitest';
import { V8_FLAGS } from './v8-flags.js';

/**
 * Every configuration variable at its default, but without rate limits. They are set so that a `.env` file cannot set
 * them.
 */
const DEFAULT_ENV = {
  DATABASE_URL_FILE: undefined,
  DATABASE_REPLICA_URLS: '',
  DATABASE_REPLICA_URLS_FILE: '',
  DATABASE_URL: undefined, // a .env file cannot set this and EMBEDDED if either is set
  EMBEDDED: undefined,
  DATA_DIR: '',
  DEMO: '',
  HOST: '',
  PORT: '',
  PUBLIC_URL: '',
  HOME_PAGE: '',
  LOG_LEVEL: '',
  DATABASE_POOL_SIZE: '',
  PREPARED_STATEMENTS: process.env['TEST_PREPARED_STATEMENTS'] ?? '', // false behind PgBouncer
  SHUTDOWN_TIMEOUT: '',
  RATE_LIMIT: '0', // off, because a test file sends thousands of requests; '' is the default
  AUTH_RATE_LIMIT: '0',
  REDIS_URL: '',
  TRUST_PROXY: '',
  REDIS_URL_FILE: '',
  WEB_CONCURRENCY: '',
  DRAIN_DELAY: '',
  ADMIN_HOST: '',
  ADMIN_PORT: '',
  SLOW_STATEMENT_MS: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
};

/**
 * The environment of a program under test: the shell's variables, except for the configuration, which is only `env`.
 * Without DATABASE_URL and EMBEDDED, it uses the embedded PostgreSQL.
 */
export function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const database = 'DATABASE_URL' in env || 'EMBEDDED' in env ? {} : { EMBEDDED: 'true' };
  const all = { ...process.env, ...DEFAULT_ENV, ...database, ...env };
  return all.EMBEDDED === 'true' ? { ...all, DATABASE_URL: undefined } : all;
}

/** A running program from the build. */
export class Program {
  stdout = '';
  stderr = '';
  private readonly exited: Promise<unknown[]>;

  private static readonly running = new Set<Program>();

  /** Stops the programs that a failed test has left running. */
  static async killAll(): Promise<void> {
    for (const program of Program.running) program.kill('SIGKILL');
    await Promise.all([...Program.running].map((program) => program.exit()));
  }

  constructor(private readonly child: ChildProcess) {
    Program.running.add(this);
    child.once('close', () => Program.running.delete(this));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(child, 'close');
  }

  static run(
    script: 'main.js' | 'cli/main.js',
    parameters: string[],
    env: NodeJS.ProcessEnv,
    cwd = process.cwd(),
  ): Program {
    const path = join(process.cwd(), 'dist/src', script);
    return new Program(
      spawn(process.execPath, [...V8_FLAGS, path, ...parameters], { env: environment(env), cwd }),
    );
  }

  /** Writes to standard input. Resolves when the pipe has accepted it. */
  async writes(bytes: Uint8Array): Promise<void> {
    await new Promise((resolve) => this.child.stdin?.write(bytes, resolve));
  }

  /** Waits until standard output matches `pattern`. Returns the match. */
  async prints(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found) return found;
      const { exitCode, signalCode } = this.child;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`it ended first: ${this.stdout}${this.stderr}`);
      await Promise.race([new Promise((resolve) => this.child.stdout?.once('data', resolve)), this.exited]);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for the exit. Returns the exit code; null: a signal ended it. */
  async exit(): Promise<number | null> {
    await this.exited;
    return this.child.exitCode;
  }
}

/** A server as `npm run start:prod` runs it, or with `--dev` `npm start`, on a free port, ready. */
export async function startProgram(
  env: NodeJS.ProcessEnv,
  ...parameters: '--dev'[]
): Promise<Program & { url: string }> {
  const program = Program.run('main.js', parameters, { PORT: '0', ...env });
  const [, url = ''] = await program.prints(/listens on (http:\S+)/);
  return Object.assign(program, { url });
}

/** The variables that the first startup prints, as set by a shell that they are pasted into. */
export async function demoOf(program: Program): Promise<{ KEY: string; PROJECT: string; PAGE: string }> {
  const [, KEY = ''] = await program.prints(/^export KEY=(sp_\w+)$/m);
  const [, PROJECT = ''] = await program.prints(/^export PROJECT=([0-9a-f-]{36})$/m);
  const [, PAGE = ''] = await program.prints(/^export PAGE=([0-9a-f-]{36})$/m);
  return { KEY, PROJECT, PAGE };
}

/** A CLI call that has ended. */
export async function cli(
  env: NodeJS.ProcessEnv,
  ...parameters: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = Program.run('cli/main.js', parameters, env);
  const code = await program.exit();
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/**
 * The same in this process, which takes a tenth of the time, because most of it goes to loading modules. Calls must
 * not overlap, because each changes `process.env` while it runs.
 */
export async function callCli(
  env: NodeJS.ProcessEnv,
  ...parameters: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { runCli } = await import('../../src/cli/run-cli.js');
  const printed = { stdout: '', stderr: '' };
  const before = process.env;
  process.env = environment(env);
  try {
    const code = await runCli(parameters, {
      stdout: { write: (text) => (printed.stdout += text) },
      stderr: { write: (text) => (printed.stderr += text) },
    });
    return { code, ...printed };
  } finally {
    process.env = before;
  }
}

/** Stops a server like an operator. It must exit with 0 and write nothing to standard error. */
export async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM');
  expect([await program.exit(), program.stderr]).toEqual([0, '']);
}

/** An empty directory for each test of a file. After a test, its running programs are killed. */
export function useDirectory(): { path: string; migrated: (name?: string) => Promise<string> } {
  const directory = {
    path: '',
    /** A data directory that contains only the schema. Creating one takes seconds. */
    migrated: async (name = 'data') => {
      const target = join(directory.path, name);
      cpSync(inject('templateDataDir'), target, { recursive: true });
      return target;
    },
  };
  beforeEach(async () => {
    directory.path = await mkdtemp(join(tmpdir(), 'status-pages-process-'));
  });
  afterEach(async () => {
    await Program.killAll();
    await rm(directory.path, { recursive: true, force: true });
  });
  return directory;
}
