import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allowLong,
  DatabaseUnavailableError,
  LargeText,
  PipelinedConnection,
  Pool,
  SharedReads,
  type StatementEnd,
} from '../src/index.js';
import { startPostgres } from './support.js';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let pool: Pool;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = new Pool({ connectionString: postgres.url, max: 4, connectionTimeoutMillis: 500, pipeline: true });
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

/** A port on which no server listens. */
async function closedPort(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('Pool', () => {
  it('throws DatabaseUnavailableError with host and reason, without the password', async () => {
    const port = await closedPort();
    const absent = new Pool({ connectionString: `postgres://me:secret@127.0.0.1:${port}/app` });
    const error = await absent.connect().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(error).toMatchObject({
      code: 'ECONNREFUSED',
      message: `PostgreSQL at 127.0.0.1:${port}, database "app": connection refused`,
    });
    await absent.end();
  });

  it('throws DatabaseUnavailableError if no connection becomes free in time', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    await expect(pool.connect()).rejects.toThrow('no free connection in the pool of 4 within 0.5 s');
    for (const client of clients) client.release();
  });

  it('reports statements with their duration and error, and never their values', async () => {
    const ends: [string, StatementEnd][] = [];
    pool.statements.listen((text) => (end) => ends.push([text, end]));
    await pool.query('SELECT $1::text', ['secret']);
    await pool.query('SELECT 1 / $1::int', [0]).catch(() => undefined);
    expect(ends.map(([text, { error }]) => [text, error?.message])).toEqual([
      ['SELECT $1::text', undefined],
      ['SELECT 1 / $1::int', 'division by zero'],
    ]);
    expect(JSON.stringify(ends)).not.toContain('secret');
  });
});

describe('bounds', () => {
  it('limits the statements of pool.query', async () => {
    const bounded = new Pool({ connectionString: postgres.url, max: 1, bounds: 'transaction' });
    const limits = `SELECT current_setting('statement_timeout') AS statement`;
    expect((await bounded.query(limits)).rows).toEqual([{ statement: '0' }]); // reads have the limit of the client
    await bounded.query('CREATE TEMPORARY TABLE limits (statement text)');
    await bounded.query(`INSERT INTO limits ${limits}`);
    expect((await bounded.query('SELECT statement FROM limits')).rows).toEqual([{ statement: '4s' }]);
    await expect(bounded.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
    await bounded.end();
  });

  it('increase with allowLong in its transaction only', async () => {
    const bounded = new Pool({ connectionString: postgres.url, max: 1, bounds: 'transaction' });
    const client = await bounded.connect();
    const limit = async () => (await client.query('SHOW statement_timeout')).rows[0];
    await client.query('START TRANSACTION');
    expect(await limit()).toEqual({ statement_timeout: '4s' });
    await allowLong(client);
    expect(await limit()).toEqual({ statement_timeout: '10s' });
    await client.query('COMMIT');
    await client.query('START TRANSACTION');
    expect(await limit()).toEqual({ statement_timeout: '4s' });
    await client.query('ROLLBACK');
    client.release();
    await bounded.end();
  });
});

describe('a transaction', () => {
  let packets: string[] = [];
  let joined: Pool;
  let proxy: Server;
  const far: Socket[] = [];

  beforeAll(async () => {
    proxy = createServer((near) => {
      const socket = connect(`${postgres.socketDir}/.s.PGSQL.5432`);
      far.push(socket);
      near.on('data', (data) => packets.push(data.toString('latin1')));
      near.on('error', () => undefined).pipe(socket);
      socket.on('error', () => near.destroy()).on('close', () => near.destroy());
      socket.pipe(near);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    joined = new Pool({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      max: 1,
      bounds: 'session',
      pipeline: true,
    });
    await joined.query('CREATE TABLE joined (value int)');
  });
  afterAll(async () => {
    await joined.end();
    proxy.close();
  });

  it('sends BEGIN and a savepoint in one packet with the next statement', async () => {
    const client = await joined.connect();
    packets = [];
    await client.query('START TRANSACTION');
    await client.query('SAVEPOINT one');
    const { rows } = await client.query('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
    expect(packets).toHaveLength(1);
    expect(packets[0]).toMatch(/START TRANSACTION.*SAVEPOINT one.*SELECT 1/s);
    await client.query('ROLLBACK');
    client.release();
  });

  it('contains the statements before the result of BEGIN', async () => {
    const client = await joined.connect();
    await client.query('START TRANSACTION');
    await client.query('INSERT INTO joined VALUES (1)');
    await client.query('ROLLBACK');
    client.release();
    expect((await joined.query('SELECT value FROM joined')).rows).toEqual([]);
  });

  it('fails with the statement after BEGIN if the connection breaks', async () => {
    const client = await joined.connect();
    for (const socket of far) socket.destroy();
    await client.query('START TRANSACTION');
    await expect(client.query('INSERT INTO joined VALUES (1)')).rejects.toThrow(/ECONN|[Cc]onnection/);
    client.release(true);
    expect((await joined.query('SELECT value FROM joined')).rows).toEqual([]);
  });
});

describe('PipelinedConnection', () => {
  it('sends statements without waiting for earlier results, and returns the rows of each', async () => {
    const connection = new PipelinedConnection(pool);
    const texts = [1, 2, 3].map((value) => ({ text: 'SELECT $1::int AS value', values: [value] }));
    const results = texts.map((text) => connection.query(text));
    expect(connection.load).toBe(3);
    expect(await Promise.all(results)).toEqual([[{ value: 1 }], [{ value: 2 }], [{ value: 3 }]]);
    expect(connection.load).toBe(0);
  });

  it('becomes full with four statements', async () => {
    const connection = new PipelinedConnection(pool);
    const results = Array.from({ length: 4 }, () => connection.query({ text: 'SELECT 1' }));
    expect(connection.isFull).toBe(true);
    await Promise.all(results);
    expect(connection.isFull).toBe(false);
  });

  it('returns the rows of the other statements if one fails', async () => {
    const connection = new PipelinedConnection(pool);
    const [first, failed, last] = await Promise.allSettled([
      connection.query({ text: 'SELECT 1 AS value' }),
      connection.query({ text: 'SELECT 1 / $1::int', values: [0] }),
      connection.query({ text: 'SELECT 3 AS value' }),
    ]);
    expect([first, last]).toMatchObject([{ value: [{ value: 1 }] }, { value: [{ value: 3 }] }]);
    expect(failed).toMatchObject({ reason: { code: '22012' } });
  });

  it('returns a large text as bytes', async () => {
    const [row] = await new PipelinedConnection(pool).query<{ text: LargeText }>({
      text: `SELECT repeat('ä', 100000) AS text`,
    });
    expect(row?.text).toBeInstanceOf(LargeText);
    expect(row?.text.length).toBe(200_000);
    expect(String(row?.text)).toBe('ä'.repeat(100_000));
  });

  it('runs a lock and the statement after it in one transaction', async () => {
    await pool.query('CREATE TABLE locked (id int PRIMARY KEY, value int NOT NULL)');
    await pool.query('INSERT INTO locked VALUES (1, 0)');
    const increment = {
      text: 'UPDATE locked SET value = value + 1 WHERE id = $1 RETURNING value',
      values: [1],
    };
    const lock = { text: 'SELECT FROM locked WHERE id = $1 FOR NO KEY UPDATE', values: [1] };
    const rows = await new PipelinedConnection(pool).query(increment, true, 5000, lock);
    expect(rows).toEqual([{ value: 1 }]);
  });
});

describe('SharedReads', () => {
  it('runs reads on the shared connection with the fewest statements', async () => {
    const reads = new SharedReads(pool, 10); // two shared connections
    const used: PipelinedConnection[] = [];
    const read = (connection: PipelinedConnection) => {
      used.push(connection);
      return connection.query({ text: 'SELECT 1' });
    };
    await Promise.all(Array.from({ length: 8 }, () => reads.run('owner', read)));
    expect(new Set(used).size).toBe(2);
    for (const connection of new Set(used)) expect(used.filter((one) => one === connection)).toHaveLength(4);
  });
});
