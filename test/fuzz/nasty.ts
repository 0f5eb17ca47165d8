import * as fc from 'fast-check';

// Values that cause failures. None of them is intentionally valid; some are valid by chance.

/**
 * Texts with characters and words that often cause errors in parsers, databases, prototypes, templates and browsers.
 */
export const nastyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\ufeff',
    '\u202egnp.exe',
    '\ufffe\uffff',
    '\u2028',
    'e\u0301'.repeat(30),
    '👩‍👩‍👧‍👦',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'true',
    '0',
    '-1',
    '1e400',
    '9'.repeat(400),
    '%00',
    '%',
    '../../etc/passwd',
    "'; DROP TABLE monitors; --",
    '{"$ne":null}',
    '${jndi:ldap://127.0.0.1/x}',
    '{{7*7}}',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    '[x](javascript:alert(1))',
    '](<'.repeat(200),
    '*'.repeat(300),
    'a\r\nX-Injected: 1',
    'http://169.254.169.254/latest/meta-data/',
    '0000-00-00T00:00:00Z',
    '+275760-09-13T00:00:00.000Z',
    '2026-02-30T00:00:00.000Z',
    '2026-11-22T24:00:00Z',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'x'.repeat(10_001),
    'x'.repeat(60_000),
  ),
);

/** An object with properties of any name, such as `__proto__`. */
export function objectOf(entries: [string, unknown][]): object {
  const object = {};
  for (const [key, value] of entries)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

/** JSON values of any shape. */
export const { value: nastyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: false },
    fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        false,
        -0,
        2 ** 31,
        2 ** 53,
        -(2 ** 63),
        1e308,
        0.1,
        [],
        {},
        [[]],
        [null],
      ),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      nastyText,
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(nastyText, tie('value')), { maxLength: 3 }).map(objectOf),
  ),
}));

/** Texts that are unusual or almost valid JSON. */
export const oddJsonTexts = fc.constantFrom<(valid: string) => string>(
  (valid) => valid.slice(0, -1),
  (valid) => `\ufeff${valid}`,
  (valid) => `${valid}${valid}`,
  (valid) => `${valid} x`,
  (valid) => `[${valid}]`,
  (valid) => valid.replace('{', '{"name":"first","name":"second",'),
  (valid) => valid.replace('{', '{"__proto__":{"polluted":true},'),
  (valid) => valid.replace('{', '{"constructor":{"prototype":{"polluted":true}},'),
  (valid) => valid.replace('{', '{"name":1e999,'),
  (valid) => valid.replace('{', `{"name":${'9'.repeat(2_000)},`),
  (valid) => valid.replace('{', '{"name":"\\ud800",'),
  (valid) => valid.replace('{', '{"name":"\\u0000",'),
  (valid) => valid.replace('{', `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)},`),
  (valid) => valid.replace('{', `{"name":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)},`),
  (valid) => valid.replace('{', `{${Array.from({ length: 5_000 }, (_, at) => `"k${at}":1,`).join('')}`),
  (valid) => valid.replaceAll('"', "'"),
  () => '',
  () => ' ',
  () => 'null',
  () => '[]',
  () => '"text"',
  () => '123',
  () => '{',
  () => '{}',
  () => '['.repeat(100_000),
  () => 'a: &a [*a]\nb: !!js/function "x"\n',
  () => '---\n'.repeat(2_000),
  () =>
    `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join()}]`)
      .join('\n')}\n`,
);
