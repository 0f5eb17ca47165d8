import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = 'test/faults';

interface Test {
  file: string;
  name: string;
}

/** The names of the tests in a file, as in the source. */
async function testsIn(folder: string, file: string): Promise<Test[]> {
  const source = await readFile(join(folder, file), 'utf8');
  const found = source.matchAll(/^(?: {2})?it(?:\.\w+\([^]*?\))?\(\s*'([^']+)'/gm);
  return [...found].map(([, name = '']) => ({ file, name }));
}

/** The tests of test/faults. */
async function faultTests(): Promise<Test[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.fault.ts'));
  return (await Promise.all(files.map((file) => testsIn(FOLDER, file)))).flat();
}

/** The tests in the table, by the beginning of their names. The path of a test of another suite begins with its directory. */
async function namedTests(): Promise<{ file: string; start: string }[]> {
  const text = await readFile('docs/reliability.md', 'utf8');
  const rows = text.split('\n').filter((line) => /^\| (?!fault |-)/.test(line));
  return rows.map((row) => {
    const [, file = '', start = ''] =
      /\| `([\w-]+\.fault\.ts|[\w-]+\/[\w.-]+\.ts)`: "([^"]+)"\s*\|$/.exec(row) ?? [];
    return { file, start };
  });
}

describe('docs/reliability.md', () => {
  it('contains exactly one row for each fault test', async () => {
    const [faults, named] = [await faultTests(), await namedTests()];
    expect(faults.length).toBeGreaterThan(25);
    const others = new Set(named.map(({ file }) => file).filter((file) => file.includes('/')));
    const ofOthers = await Promise.all([...others].map((file) => testsIn('test', file)));
    const tests = [...faults, ...ofOthers.flat()];
    const isOf = (row: { file: string; start: string }, test: { file: string; name: string }) =>
      row.start !== '' && row.file === test.file && test.name.startsWith(row.start);
    expect(faults.filter((test) => !named.some((row) => isOf(row, test)))).toEqual([]);
    expect(named.filter((row) => tests.filter((test) => isOf(row, test)).length !== 1)).toEqual([]);
  });
});
