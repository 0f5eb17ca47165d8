import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Program, useDirectory } from '../support/process.js';
import { useSeededDirectory } from './support/seed.js';
import { Service } from './support/service.js';
import { expectSoundPages, Stream, Writer } from './support/writers.js';

const seeded = useSeededDirectory();
const directory = useDirectory();
afterEach(() => Program.killAll());

const IN_USE =
  'Status Pages could not start: DATA_DIR is in use by another server. Stop it, or set another DATA_DIR\n';

describe('two processes on one DATA_DIR', () => {
  it('cannot both run, and the first one loses no update', async () => {
    const env = await seeded.copy();
    const first = await Service.start(env, seeded.seed);
    const writers = await Writer.create(first, 4);
    const stream = new Stream(first, writers);
    for (let round = 0; round < 2; round++) {
      await stream.reaches(20);
      const { program } = Service.spawn(env);
      expect([await program.exit(), program.stdout, program.stderr]).toEqual([1, '', IN_USE]);
    }
    await stream.reaches(20);
    await first.kill();
    await stream.stop();
    const next = await Service.start(env, seeded.seed);
    for (const writer of writers) writer.use(next);
    await expectSoundPages(writers);
    await next.recovers();
    await next.stop();
  });

  it('started concurrently on a new directory cannot both serve', async () => {
    const env = { DATA_DIR: directory.path };
    const starts = [Service.spawn(env), Service.spawn(env)];
    const ends = await Promise.race(
      starts.map(async ({ program }, index) => ({ code: await program.exit(), index })),
    );
    const [refused, other] = ends.index === 0 ? starts : starts.toReversed();
    expect(ends.code).toBe(1);
    // It waits up to 30 seconds for the other to be ready, so that its message can name a running server.
    expect(refused?.program.stderr).toMatch(
      /^Status Pages could not start: DATA_DIR is in use by another (server|process)\. [^\n]+\n$/,
    );
    await other?.program.prints(/listens on/);
    other?.child.kill('SIGTERM');
    expect(await other?.program.exit()).toBe(0);
  });
});

/** Overwrites a file with random text. */
async function garble(path: string): Promise<void> {
  const { size } = await stat(path);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size, 0xa5), 0, size, 0);
  await file.close();
}

async function segmentsOf(files: string): Promise<string[]> {
  const names = await readdir(join(files, 'pg_wal'));
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name)).map((name) => join(files, 'pg_wal', name));
}

/** Files that PostgreSQL writes on every startup, before it can detect damage in a table. */
const BOOKKEEPING = /postmaster\.pid$|pg_internal\.init$/;
const STARTED = /postmaster\.pid$|pg_internal\.init$|pg_control$|\/pg_(?:wal|subtrans)\//;

/** The hash of each file of the database, by path. */
async function hashesOf(files: string, ignored: RegExp): Promise<Map<string, string>> {
  const entries = (await stat(files)).isFile()
    ? [files]
    : (await readdir(files, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
  const hashes = new Map<string, string>();
  for (const path of entries.filter((entry) => !ignored.test(entry)))
    hashes.set(
      path,
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  return hashes;
}

const DAMAGED =
  'the database files are corrupt. Restore a backup, or move the files to start with an empty database';

const DAMAGE: {
  name: string;
  damage: (files: string) => Promise<unknown>;
  message: string;
  ignored?: RegExp;
}[] = [
  {
    name: 'pg_control is empty',
    damage: (files) => truncate(join(files, 'global/pg_control')),
    message: DAMAGED,
  },
  {
    name: 'pg_control is garbled',
    damage: (files) => garble(join(files, 'global/pg_control')),
    message: DAMAGED,
  },
  {
    name: 'pg_control is missing',
    damage: (files) => rm(join(files, 'global/pg_control')),
    message: DAMAGED,
  },
  {
    name: 'the log is garbled',
    damage: async (files) => Promise.all((await segmentsOf(files)).map(garble)),
    message: DAMAGED,
  },
  {
    name: 'the log is truncated',
    damage: async (files) => Promise.all((await segmentsOf(files)).map((path) => truncate(path))),
    message: DAMAGED,
  },
  {
    name: 'the log is missing',
    damage: (files) => rm(join(files, 'pg_wal'), { recursive: true }),
    message: DAMAGED,
  },
  {
    name: 'the catalog is missing',
    damage: (files) => rm(join(files, 'base/5/1259')),
    message: DAMAGED,
    ignored: STARTED,
  },
  {
    name: 'the catalog is empty',
    damage: (files) => truncate(join(files, 'base/5/1259')),
    message: DAMAGED,
    ignored: STARTED,
  },
  {
    name: 'the catalog is garbled',
    damage: (files) => garble(join(files, 'base/5/1259')),
    message: DAMAGED,
    ignored: STARTED,
  },
  {
    name: 'the tables are missing',
    damage: (files) => rm(join(files, 'base'), { recursive: true }),
    message: DAMAGED,
    ignored: STARTED,
  },
  {
    name: 'PG_VERSION is missing',
    damage: (files) => rm(join(files, 'PG_VERSION')),
    message: 'is not a database directory',
  },
  {
    name: 'PG_VERSION contains another version',
    damage: (files) => writeFile(join(files, 'PG_VERSION'), '14\n'),
    message: 'is a database of PostgreSQL 14',
  },
  {
    name: 'PG_VERSION is garbled',
    damage: (files) => garble(join(files, 'PG_VERSION')),
    message: 'is a database of an unknown version',
  },
  {
    name: 'the directory contains other files',
    damage: async (files) => {
      await rm(files, { recursive: true });
      await mkdir(files);
      await writeFile(join(files, 'notes.txt'), 'mine');
    },
    message: 'is not a database directory',
  },
  {
    name: 'the directory is a file',
    damage: async (files) => {
      await rm(files, { recursive: true });
      await writeFile(files, 'mine');
    },
    message: 'is not a directory',
  },
];

describe('corrupt DATA_DIR', () => {
  it.each(DAMAGE)(
    'stops the startup with an error message and changes no file: $name',
    async ({ damage, message, ignored = BOOKKEEPING }) => {
      const env = await seeded.copy();
      const files = join(env.DATA_DIR, 'postgres');
      await damage(files);
      const before = await hashesOf(files, ignored);
      const { program } = Service.spawn(env);
      expect([await program.exit(), program.stdout]).toEqual([1, '']);
      expect(program.stderr).toMatch(/^Status Pages could not start: DATA_DIR: [^\n]+\n$/);
      expect(program.stderr).toContain(message);
      expect(await hashesOf(files, ignored)).toEqual(before);
    },
  );

  it('causes an error message with its path if it is a file', async () => {
    const DATA_DIR = join(directory.path, 'data');
    await writeFile(DATA_DIR, 'mine');
    const { program } = Service.spawn({ DATA_DIR });
    expect([await program.exit(), program.stdout]).toEqual([1, '']);
    expect(program.stderr).toMatch(/^Status Pages could not start: DATA_DIR [^\n]+\n$/);
    expect(await readFile(DATA_DIR, 'utf8')).toBe('mine');
  });
});
