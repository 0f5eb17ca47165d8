import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { openDataSource } from '../../src/platform/database/open-data-source.js';
import { createDatabase, directly } from '../support/database.js';
import { refusal } from '../support/proxy.js';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => once(server.close(), 'close')));
});

/** A TCP server that passes its connections to `serve`. */
async function listen(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  servers.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A port on which each login is rejected with a SQLSTATE, in the bytes that PostgreSQL sends. */
function refusing(sqlstate: string, message: string): Promise<number> {
  return listen((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.end(refusal(sqlstate, message));
    });
  });
}

async function failureOf(url: string): Promise<string> {
  const error: unknown = await openDataSource({ url }, 2).then(
    (dataSource) => dataSource.destroy(),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : 'it started';
}

describe('startup error without the database password', () => {
  const url = (port: number) => `postgres://ann:sesame@127.0.0.1:${port}/pages?sslpassword=sesame`;
  const at = (port: number) => `PostgreSQL at 127.0.0.1:${port}, database "pages"`;

  it('reports a port without a listener', async () => {
    expect(await failureOf(url(1))).toBe(`${at(1)}: connection refused`);
  });

  it('reports an unknown host', async () => {
    expect(await failureOf('postgres://ann:sesame@no.such.host.invalid/pages')).toMatch(
      /^PostgreSQL at no\.such\.host\.invalid:5432, database "pages": host "no\.such\.host\.invalid" (not found|cannot be resolved at the moment)$/,
    );
  });

  it.each([
    ['28P01', 'Passwort falsch', 'password authentication failed for user "ann"'],
    ['3D000', 'Datenbank fehlt', 'database "pages" does not exist'],
    ['28000', 'no pg_hba.conf entry, no encryption', 'no pg_hba.conf entry, no encryption (28000)'],
    ['53300', 'sorry, too many clients already', 'too many connections'],
    ['57P03', 'starting up', 'the server is starting up, shutting down or in recovery'],
    ['XX000', 'of\n two lines', 'of two lines (XX000)'],
  ])('reports a login rejected with SQLSTATE %s, in any language', async (sqlstate, message, reason) => {
    const port = await refusing(sqlstate, message);
    expect(await failureOf(url(port))).toBe(`${at(port)}: ${reason}`);
  });

  it('reports a server that does not respond', async () => {
    const port = await listen((socket) => socket.on('error', () => undefined));
    expect(await failureOf(url(port))).toBe(`${at(port)}: no response within 4 s`);
  });

  it.each(['sslrootcert', 'sslcert', 'sslkey'])('reports a missing file of %s', async (name) => {
    const others = ['sslrootcert', 'sslcert', 'sslkey'].filter((other) => other !== name);
    const files = others.map((other) => `&${other}=package.json`).join('');
    expect(await failureOf(`${url(1)}${files}&${name}=/nowhere/file`)).toBe(
      `${at(1)}: the ${name} "/nowhere/file" cannot be read (ENOENT)`,
    );
  });

  it('reports a server without TLS, if the URL requires it', async () => {
    const port = await listen((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('N'));
    });
    expect(await failureOf(`${url(port)}&sslmode=verify-full`)).toBe(
      `${at(port)}: The server does not support SSL connections`,
    );
  });
});

describe('startup on PostgreSQL', { tags: ['postgres'] }, () => {
  it('reports an unknown database or role', async () => {
    const absent = new URL(String(process.env['TEST_DATABASE_URL']));
    absent.pathname = '/nowhere';
    expect(await failureOf(absent.href)).toMatch(/, database "nowhere": database "nowhere" does not exist$/);
    absent.pathname = '/postgres';
    absent.username = 'nobody';
    expect(await failureOf(absent.href)).toMatch(/: role "nobody" does not exist \(28000\)$/);
  });

  it('reports that PostgreSQL is too old', async () => {
    const database = await createDatabase();
    const client = new Client(directly(database.env.DATABASE_URL));
    await client.connect();
    // No old server is available, so this one is made to report an old version.
    await client.query(
      `CREATE FUNCTION current_setting(name text) RETURNS text LANGUAGE sql AS $$ SELECT '14.11' $$`,
    );
    await client.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
    END $$`);
    await client.end();
    expect(await failureOf(database.env.DATABASE_URL)).toBe(
      'PostgreSQL 14.11 is too old. Version 15 or later is required',
    );
    await database.drop();
  });
});
