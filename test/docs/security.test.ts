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
  it('has a row for each of the OWASP API Security Top 10, with a test', () => {
    const risks = Array.from({ length: 10 }, (_, index) => `API${index + 1}`);
    expect(rows.map(({ risk }) => risk)).toEqual(risks);
    expect([...new Set(proofs.map(({ risk }) => risk))]).toEqual(risks);
  });

  it.each(proofs)('names a test that exists: $file "$name"', ({ file, name }) => {
    expect(existsSync(file)).toBe(true);
    // A name can be on lines of its own, in any quotes.
    expect(readFileSync(file, 'utf8')).toContain(name);
  });

  it('names no test in another form', () => {
    const named = rows.flatMap(({ row }) => row.match(/[\w./-]+\.(?:test|system)\.ts/g) ?? []);
    expect(named).toHaveLength(proofs.length);
  });
});
