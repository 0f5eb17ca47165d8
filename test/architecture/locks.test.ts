import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = new URL('../../src', import.meta.url).pathname;

/** SQL of a lock that waits for others, and of a change. */
const LOCKS = /FOR (NO KEY )?UPDATE\b(?! SKIP LOCKED)/;
const CHANGES = /\bUPDATE [a-z_]+\s+SET\b|\bDELETE FROM\b/;

it('no statement locks rows and changes them: such statements can deadlock (docs/decisions/locks.md)', async () => {
  const names = await readdir(SOURCES, { recursive: true });
  const statements = await Promise.all(
    names
      .filter((name) => name.endsWith('.ts'))
      .map(async (name) => {
        const texts = (await readFile(join(SOURCES, name), 'utf8')).match(/`[^`]*`/g) ?? [];
        return texts
          .filter((text) => LOCKS.test(text) && CHANGES.test(text))
          .map((text) => `${name}: ${text}`);
      }),
  );
  expect(statements.flat()).toEqual([]);
});
