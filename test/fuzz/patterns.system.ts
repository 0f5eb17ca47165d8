import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Maximum CPU time for a text of 60,000 characters. Linear patterns take 1 ms, quadratic ones 0.1 s to 8 s. */
const LONGEST_MS = 50;

/**
 * Lengths of the texts, from short to long, until one takes too long: 30 characters for exponential patterns, 800 for cubic ones, and
 * 60,000 for quadratic ones, as long as the texts of clients can be. Slow quadratic ones already exceed the limit at 12,000.
 */
const LENGTHS = [30, 800, 4_000, 12_000, 60_000];

/** Maximum number of fragments of one pattern. */
const MAX_FRAGMENTS = 120;
/** Maximum number of consecutive parts of a pattern that a fragment consists of. */
const MAX_PARTS = 6;

/** Files whose patterns never meet a text of a client: the operator's file, and the service's stylesheets. */
const EXCEPTIONS = ['platform/config/env-file.ts', 'page-documents/components/html-page.tsx'];

/** The regular expressions in a TypeScript file: literals, and those built from constant texts. */
function patternsIn(path: string): RegExp[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, body = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
      found.push(new RegExp(body, flags.replace('g', '')));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const PATTERNS = [
  ...new Map(
    ['src', 'packages']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
      )
      .filter((name) => /\.tsx?$/.test(name) && !/\/(?:node_modules|dist|test)\//.test(name))
      .filter((name) => !EXCEPTIONS.some((one) => name.endsWith(one)))
      .flatMap((name) => patternsIn(name).map((pattern) => ({ name, pattern })))
      .map((one) => [String(one.pattern), one]),
  ).values(),
];

/** A part of a pattern that consumes text: characters that it matches, and whether the pattern also matches without it. */
interface Part {
  samples: string[];
  isOptional: boolean;
}

/** Characters of which a class or an escape matches some. */
const SAMPLES = ['a', '0', ' ', '-', '"', '/', '.', ':', '<', 'é', '@', '_', 'A', '\n', '%', '\\'];

/** A part of a pattern, with its quantifier: a class, an escape, a literal character, or something that consumes nothing. */
const PART =
  /(\[\^?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|\(\?(?:[:=!]|<[=!]|<\w+>)|[^\\[])([*?]|\{0[^}]*\})?/gs;

/** Returns the parts of a pattern, in order. Groups and alternatives are read as a sequence. */
function partsOf({ source, flags }: RegExp): Part[] {
  return [...source.matchAll(PART)].flatMap(([, atom = '', quantifier]) => {
    if (/^(?:[()|^$*+?{}]|\(\?.*|\\[bBkd]?$)$/.test(atom)) return [];
    const matches = new RegExp(`^(?:${atom})$`, flags.includes('u') ? 'u' : '');
    const [, code] = /^\\[ux]\{?([\da-f]+)/i.exec(atom) ?? [];
    const character = code === undefined ? atom.replace(/^\\/, '') : String.fromCodePoint(parseInt(code, 16));
    const own = atom.length === 1 ? [atom] : [character, ...SAMPLES];
    const samples = own.filter((text) => text.length <= 2 && matches.test(text)).slice(0, 2);
    return samples.length === 0 ? [] : [{ samples, isOptional: quantifier !== undefined }];
  });
}

/** Texts to repeat, and what precedes them: consecutive parts of the pattern, with and without those that are optional. */
function fragmentsOf(pattern: RegExp): { before: string; fragment: string }[] {
  const parts = partsOf(pattern);
  const found = new Map<string, { before: string; fragment: string }>();
  const textOf = (some: Part[], sample: number) =>
    some.map(({ samples }) => samples[sample] ?? samples[0] ?? '').join('');
  for (const isKept of [() => true, ({ isOptional }: Part) => !isOptional]) {
    const kept = parts.filter(isKept);
    for (let length = 1; length <= MAX_PARTS; length++)
      for (let first = 0; first + length <= kept.length; first++)
        for (const sample of [0, 1]) {
          const fragment = textOf(kept.slice(first, first + length), sample);
          for (const before of new Set(['', textOf(kept.slice(0, first), 0)]))
            found.set(`${before} ${fragment}`, { before, fragment });
        }
  }
  const all = [...found.values()];
  const step = Math.max(1, all.length / MAX_FRAGMENTS);
  return Array.from(
    { length: Math.min(all.length, MAX_FRAGMENTS) },
    (_, index) => all[Math.floor(index * step)],
  ).filter((one) => one !== undefined);
}

/** Returns whether a repeated fragment of the pattern takes too long, and which. */
function slowFragment(pattern: RegExp): string | undefined {
  for (const { before, fragment } of fragmentsOf(pattern))
    for (const length of LENGTHS) {
      const text = `${before}${fragment.repeat(Math.ceil(length / fragment.length))}\u0001`;
      if (timeOf(pattern, text) > LONGEST_MS) return `${before}(${fragment})*${length}`;
    }
  return undefined;
}

/** Texts to repeat: the letters of the pattern, and of each kind that a class can match, alone and in pairs. */
function pumps({ source }: RegExp): string[] {
  const own = source.replaceAll(/\\[a-zA-Z]|[^ -~]/g, '').match(/[a-zA-Z0-9]|[^\w()[\]{}|?*+^$\\]/g) ?? [];
  const letters = [...new Set([...own.slice(0, 5), 'a', '0', ' ', '-', '"', ','])];
  return letters.flatMap((one) => letters.map((other) => (one === other ? one : one + other)));
}

/** Milliseconds of CPU time. Measures again if it takes long, because garbage collection may have been in the meantime. */
function timeOf(pattern: RegExp, text: string): number {
  const measure = (): number => {
    pattern.lastIndex = 0; // of a sticky pattern
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

  it('match repeated fragments of themselves in linear time', () => {
    const slow = PATTERNS.map(({ name, pattern }) => ({ name, pattern, fragment: slowFragment(pattern) }));
    expect(slow.filter(({ fragment }) => fragment !== undefined)).toEqual([]);
  });

  it.each([
    /url\(\s*["']?#([^"')\s]+)["']?\s*\)/i,
    /\S+@\S+/,
    /\/+$/,
    / ?(?:!<[^]*>|"[^]*"|: [^]*)/,
    /<!--.*?-->/s,
  ])(
    'fail this test if only a fragment of several characters shows that they are quadratic: %s',
    (pattern) => {
      expect(slowFragment(pattern)).toBeDefined();
    },
  );

  it('fail this test if they match in more than linear time', () => {
    expect(slowest(/^(a+)+$/, 25)).toBeGreaterThan(LONGEST_MS);
    expect(slowest(/^[a-z0-9]*[a-z]*[0-9a-z]*!$/, 800)).toBeGreaterThan(LONGEST_MS);
  });
});
