import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Every setting at its default: what the tests' own environment must not bring into a program under test. */
export const DEFAULT_ENV = {
  DATABASE_URL: '',
  DATA_DIR: '',
  DEMO: '',
  HOST: '',
  PORT: '',
  LOG_LEVEL: '',
  DATABASE_POOL_SIZE: '',
  PREPARED_STATEMENTS: '',
  SHUTDOWN_TIMEOUT: '',
  RATE_LIMIT: '',
};

/** A program that was built, running. */
export class Program {
  stdout = '';
  stderr = '';
  private readonly exited: Promise<unknown[]>;

  private static readonly running = new Set<Program>();

  /** Ends what a test that failed has left running. */
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

  static run(script: 'main.js' | 'cli/main.js', parameters: string[], env: Record<string, string>): Program {
    const all = { ...process.env, ...DEFAULT_ENV, ...env };
    return new Program(spawn(process.execPath, [`dist/src/${script}`, ...parameters], { env: all }));
  }

  /** Waits until standard output has `pattern`, and answers its match. */
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

  /** Waits for the end, and answers the exit code; null: a signal ended it. */
  async exit(): Promise<number | null> {
    await this.exited;
    return this.child.exitCode;
  }
}

/** A server as `npm run start:prod` runs it, on a free port, ready. */
export async function startProgram(env: Record<string, string>): Promise<Program & { url: string }> {
  const program = Program.run('main.js', [], { PORT: '0', ...env });
  const [, url = ''] = await program.prints(/listens on (http:\S+)/);
  return Object.assign(program, { url });
}

/** A call of the CLI, at its end. */
export async function cli(
  env: Record<string, string>,
  ...parameters: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = Program.run('cli/main.js', parameters, env);
  const code = await program.exit();
  return { code, stdout: program.stdout, stderr: program.stderr };
}
