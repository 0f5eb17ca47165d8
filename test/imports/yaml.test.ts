import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/platform/problems/problem.js';
import { parseYaml } from '../../src/imports/yaml.js';

const MAX_BYTES = 5 * 1024 * 1024;

const parse = (text: string | Uint8Array) => parseYaml(Buffer.from(text));

/** Fills a file up to the limit of imports. */
const filled = (head: string, repeated: string) =>
  head + repeated.repeat(Math.floor((MAX_BYTES - head.length) / repeated.length));

/** Returns the error detail for a rejected text. */
function refusal(text: string | Uint8Array): string {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe('malformed_yaml');
    return error.detail;
  }
  throw new Error('it was read');
}

describe('a YAML mapping', () => {
  it('follows YAML 1.2 with the core schema', () => {
    const text = `
      plain: some text # a comment
      quoted: "tab\\t"
      folded: >-
        two
        lines
      number: 12
      truth: true
      no_truth: [yes, no, on, off]
      nested: { list: [a, { b: c }], "quoted key": 1.5 }
      tagged: !!str 12`;
    expect(parse(text)).toEqual({
      plain: 'some text',
      quoted: 'tab\t',
      folded: 'two lines',
      number: 12,
      truth: true,
      no_truth: ['yes', 'no', 'on', 'off'],
      nested: { list: ['a', { b: 'c' }], 'quoted key': 1.5 },
      tagged: '12',
    });
  });

  it('keeps text that looks like a date', () => {
    expect(parse('a: 2026-11-20\nb: 2026-11-20T12:00:00Z\nc: 12:30:00')).toEqual({
      a: '2026-11-20',
      b: '2026-11-20T12:00:00Z',
      c: '12:30:00',
    });
  });

  it('can contain a byte order mark, a document marker, CRLF, or JSON', () => {
    for (const text of ['\ufeffa: 1', '---\na: 1\n...\n', 'a: 1\r\n', '{"a":1}']) {
      expect(parse(text)).toEqual({ a: 1 });
    }
  });

  it('omits keys without a value, but not items of lists', () => {
    expect(parse('a:\nb: ~\nc: null\nd: [~]\ne: ""')).toEqual({ d: [null], e: '' });
  });

  it('can merge defaults into entries, which override them', () => {
    const text = `
      defaults: &defaults { group: core, interval: 30s }
      endpoints:
        - <<: *defaults
          name: a
        - name: b
          <<: [*defaults, { group: no, url: x }]
          interval: 5s`;
    expect(parse(text)).toMatchObject({
      endpoints: [
        { name: 'a', group: 'core', interval: '30s' },
        { name: 'b', group: 'core', interval: '5s', url: 'x' },
      ],
    });
  });

  it('shares no objects between aliases', () => {
    const { b, c }: { b?: unknown; c?: unknown } = parse('a: &a { x: [1] }\nb: *a\nc: *a');
    expect([b, c]).toEqual([{ x: [1] }, { x: [1] }]);
    expect(b).not.toBe(c);
  });

  it('parses like JSON.parse, without nulls in objects', () => {
    const withoutNulls = (_key: string, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).filter(([, content]) => content !== null))
        : value;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__"') && !JSON.stringify(value).includes('<<'));
        const json = JSON.stringify(value);
        expect(parse(json)).toEqual(JSON.parse(json, withoutNulls));
      }),
    );
  });
});

describe('an invalid YAML mapping', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['an empty text', '', /empty/],
    ['only a comment', '# a', /empty/],
    ['null', '~', /must be a mapping/],
    ['a list', '- a', /must be a mapping/],
    ['text', 'a', /must be a mapping/],
    ['a truncated text', 'a: [1,\n  2', /^Line 2, column \d+: unexpected end/],
    ['a tab as indentation', 'a:\n\tb: 1', /^Line 2, column \d+: /],
    ['bytes that are not UTF-8', Uint8Array.of(0x61, 0x3a, 0x20, 0xff), /invalid UTF-8/],
    ['UTF-16', Buffer.from('\ufeffa: 1', 'utf16le'), /invalid UTF-8/],
    ['NUL', 'a: b\0', /^Line 1, column 5: null byte/],
    ['two documents', 'a: 1\n---\nb: 1', /a single document/],
    ['a duplicate key', 'a: 1\nb: 1\na: 2', /^Line 3, column 1: duplicated mapping key/],
    ['a duplicate key without a value', 'a:\na: 2', /^Line 2, column 1: duplicated mapping key/],
    ['a key that is a number', 'a: { 1: b }', /^Line 1, column 6: a key must be a string/],
    ['a key that is null', '~: b', /a key must be a string/],
    ['a key that is a list', '[a]: b', /a key must be a string/],
    ['a key that is a mapping', '? { a: 1 }\n: b', /a key must be a string/],
    ['the key __proto__', 'a:\n  __proto__: { x: 1 }', /^Line 2, column 3: a key must not be __proto__/],
    ['the key __proto__ of a merge', '<<: { "__proto__": { x: 1 } }', /must not be __proto__/],
    ['a function', 'a: !!js/function "function () {}"', /^Line 1, column 4: unknown scalar tag$/],
    ['a custom tag', 'a: !secret b', /^Line 1, column 4: unknown scalar tag$/],
    ['a mapping with a tag', 'a: !foo { b: 1 }', /unknown mapping tag$/],
    ['binary', 'a: !!binary aGVsbG8=', /unknown scalar tag$/],
    ['a date by tag', 'a: !!timestamp 2026-11-20', /unknown scalar tag$/],
    ['an impossible tag', 'a: !!int x', /cannot resolve a node with explicit tag$/],
    ['a tag that is not UTF-8', 'a: !%ff x', /unknown scalar tag$/],
    ['an alias without an anchor', 'a: *b', /unidentified alias$/],
    ['a merge of a number', '<<: 1', /cannot merge/],
    ['a recursive alias', 'a: &a [*a]', /more than 100 levels/],
  ])('fails with line and column: %s', (_name, text, detail) => {
    expect(refusal(text)).toMatch(detail);
  });

  it('fails without its content in the message', () => {
    const texts = ['!secret a', '!<secret> a', '!s!secret a', '!secret\\ a', '*secret', '&secret &secret a']
      .flatMap((value) => [`a: ${value}`, `a: { b: [${value}] }`])
      .concat(
        'secret: 1\nsecret: 1',
        '%TAG !secret! x\n%TAG !secret! x\n---\na',
        'a: "secret',
        '? secret\n:- 1',
      );
    for (const text of texts) expect(refusal(text)).not.toMatch(/secret/);
  });

  it('fails with a problem or parses for any sequence of tokens', () => {
    const alphabet = `a|1|: |- |? |[|]|{|}|, |\n|\n  |&a |*a|!t |!%ff |<<: *a|"|'|>-\n|#|---\n|...\n|%YAML 1.2\n|\t|\r|\\|\u0085`;
    const token = fc.constantFrom(...alphabet.split('|'), '|\n');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        try {
          expect(parse(tokens.join(''))).toBeTypeOf('object');
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

// 0.5 s for a configuration, 3 s for the slowest file. `npm run test:system` reads all, `npm test` only the quick
// ones.
describe('5 MiB of YAML', () => {
  const BOMB = Array.from({ length: 30 }, (_, index) =>
    index === 0 ? 'a0: &a0 [x, x]' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
  ).join('\n');
  const CHAIN = Array.from({ length: 5_000 }, (_, index) =>
    index === 0 ? 'a0: &a0 [x]' : `a${index}: &a${index} [*a${index - 1}]`,
  ).join('\n');
  const WIDE = Array.from({ length: 3_000 }, (_, index) => `  k${index}: 1\n`).join('');
  const ENDPOINT = `  - name: API
    group: core
    url: "https://example.org/health"
    interval: 30s
    conditions: ["[STATUS] == 200", "[RESPONSE_TIME] < 300"]
`;

  const TOO_MANY = /more than 600000 line breaks/;
  const HOSTILE: [string, () => string, RegExp | null][] = [
    ['a configuration', () => filled('endpoints:\n', ENDPOINT), null],
    ['one long text', () => filled('a: ', 'x'), null],
    ['comments', () => filled('a: 1\n', '# A comment\n'), null],
    ['short comments', () => filled('a: 1\n', '# x\n'), TOO_MANY],
    ['many short items', () => filled('a:\n', '- x\n'), TOO_MANY],
    ['many short items in brackets', () => `${filled('a: [', 'x,')}]`, TOO_MANY],
    ['100,000 open brackets', () => `a: ${'['.repeat(100_000)}`, /nesting exceeded/],
    ['open brackets', () => filled('a: ', '['), TOO_MANY],
    ['nested mappings', () => filled('', '{a: '), TOO_MANY],
    ['nested lists', () => filled('', '- '), TOO_MANY],
    ['nested keys', () => filled('', '? '), /nesting exceeded/],
    ['a bomb of aliases', () => BOMB, /more than 1000000 values/],
    ['a chain of aliases', () => CHAIN, /more than 100 levels/],
    ['aliases to a long list', () => filled(`a: &a [${'x,'.repeat(1_000)}]\nb:\n`, '- *a\n'), /more than/],
    ['a bomb of merges', () => `a: &a\n${WIDE}b:\n${'  - <<: *a\n'.repeat(140_000)}`, /merge keys exceeded/],
    ['documents', () => filled('', '---\n'), TOO_MANY],
    ['400,000 open brackets', () => `a: ${'['.repeat(400_000)}`, /nesting exceeded/],
    ['100,000 documents', () => '---\n'.repeat(100_000), /a single document/],
    ['250,000 equal keys', () => 'a: 1\n'.repeat(250_000), /duplicated mapping key/],
    ['600,000 directives', () => '%A b\n'.repeat(600_000), /directives end mark/],
    ['tags', () => filled('a: ', '!a '), /duplication of a tag/],
    ['quotes', () => filled('', '" '), /document separator/],
    ['equal keys', () => filled('', 'a: 1\n'), TOO_MANY],
  ];
  it.each(HOSTILE)('parse or fail within 10 s of CPU time: %s', (_name, text, detail) => {
    const bytes = Buffer.from(text());
    const started = process.cpuUsage(); // unlike a clock, it excludes the time of other processes
    if (detail) expect(refusal(bytes)).toMatch(detail);
    else expect(parse(bytes)).toBeTypeOf('object');
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(10);
  });
});
