import { createHash } from 'node:crypto';
import { copyFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { restore } from '../../src/platform/backup/backup.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { environment } from '../support/process.js';
import { useTenant, useTestServer } from '../support/server.js';
import { call, type DatabaseEnv, failureOf, onDatabase, useBackups } from './use-backups.js';

const server = useTestServer();
const tenant = useTenant(server);
const backups = useBackups();
/** A database that stays empty. */
let target: DatabaseEnv;

beforeAll(async () => {
  await server.monitors(tenant, 100);
  await server.page(tenant);
  await call(server.env, 'backup', backups.path());
  target = await backups.database();
});

/** The number of projects. Restored projects can be read only after the commit. */
const projectsIn = (env: DatabaseEnv) =>
  onDatabase(env, async (database) => {
    const rows: object[] = await database.query('SELECT FROM projects');
    return rows.length;
  });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Makes the last line consistent with the others again. */
function withChecksum(lines: string[]): string[] {
  const content = lines.slice(0, -1);
  const rows = content.filter((line) => line.startsWith('[')).length;
  return [...content, JSON.stringify({ rows, sha256: sha256(content.map((line) => `${line}\n`).join('')) })];
}

describe('restore of a damaged backup fails and leaves the database empty:', () => {
  it.each<[string, (lines: string[]) => string[]]>([
    ['a changed value', (lines) => lines.map((line) => line.replace('"Monitor 7"', '"Monitor 8"'))],
    ['a missing row', (lines) => lines.filter((line) => !line.includes('"Monitor 7"'))],
    [
      'a row twice',
      (lines) => lines.flatMap((line) => (line.includes('"Monitor 7"') ? [line, line] : [line])),
    ],
    ['no last line', (lines) => lines.slice(0, -1)],
    ['only the header', (lines) => lines.slice(0, 1)],
    ['a line after the last one', (lines) => [...lines, '[]']],
    ['a line of another kind', (lines) => lines.toSpliced(-1, 0, 'sesame')],
  ])('%s', async (_what, change) => {
    const path = backups.path('damaged');
    await copyFile(backups.path(), path);
    await backups.edit(path, change);
    expect(await failureOf(target, 'restore', path)).toBe('The backup file is truncated or corrupt');
  });

  it('a truncated file, and a file with an altered byte', async () => {
    const whole = await readFile(backups.path());
    const altered = Buffer.from(whole);
    altered.writeUInt8(altered.readUInt8(whole.length >> 1) ^ 1, whole.length >> 1);
    for (const bytes of [whole.subarray(0, -1), whole.subarray(0, whole.length >> 1), altered]) {
      await writeFile(backups.path('damaged'), bytes);
      expect(await failureOf(target, 'restore', backups.path('damaged'))).toContain('truncated or corrupt');
    }
  });

  it('from standard input, which is read during the restore', async () => {
    await copyFile(backups.path(), backups.path('damaged'));
    await backups.edit(backups.path('damaged'), (lines) => lines.slice(0, -1));
    const whole = await readFile(backups.path());
    for (const bytes of [await readFile(backups.path('damaged')), whole.subarray(0, -1)])
      await expect(
        restore(loadEnv(environment(target)), Readable.from([bytes]), async () => undefined),
      ).rejects.toThrow('truncated or corrupt');
    expect(await projectsIn(target)).toBe(0);
  });

  it('a row that the schema rejects', async () => {
    await copyFile(backups.path(), backups.path('damaged'));
    await backups.edit(backups.path('damaged'), (lines) =>
      withChecksum(lines.filter((line) => !line.includes(tenant.project_id) || line.includes('"Monitor'))),
    );
    expect(await failureOf(target, 'restore', backups.path('damaged'))).toContain('monitors_project_fkey');
    expect(await projectsIn(target)).toBe(0);
  });
});

describe('restore fails with an error message', () => {
  it.each<[string, (lines: string[]) => string[], string]>([
    [
      'for a backup with a newer schema',
      ([first = '', ...rest]) => [first.replace(']}', ',"Later2000000000000"]}'), ...rest],
      'The backup was created by a newer version of Status Pages (migration Later2000000000000). Upgrade Status Pages',
    ],
    [
      'for a backup in a newer format',
      ([first = '', ...rest]) => [first.replace('backup":1', 'backup":2'), ...rest],
      'The backup was created by a newer version of Status Pages (format 2). Upgrade Status Pages',
    ],
    ['for another compressed file', () => ['{}'], 'The file is not a Status Pages backup'],
    [
      'for a backup without migrations',
      ([first = '', ...rest]) => [first.replace(/"migrations":\[.*\]/, '"migrations":[]'), ...rest],
      'The file is not a Status Pages backup',
    ],
  ])('%s', async (_what, change, line) => {
    await copyFile(backups.path(), backups.path('other'));
    await backups.edit(backups.path('other'), (lines) => withChecksum(change(lines)));
    expect(await failureOf(target, 'restore', backups.path('other'))).toBe(line);
  });

  it('for a directory or a missing file', async () => {
    expect(await failureOf(target, 'restore', 'package.json')).toBe('The file is not a Status Pages backup');
    const missing = backups.path('missing');
    expect(await failureOf(target, 'restore', missing)).toBe(`${missing} cannot be read: ENOENT`);
  });

  it('if the database contains rows, which it does not change', async () => {
    const full = await backups.database();
    await onDatabase(full, (database) =>
      database.query(`INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'Other')`),
    );
    expect(await failureOf(full, 'restore', backups.path())).toBe(
      'The database is not empty (table organizations has rows). Restore into a new database, or another DATA_DIR',
    );
    await onDatabase(full, async (database) =>
      expect(await database.query('SELECT name FROM organizations ORDER BY name')).toEqual([
        { name: 'Default' },
        { name: 'Other' },
      ]),
    );
  });

  it('if a server uses the DATA_DIR', { tags: ['embedded'] }, async () => {
    expect(await failureOf(server.env, 'restore', backups.path())).toMatch(
      /^DATA_DIR is in use by another server/,
    );
  });
});

describe('backup fails', () => {
  it('if the file exists, which it does not change without --force', async () => {
    const path = backups.path('kept');
    await writeFile(path, 'kept');
    expect(await failureOf(server.env, 'backup', path)).toBe(
      `${path} already exists. Choose another name, or replace it with --force`,
    );
    expect(await readFile(path, 'utf8')).toBe('kept');
    await call(server.env, 'backup', path, '--force');
    expect(await readFile(path, 'latin1')).not.toBe('kept');
  });

  it('if the directory or the schema of the database is missing', async () => {
    const path = backups.path('missing/backup');
    expect(await failureOf(server.env, 'backup', path)).toBe(`${path} cannot be written: ENOENT`);
    const empty = await backups.database({ migrated: false });
    expect(await failureOf(empty, 'backup', backups.path('new'))).toMatch(
      /no Status Pages schema|does not contain a database/,
    );
    expect((await readdir(dirname(backups.path()))).filter((name) => name.startsWith('new'))).toEqual([]);
  });
});
