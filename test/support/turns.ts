import { pathToFileURL } from 'node:url';
import { type Program, startProgram } from './process.js';
import { until } from './server.js';

/** The longest turn of its event loop that the server may have, in milliseconds of the processor. */
export const LONGEST_TURN_MS = 30;

/** A server that measures the turns of its event loop. A process of its own: the embedded database is in that of the tests. */
export class MeasuredProgram {
  readonly url: string;

  private constructor(private readonly program: Program & { url: string }) {
    this.url = program.url;
  }

  static async start(env: Record<string, string>): Promise<MeasuredProgram> {
    const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} --import ${pathToFileURL('test/support/turns.mjs').href}`;
    return new MeasuredProgram(await startProgram({ ...env, NODE_OPTIONS, DEMO: 'false' }));
  }

  /** The shortest of the longest turns during several requests: other programs only make it longer. */
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
