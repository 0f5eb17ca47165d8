import { pathToFileURL } from 'node:url';
import { type Program, startProgram } from './process.js';
import { until } from './server.js';

/** The maximum length of one event loop turn of the server, in milliseconds of CPU time. */
export const LONGEST_TURN_MS = 30;

/**
 * A server that measures its event loop turns. It is a separate process, because the embedded database runs in the
 * test process.
 */
export class MeasuredProgram {
  readonly url: string;

  private constructor(private readonly program: Program & { url: string }) {
    this.url = program.url;
  }

  static async start(env: Record<string, string>): Promise<MeasuredProgram> {
    const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} --import ${pathToFileURL('test/support/turns.mjs').href}`;
    return new MeasuredProgram(await startProgram({ ...env, NODE_OPTIONS, DEMO: 'false' }));
  }

  /** The minimum of the longest turns during several requests, because other processes only make turns longer. */
  async turnOf(times: number, request: (index: number) => Promise<Response>): Promise<number> {
    const turns: number[] = [];
    for (let index = 0; index < times; index++) {
      await this.longestTurn();
      const response = await request(index);
      const body = await response.text();
      if (!response.ok || body.length <= 20)
        throw new Error(`Response: ${response.status} ${body.slice(0, 500)}`);
      turns.push(await this.longestTurn());
    }
    return Math.min(...turns);
  }

  /** The longest turn since the last call. */
  private async longestTurn(): Promise<number> {
    const before = this.program.stdout.length;
    this.program.kill('SIGUSR2');
    const printed = () => /longest turn: ([\d.]+) ms\n/.exec(this.program.stdout.slice(before));
    return Number((await until(async () => printed()))?.[1]);
  }
}
