import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Maximum CPU time for a text of 2,000 characters. Linear patterns take less than 1 ms. */
const LONGEST_MS = 50;

/** The regular expressions in a TypeScript file: literals, and those built from constant texts. */
function patternsIn(path: string): RegExp[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, body = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      found.push(new RegExp(body, flags.replace(/[gy]/g, '')));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const PATTERNS = [
  ...new Map(
    readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => patternsIn(join('src', name)).map((pattern) => ({ name, pattern })))
      .map((one) => [String(one.pattern), one]),
  ).values(),
];

/** Texts to repeat: the letters of the pattern, and of each kind that a class can match, alone and in pairs. */
function pumps({ source }: RegExp): string[] {
  const own = source.replaceAll(/\\[a-zA-Z]|[^ -~]/g, '').match(/[a-zA-Z0-9]|[^\w()[\]{}|?*+^$\\]/g) ?? [];
  const letters = [...new Set([...own.slice(0, 5), 'a', '0', ' ', '-', '"', ','])];
  return letters.flatMap((one) => letters.map((other) => (one === other ? one : one + other)));
}

/** Milliseconds of CPU time. Measures again if it takes long, because garbage collection may have been in the meantime. */
function timeOf(pattern: RegExp, text: string): number {
  const measure = (): number => {
    const started = process.cpuUsage();
    pattern.test(text);
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  };
  const once = measure();
  return once > LONGEST_MS ? Math.min(once, measure()) : once;
}

/** Milliseconds of CPU time for the slowest text of the given length, until one takes too long. */
function slowest(pattern: RegExp, length: number): number {
  let most = 0;
  const [prefix = ''] = /^\^?([\w-]*)/.exec(pattern.source) ?? [];
  for (const pump of pumps(pattern)) {
    for (const start of new Set(['', prefix.replace('^', ''), '"'])) {
      const text = `${start}${pump.repeat(Math.ceil(length / pump.length))}\u0001`;
      most = Math.max(most, timeOf(pattern, text));
      if (most > LONGEST_MS) return most;
    }
  }
  return most;
}

describe('regular expressions of the source', () => {
  it('all appear in this test', () => expect(PATTERNS.length).toBeGreaterThan(50));

  it('match in linear time', () => {
    // An exponential pattern takes too long for as few as 25 characters, a cubic one for 2,000.
    const slow = PATTERNS.filter(({ pattern }) =>
      [25, 2_000].some((length) => slowest(pattern, length) > LONGEST_MS),
    );
    expect(slow).toEqual([]);
  });

  it('fail this test if they match in more than linear time', () => {
    expect(slowest(/^(a+)+$/, 25)).toBeGreaterThan(LONGEST_MS);
    expect(slowest(/^[a-z0-9]*[a-z]*[0-9a-z]*!$/, 800)).toBeGreaterThan(LONGEST_MS);
  });
});
