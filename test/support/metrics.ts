import type { Program } from './process.js';

/** The URL of a server's admin port. */
export async function adminUrlOf(program: Program): Promise<string> {
  const [, url = ''] = await program.prints(/"admin_url":"(http:[^"]+)"/);
  return url;
}

/** The metrics of a server, by the URL of its admin port: the value of each sample, such as `name{label="value"}`. */
export async function readSamples(admin_url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${admin_url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
