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
  'Status Pages could not start: DATA_DIR is in use by another server: stop it, or set another DATA_DIR\n';

describe('two processes on one DATA_DIR', () => {
  it('in a stream of updates: the second is refused in one line, the first goes on and loses nothing, and after a kill -9 of it another may start', async () => {
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

  it('started at once on a new folder: one serves, the other is refused in one line', async () => {
    const env = { DATA_DIR: directory.path };
    const starts = [Service.spawn(env), Service.spawn(env)];
    const ends = await Promise.race(
      starts.map(async ({ program }, index) => ({ code: await program.exit(), index })),
    );
    const [refused, other] = ends.index === 0 ? starts : starts.toReversed();
    expect(ends.code).toBe(1);
    // It waits up to 30 seconds for the other to be ready, so that it can say that this is a server.
    expect(refused?.program.stderr).toMatch(
      /^Status Pages could not start: DATA_DIR is in use by another (server|process): [^\n]+\n$/,
    );
    await other?.program.prints(/listens on/);
    other?.child.kill('SIGTERM');
    expect(await other?.program.exit()).toBe(0);
  });
});

/** Overwrites a file with nonsense. */
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

/** What PostgreSQL writes at every start, before it can find damage in a table. */
const BOOKKEEPING = /postmaster\.pid$|pg_internal\.init$/;
const STARTED = /postmaster\.pid$|pg_internal\.init$|pg_control$|\/pg_(?:wal|subtrans)\//;

/** The hash of each file of the database, by its path. */
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

const DAMAGED = 'the database files are damaged; restore a backup, or move the files away';

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
    message: 'is not a database folder',
  },
  {
    name: 'PG_VERSION is that of another version',
    damage: (files) => writeFile(join(files, 'PG_VERSION'), '14\n'),
    message: 'is a database of PostgreSQL 14',
  },
  {
    name: 'PG_VERSION is garbled',
    damage: (files) => garble(join(files, 'PG_VERSION')),
    message: 'is a database of an unknown version',
  },
  {
    name: 'the folder has the files of somebody else',
    damage: async (files) => {
      await rm(files, { recursive: true });
      await mkdir(files);
      await writeFile(join(files, 'notes.txt'), 'mine');
    },
    message: 'is not a database folder',
  },
  {
    name: 'the folder is a file',
    damage: async (files) => {
      await rm(files, { recursive: true });
      await writeFile(files, 'mine');
    },
    message: 'is not a folder',
  },
];

describe('a corrupt DATA_DIR', () => {
  it.each(DAMAGE)(
    'stops the start with one line and exit code 1, and nothing is overwritten: $name',
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

  it('that is a file itself is named, and left alone', async () => {
    const DATA_DIR = join(directory.path, 'data');
    await writeFile(DATA_DIR, 'mine');
    const { program } = Service.spawn({ DATA_DIR });
    expect([await program.exit(), program.stdout]).toEqual([1, '']);
    expect(program.stderr).toMatch(/^Status Pages could not start: DATA_DIR [^\n]+\n$/);
    expect(await readFile(DATA_DIR, 'utf8')).toBe('mine');
  });
});
