import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync('docs/security.md', 'utf8');
const rows = [...text.matchAll(/^\| (API\d+) .*$/gm)].map(([row, risk = '']) => ({ row, risk }));
/** A file in backticks, and the name of one of its tests, or a part of it, in double quotes. */
const proofs = rows.flatMap(({ row, risk }) =>
  [...row.matchAll(/`([\w./-]+\.(?:test|system)\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({
    risk,
    file,
    name,
  })),
);

describe('docs/security.md', () => {
  it('contains a row with a test for each OWASP risk', () => {
    const risks = Array.from({ length: 10 }, (_, index) => `API${index + 1}`);
    expect(rows.map(({ risk }) => risk)).toEqual(risks);
    expect([...new Set(proofs.map(({ risk }) => risk))]).toEqual(risks);
  });

  it.each(proofs)('names an existing test: $file "$name"', ({ file, name }) => {
    expect(existsSync(file)).toBe(true);
    // The name can span several lines and use any quotes.
    expect(readFileSync(file, 'utf8')).toContain(name);
  });

  it('names tests only in this form', () => {
    const named = rows.flatMap(({ row }) => row.match(/[\w./-]+\.(?:test|system)\.ts/g) ?? []);
    expect(named).toHaveLength(proofs.length);
  });
});
