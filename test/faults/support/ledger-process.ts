import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const MAX_WAIT_MS = 120_000;

interface State {
  connections: number;
  most_connections: number;
}

/**
 * The other side of deliveries, in its own process. Its ledger outlives kills of this process and of the processes that send.
 * The script responds to each message with its state.
 */
export class LedgerProcess<Line> {
  private child: ChildProcess | undefined;
  private read = 0;
  private readonly known: Line[] = [];

  protected constructor(
    private readonly script: string,
    readonly directory: string,
    readonly port: number,
  ) {}

  /** Creates its directory. */
  protected static directory(name: string): Promise<string> {
    return mkdtemp(join(tmpdir(), `status-pages-${name}-`));
  }

  /** Starts it, also again, on the same port and without rules. */
  protected async launch(...parameters: string[]): Promise<void> {
    const script = join(import.meta.dirname, this.script);
    this.child = fork(script, [String(this.port), this.ledger, ...parameters], { execArgv: [] });
    await once(this.child, 'message');
  }

  /** The number of open connections, and the largest number since the start. */
  async state(): Promise<State> {
    return this.ask({});
  }

  protected async ask(message: object): Promise<State> {
    const answer = once(this.running, 'message');
    this.running.send(message);
    const [state]: State[] = await answer;
    if (!state) throw new Error('no state');
    return state;
  }

  /** The lines of the ledger. Reads only what is new. */
  protected async lines(): Promise<Line[]> {
    const file = await open(this.ledger, 'a+');
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(size - this.read), 0, size - this.read, this.read);
      const complete = buffer.subarray(0, buffer.lastIndexOf('\n') + 1);
      this.read += complete.length;
      const added = complete.toString().split('\n').slice(0, -1);
      this.known.push(...added.map((line): Line => JSON.parse(line)));
    } finally {
      await file.close();
    }
    return this.known;
  }

  /** Waits until it has handled what killed processes have sent. */
  async isLeft(): Promise<void> {
    await this.waitFor(async () => (await this.state()).connections === 0, 'the end of connections');
  }

  protected async waitFor(isMet: () => Promise<boolean>, what: string): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    while (!(await isMet())) {
      if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
      await delay(10);
    }
  }

  async kill(): Promise<void> {
    if (this.running.exitCode !== null || this.running.signalCode !== null) return;
    const exited = once(this.running, 'exit');
    this.running.kill('SIGKILL');
    await exited;
  }

  /** Waits until a rule has killed it. */
  async dies(): Promise<void> {
    if (this.running.signalCode === null) await once(this.running, 'exit');
  }

  async destroy(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  private get ledger(): string {
    return join(this.directory, 'ledger');
  }

  private get running(): ChildProcess {
    if (!this.child) throw new Error(`${this.script} has not been started`);
    return this.child;
  }
}
