import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = 'test/faults';

/** The names of the tests in each file of test/faults, as in the source. */
async function faultTests(): Promise<{ file: string; name: string }[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.fault.ts'));
  const tests = await Promise.all(
    files.map(async (file) => {
      const source = await readFile(join(FOLDER, file), 'utf8');
      const found = source.matchAll(/^ {2}it(?:\.\w+\([^]*?\))?\(\s*'([^']+)'/gm);
      return [...found].map(([, name = '']) => ({ file, name }));
    }),
  );
  return tests.flat();
}

/** The tests in the table, by the beginning of their names. */
async function namedTests(): Promise<{ file: string; start: string }[]> {
  const text = await readFile('docs/reliability.md', 'utf8');
  const rows = text.split('\n').filter((line) => /^\| (?!fault |-)/.test(line));
  return rows.map((row) => {
    const [, file = '', start = ''] = /\| `([\w-]+\.fault\.ts)`: "([^"]+)"\s*\|$/.exec(row) ?? [];
    return { file, start };
  });
}

describe('docs/reliability.md', () => {
  it('contains exactly one row for each fault test', async () => {
    const [tests, named] = [await faultTests(), await namedTests()];
    expect(tests.length).toBeGreaterThan(25);
    const isOf = (row: { file: string; start: string }, test: { file: string; name: string }) =>
      row.start !== '' && row.file === test.file && test.name.startsWith(row.start);
    expect(tests.filter((test) => !named.some((row) => isOf(row, test)))).toEqual([]);
    expect(named.filter((row) => tests.filter((test) => isOf(row, test)).length !== 1)).toEqual([]);
  });
});
