import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client, type ClientConfig, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../src/index.js';

let directory: string;
let embedded: EmbeddedPostgres;
/** Connections of the application itself. */
let service: Pool;

const connection = () => ({ host: embedded.socketDir, user: 'postgres', database: 'postgres' });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'embedded-postgres-guests-'));
  embedded = await openEmbeddedPostgres(directory, 'server', { applicationName: 'service' });
  service = new Pool({ ...connection(), application_name: 'service', max: 2 });
  await service.query('CREATE TABLE notes (id int PRIMARY KEY, text text)');
  await service.query('CREATE ROLE reader');
});
afterAll(async () => {
  await service.end();
  await embedded.close();
  await rm(directory, { recursive: true, force: true });
});

async function guest(config: ClientConfig = connection()): Promise<Client> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const expectOthersToGoOn = async () => {
  expect((await service.query('SELECT count(*)::int AS count FROM notes')).rows).toEqual([{ count: 0 }]);
};

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns the memory in use in bytes, after a garbage collection. */
function memoryInUse(): number {
  for (let round = 0; round < 3; round++) collectGarbage(); // objects of the startup are freed in several rounds
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Encodes a protocol message: a type (except for startup messages), a length and a body. */
function message(type: string, body: string | Buffer, length = Buffer.byteLength(body) + 4): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return Buffer.concat([Buffer.from(type), size, Buffer.from(body)]);
}

const STARTUP = message('', Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0'));

/** Opens a connection that sends raw bytes. `received` returns the bytes received so far. */
async function rawGuest(): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(join(embedded.socketDir, '.s.PGSQL.5432'));
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (data) => (received += data.toString('latin1')));
  socket.write(STARTUP);
  await once(socket, 'data');
  return { socket, received: () => received };
}

describe('the server', () => {
  it('frees the memory of results that were read', async () => {
    const read = async (times: number) => {
      for (let count = 0; count < times; count++) {
        await service.query("SELECT repeat('x', 100) AS text FROM generate_series(1, 200)");
      }
      return memoryInUse();
    };
    const before = await read(500);
    const growth = (await read(2_000)) - before;
    expect(growth / 2_000).toBeLessThan(4_000); // bytes per statement. Each result has 20,000
  });
});

describe('the session', () => {
  const SETTINGS = [
    'search_path',
    'TimeZone',
    'client_encoding',
    'role',
    'session_authorization',
    'DateStyle',
  ];
  const settings = async (client: Client | Pool) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
      [SETTINGS],
    );
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  };

  it.each([
    "SET search_path = ''",
    "SELECT pg_catalog.set_config('search_path', '', false)",
    "SET TimeZone = 'Asia/Tokyo'",
    "SET client_encoding = 'LATIN1'",
    'SET ROLE reader',
    'SET SESSION AUTHORIZATION reader',
    "SET default_transaction_read_only = on; SET DateStyle = 'German'",
    "BEGIN; SET search_path = ''; COMMIT",
  ])('keeps the settings of each external connection, isolated from the others: %s', async (statement) => {
    const defaults = await settings(service);
    const one = await guest();
    const other = await guest();
    await one.query(statement);
    const own = await settings(one);
    expect(own).not.toEqual(defaults);
    for (let round = 0; round < 2; round++) {
      expect(await settings(service)).toEqual(defaults);
      await service.query("INSERT INTO notes VALUES (1, 'é')");
      expect((await service.query('DELETE FROM notes RETURNING text')).rows).toEqual([{ text: 'é' }]);
      expect(await settings(other)).toEqual(defaults);
      expect(await settings(one)).toEqual(own);
    }
    await one.end();
    expect(await settings(other)).toEqual(defaults);
    expect(await settings(service)).toEqual(defaults);
    await other.end();
  });

  it('drops prepared statements, cursors, locks and temporary tables when the connection ends', async () => {
    for (let round = 0; round < 2; round++) {
      const one = await guest();
      await one.query('PREPARE mine AS SELECT 1');
      await one.query({ name: 'named', text: 'SELECT 2' });
      await one.query('DECLARE cursor_of_mine CURSOR WITH HOLD FOR SELECT 3');
      await one.query('LISTEN news');
      await one.query('SELECT pg_advisory_lock(7)');
      await one.query("CREATE TEMPORARY TABLE notes AS SELECT 4 AS id, 'shadow' AS text");
      await expectOthersToGoOn();
      await one.end();
    }
    const left = await service.query(
      `SELECT (SELECT count(*) FROM pg_prepared_statements WHERE name <> '')::int AS statements,
              (SELECT count(*) FROM pg_cursors WHERE name <> '')::int AS cursors,
              (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')::int AS locks,
              (SELECT count(*) FROM pg_listening_channels())::int AS channels,
              (SELECT count(*) FROM pg_class WHERE relpersistence = 't')::int AS temporary`,
    );
    expect(left.rows).toEqual([{ statements: 0, cursors: 0, locks: 0, channels: 0, temporary: 0 }]);
  });

  it('keeps the settings of pg_dump while other connections write', async () => {
    const dump = await guest();
    // The first statements of pg_dump.
    await dump.query("SELECT pg_catalog.set_config('search_path', '', false)");
    for (const setting of ["client_encoding = 'UTF8'", 'extra_float_digits TO 3', 'row_security = off']) {
      await expectOthersToGoOn();
      await dump.query(`SET ${setting}`);
    }
    await dump.query('BEGIN');
    await dump.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await dump.query('LOCK TABLE public.notes IN ACCESS SHARE MODE');
    await expect(dump.query('SELECT * FROM notes')).rejects.toMatchObject({ code: '42P01' });
    await dump.query('ROLLBACK');
    await expectOthersToGoOn();
    const { rows } = await dump.query('SHOW search_path');
    expect(rows).toEqual([{ search_path: '' }]);
    await dump.end();
    await expectOthersToGoOn();
  });
});

describe('an external connection', () => {
  it('receives an error for COPY FROM STDIN, and remains usable', async () => {
    const client = await guest();
    await expect(client.query('COPY notes FROM STDIN')).rejects.toThrow('COPY');
    await expect(client.query({ text: 'COPY notes FROM STDIN', values: [] })).rejects.toThrow('COPY');
    await expect(client.query('SELECT 1; COPY notes FROM STDIN; SELECT 2')).rejects.toThrow('COPY');
    expect((await client.query('SELECT 3 AS three')).rows).toEqual([{ three: 3 }]);
    await client.end();
    await expectOthersToGoOn();
  });

  it('can send the data of a rejected COPY, which is ignored', async () => {
    const { socket, received } = await rawGuest();
    socket.write(message('Q', 'COPY notes FROM STDIN\0'));
    socket.write(Buffer.concat([message('d', '1\tone\n'), message('c', ''), message('f', 'why\0')]));
    socket.write(message('Q', "SELECT 'goes on'\0"));
    while (!received().includes('goes on')) await once(socket, 'data');
    expect(received()).toContain('C57014');
    socket.destroy();
    await expectOthersToGoOn();
  });

  it('cannot stop the database with COPY FROM STDIN and further messages', async () => {
    const { socket, received } = await rawGuest();
    const copy = [message('P', '\0COPY notes FROM STDIN\0\0\0'), message('B', '\0\0\0\0\0\0\0\0')];
    const execute = message('E', '\0\0\0\0\0');
    socket.write(Buffer.concat([...copy, execute, ...copy, execute, message('S', '')]));
    socket.write(Buffer.concat([...copy, execute, message('Q', 'SELECT 1\0'), message('S', '')]));
    socket.write(message('Q', "SELECT 'goes on'\0"));
    while (!received().includes('goes on')) await once(socket, 'data');
    socket.destroy();
    await expectOthersToGoOn();
  });

  it('can use COPY TO STDOUT', async () => {
    const { socket, received } = await rawGuest();
    socket.write(message('Q', "COPY (SELECT 'row ' || n FROM generate_series(1, 3) AS n) TO STDOUT\0"));
    while (!received().includes('COPY 3')) await once(socket, 'data');
    expect(received()).toMatch(/row 1\n.*row 2\n.*row 3\n/s);
    socket.destroy();
  });

  it.each([
    ['a type that PostgreSQL does not know', message('Y', 'abc')],
    ['a function call', message('F', '\0\0\0\0')],
    ['a Sync of 20,000 bytes', message('S', Buffer.alloc(20_000))],
    ['a password', message('p', 'secret\0')],
    ['a message that is shorter than its length', message('Q', '', 3)],
    ['a query of 2 GB', message('Q', 'SELECT', 2 ** 31 - 1)],
    ['a query of 16 MiB and one byte', message('Q', 'SELECT', 16 * 1024 * 1024 + 1)],
  ])('closes with an error after an unsupported message: %s', async (_what, bytes) => {
    const { socket, received } = await rawGuest();
    socket.write(bytes);
    await once(socket, 'close');
    expect(received()).toMatch(/SFATAL\0VFATAL\0C(08P01|54000)\0/);
    await expectOthersToGoOn();
  });

  it('closes if it sends endless messages without a Sync', async () => {
    const { socket } = await rawGuest();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(Buffer.alloc(1_000_000, message('H', '')));
    await closed;
    await expectOthersToGoOn();
  });

  it.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a startup message of another protocol', message('', Buffer.from('\0\x02\0\0user\0postgres\0\0'))],
    ['a startup message of 2 GB', message('', Buffer.from('\0\x03\0\0'), 2 ** 31 - 1)],
  ])('closes if the startup message is invalid: %s', async (_what, bytes) => {
    const socket = connect(join(embedded.socketDir, '.s.PGSQL.5432'));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    await expectOthersToGoOn();
  });

  it('can omit the optional parts of the startup message', async () => {
    const socket = connect(join(embedded.socketDir, '.s.PGSQL.5432'));
    socket.write(message('', Buffer.from('\0\x03\0\0user')));
    await once(socket, 'data');
    socket.destroy();
    await expectOthersToGoOn();
  });

  it('can send 15 MiB in one message', async () => {
    const client = await guest();
    const { rows } = await client.query('SELECT length($1) AS length', ['x'.repeat(15 * 1024 * 1024)]);
    expect(rows).toEqual([{ length: 15 * 1024 * 1024 }]);
    await client.end();
  });

  it('leaves other connections responsive if it does not read its responses', async () => {
    const { socket } = await rawGuest();
    socket.pause();
    const before = memoryInUse();
    for (let count = 0; count < 50; count++) socket.write(message('Q', "SELECT repeat('x', 1000000)\0"));
    await expectOthersToGoOn();
    expect(memoryInUse() - before).toBeLessThan(10_000_000);
    socket.destroy();
    await expectOthersToGoOn();
  });
});

describe('time limits of idle connections', () => {
  const LIMITS = ['idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout'];
  /** Longer than the limits. Blocks the process as a suspended computer does. */
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);

  it.each(LIMITS)('end neither the database nor a transaction of the application: %s', async (name) => {
    const client = await service.connect();
    await client.query(`START TRANSACTION; SET LOCAL ${name} = 100`);
    block();
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.query('COMMIT');
    client.release();
    await expectOthersToGoOn();
  });

  it.each(LIMITS)('end neither the database nor an external connection: %s', async (name) => {
    for (const set of [`SET ${name} = 100`, `SELECT set_config('${name}', '100', false)`]) {
      const client = await guest();
      await client.query(set);
      await client.query('BEGIN');
      block();
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await client.query('ROLLBACK');
      await client.end();
    }
    await expectOthersToGoOn();
  });
});

describe('an external connection with an idle transaction', () => {
  it('closes with an error after ten seconds, and rolls its transaction back', async () => {
    const client = await guest();
    const error = once(client, 'error');
    await client.query('BEGIN');
    await client.query("INSERT INTO notes VALUES (1, 'uncommitted')");
    await expectOthersToGoOn();
    expect((await error)[0]).toMatchObject({ code: '25P03' });
  });
});
