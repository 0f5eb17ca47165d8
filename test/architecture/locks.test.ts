import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = new URL('../../src', import.meta.url).pathname;

/** SQL that waits for a lock of others, and SQL of a change. */
const LOCKS = /FOR (NO KEY )?UPDATE\b(?! SKIP LOCKED)/;
const CHANGES = /\bUPDATE [a-z_]+\s+SET\b|\bDELETE FROM\b/;

it('no statement both locks and changes rows, to prevent deadlocks (docs/decisions/locks.md)', async () => {
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
