import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDatabase, type EmbeddedPostgres, openEmbeddedPostgres } from '../src/index.js';

let directory: string;
let embedded: EmbeddedPostgres;
let pool: Pool;

const connection = () => ({ host: embedded.socketDir, user: 'postgres', database: 'postgres' });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-postgres-embedded-'));
  await chmod(directory, 0o755);
  embedded = await openEmbeddedPostgres(directory, 'server');
  pool = new Pool({ ...connection(), max: 8 });
  await pool.query('CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL DEFAULT 0)');
  await pool.query('INSERT INTO counters (id) SELECT generate_series(0, 7)');
});
afterAll(async () => {
  await pool.end();
  await embedded.close();
  await rm(directory, { recursive: true, force: true });
});

describe('the server', () => {
  it('returns to each connection only the rows of its own statements, inside and outside of transactions', async () => {
    const client = async (number: number) => {
      for (let round = 0; round < 150; round++) {
        const mine = await pool.query(`SELECT $1::int AS round, ${number} AS client`, [round]);
        expect(mine.rows).toEqual([{ round, client: number }]);
        const updated = await pool.query('UPDATE counters SET value = value + 1 WHERE id = $1 RETURNING id', [
          number,
        ]);
        expect(updated.rows).toEqual([{ id: number }]);
        const own = await pool.connect();
        await own.query('BEGIN');
        const inside = await own.query('SELECT $1::text AS who', [`${number}/${round}`]);
        expect(inside.rows).toEqual([{ who: `${number}/${round}` }]);
        await own.query('UPDATE counters SET value = value + 1000 WHERE id = $1', [number]);
        await own.query(round % 2 === 0 ? 'COMMIT' : 'ROLLBACK');
        own.release();
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => client(number)));
    const { rows } = await pool.query('SELECT value FROM counters ORDER BY id');
    expect(rows).toEqual(Array.from({ length: 8 }, () => ({ value: 150 + 75_000 })));
  });

  it('keeps connections usable after an error, inside and outside of transactions', async () => {
    const one = await pool.connect();
    await expect(one.query('SELECT 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    await one.query('BEGIN');
    await expect(one.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
    await expect(one.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    const other = pool.query('SELECT 2 AS two');
    await one.query('ROLLBACK');
    expect((await other).rows).toEqual([{ two: 2 }]);
    one.release();
  });

  it('rolls back the transaction of a closed connection, and then serves the others', async () => {
    const doomed = new Client(connection());
    doomed.on('error', () => undefined);
    await doomed.connect();
    await doomed.query('BEGIN');
    await doomed.query('UPDATE counters SET value = -1');
    const waiting = pool.query('SELECT count(*)::int AS changed FROM counters WHERE value = -1');
    await doomed.end();
    expect((await waiting).rows).toEqual([{ changed: 0 }]);
  });

  it('rolls back the whole transaction if a protocol error follows its statements', async () => {
    const sized = (body: Buffer) => {
      const size = Buffer.alloc(4);
      size.writeInt32BE(body.length + 4);
      return Buffer.concat([size, body]);
    };
    const startup = sized(
      Buffer.concat([Buffer.from([0, 3, 0, 0]), Buffer.from('user\0postgres\0database\0postgres\0\0')]),
    );
    const query = (text: string) => Buffer.concat([Buffer.from('Q'), sized(Buffer.from(`${text}\0`))]);
    const inserts = Array.from({ length: 5 }, (_, index) =>
      query(`INSERT INTO counters (id) VALUES (${100 + index})`),
    );
    for (let round = 0; round < 10; round++) {
      const socket = connect(join(embedded.socketDir, '.s.PGSQL.5432'));
      socket.write(
        Buffer.concat([startup, query('BEGIN'), ...inserts, Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff])]),
      );
      socket.resume();
      await once(socket, 'close');
    }
    expect((await pool.query('SELECT count(*)::int AS kept FROM counters WHERE id >= 100')).rows).toEqual([
      { kept: 0 },
    ]);
  });

  it('accepts messages in pieces of any size, and declines encryption', async () => {
    const startup = Buffer.concat([
      Buffer.from([0, 3, 0, 0]),
      Buffer.from('user\0postgres\0database\0postgres\0\0'),
    ]);
    const sized = (body: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, body.length + 4]), body]);
    const query = Buffer.concat([Buffer.from('Q'), sized(Buffer.from("SELECT 'in pieces'\0"))]);
    const socket = connect(join(embedded.socketDir, '.s.PGSQL.5432'));
    let answer = '';
    socket.on('data', (data) => (answer += data.toString('latin1')));
    for (const byte of Buffer.concat([sized(Buffer.from([4, 210, 22, 47])), sized(startup), query])) {
      await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
    }
    while (!answer.includes('in pieces')) await once(socket, 'data');
    expect(answer).toMatch(/^NR/);
    socket.destroy();
  });

  it('closes connections that do not use the PostgreSQL protocol', async () => {
    const socket = connect(join(embedded.socketDir, '.s.PGSQL.5432'));
    socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    await once(socket, 'close');
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('openEmbeddedPostgres', () => {
  it('makes the files and the socket private, even if other users can read the directory', async () => {
    expect((await stat(directory)).mode & 0o077).toBe(0o055);
    for (const folder of [join(directory, 'postgres'), embedded.socketDir]) {
      expect((await stat(folder)).mode & 0o077).toBe(0);
    }
  });

  it('rejects a directory with other files, and does not change it', async () => {
    const own = await mkdtemp(join(tmpdir(), 'embedded-postgres-other-'));
    await mkdir(join(own, 'postgres'));
    await writeFile(join(own, 'postgres', 'letters'), 'of somebody');
    await expect(openEmbeddedPostgres(own, 'server')).rejects.toThrow('is not a database directory');
    expect(await readFile(join(own, 'postgres', 'letters'), 'utf8')).toBe('of somebody');
    await rm(own, { recursive: true });
  });

  it('rejects a second server, and connects clients to the running server', async () => {
    await expect(openEmbeddedPostgres(directory, 'server')).rejects.toThrow(
      'dataDir is in use by another server. Stop it, or set another dataDir',
    );
    await expect(openEmbeddedPostgres(directory, 'server', { directoryName: 'DATA_DIR' })).rejects.toThrow(
      'DATA_DIR is in use by another server. Stop it, or set another DATA_DIR',
    );
    const guest = await openEmbeddedPostgres(directory, 'client');
    expect(guest.socketDir).toBe(embedded.socketDir);
    await guest.close();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('copyDatabase', () => {
  it('copies all committed rows while a server runs', async () => {
    await pool.query('CREATE TABLE copied AS SELECT 1 AS row');
    const copy = await copyDatabase(directory);
    await pool.query('DROP TABLE copied');
    const opened = await openEmbeddedPostgres(copy, 'client');
    const client = new Client({ host: opened.socketDir, user: 'postgres', database: 'postgres' });
    await client.connect();
    expect((await client.query('SELECT row FROM copied')).rows).toEqual([{ row: 1 }]);
    await client.end();
    await opened.close();
    await rm(copy, { recursive: true });
  });
});
