import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedPostgres } from '../src/index.js';

/** A data directory whose database contains one row. */
let complete: string;
let directory: string;

beforeAll(async () => {
  complete = await mkdtemp(join(tmpdir(), 'embedded-postgres-files-'));
  await query(complete, 'CREATE TABLE kept AS SELECT 1 AS row');
});
afterAll(() => rm(complete, { recursive: true, force: true }));
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-postgres-files-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Opens the database, runs a statement, and returns its rows. */
async function query(dataDir: string, statement: string): Promise<unknown[]> {
  const embedded = await openEmbeddedPostgres(dataDir, 'client');
  try {
    const client = new Client({ host: embedded.socketDir, user: 'postgres', database: 'postgres' });
    await client.connect();
    const { rows } = await client.query<object>(statement);
    await client.end();
    return rows;
  } finally {
    await embedded.close();
  }
}

const files = () => join(directory, 'postgres');
const keptRows = () => query(directory, 'SELECT row FROM kept');

describe('creating the database', () => {
  it('starts again after an interruption, and deletes the unfinished files', async () => {
    await mkdir(join(directory, 'postgres.new'));
    await writeFile(join(directory, 'postgres.new', 'PG_VERSION'), '');
    expect(await query(directory, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(directory)).toSorted()).toEqual(['lock', 'postgres', 'run']);
  });

  it('renames an incomplete database of an earlier version', async () => {
    await mkdir(files());
    await writeFile(join(files(), 'PG_VERSION'), '18');
    await writeFile(join(directory, 'unfinished'), '');
    expect(await query(directory, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(directory)).filter((name) => /interrupted|unfinished/.test(name))).toEqual([
      expect.stringMatching(/^postgres\.interrupted-\d+$/),
    ]);
  });

  it('never replaces a complete database, even if files of an interrupted creation exist', async () => {
    await cp(complete, directory, { recursive: true });
    await writeFile(join(directory, 'unfinished'), '');
    await mkdir(join(directory, 'postgres.new'));
    expect(await keptRows()).toEqual([{ row: 1 }]);
    expect(await keptRows()).toEqual([{ row: 1 }]);
  });

  it('makes the files private, even if other users could read the directory', async () => {
    await mkdir(files());
    await chmod(files(), 0o755);
    await query(directory, 'CREATE TABLE kept AS SELECT 1 AS row');
    expect(await openToOthers()).toEqual([]);
    await chmod(files(), 0o755);
    await chmod(join(files(), 'PG_VERSION'), 0o666);
    await keptRows();
    expect(await openToOthers()).toEqual([]);
  });

  async function openToOthers(): Promise<string[]> {
    const open: string[] = [];
    for (const name of ['', ...(await readdir(files(), { recursive: true }))]) {
      const others = name.endsWith('pg_internal.init') ? 0o022 : 0o077; // PostgreSQL rewrites this cache
      if (((await stat(join(files(), name))).mode & others) !== 0) open.push(name);
    }
    return open;
  }

  it('fails in a directory of another user', { tags: ['root'] }, async () => {
    await cp(complete, directory, { recursive: true });
    await chown(files(), 12_345, 12_345);
    await expect(openEmbeddedPostgres(directory, 'server')).rejects.toThrow(
      /^dataDir: .*postgres belongs to another user$/,
    );
  });
});

describe('a failure of PostgreSQL', () => {
  /** Runs statements in a new process that fail because no new WAL segment can be written, as on a full disk. */
  const run = async (options: string) => {
    await cp(complete, directory, { recursive: true });
    const program = `
      import { rm } from 'node:fs/promises';
      import { Client } from 'pg';
      import { openEmbeddedPostgres } from '@status-pages/embedded-postgres';
      const { socketDir } = await openEmbeddedPostgres(process.env.DIRECTORY, 'server', ${options});
      await rm(process.env.DIRECTORY + '/postgres/pg_wal', { recursive: true });
      const client = new Client({ host: socketDir, user: 'postgres', database: 'postgres' });
      await client.connect();
      await client.query('SELECT pg_switch_wal(); CREATE TABLE lost (id int); SELECT pg_switch_wal(); CREATE TABLE lost2 (id int)');`;
    const child = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, NODE_OPTIONS: '', DIRECTORY: directory },
    });
    return child.then(
      () => ({ code: 0, stderr: '' }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
  };

  it('ends the process with an error message and exit code 1', async () => {
    expect(await run('{}')).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The embedded PostgreSQL failed: could not .*pg_wal.*\n$/),
    });
  });

  it('calls onFailure of the application', async () => {
    const options =
      '{ onFailure: ({ message }) => { console.error("Stopped:", message); process.exit(7); } }';
    expect(await run(options)).toEqual({
      code: 7,
      stderr: expect.stringMatching(/^Stopped: could not .*pg_wal.*\n$/),
    });
  });
});
