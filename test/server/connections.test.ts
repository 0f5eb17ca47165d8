import { afterEach, describe, expect, it } from 'vitest';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { RawConnection } from '../support/raw-connection.js';
import { useTenant, useTestServer, until } from '../support/server.js';
import { isThorough } from '../support/thorough.js';

const server = useTestServer();
const tenant = useTenant(server);

const LIVE = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const open = () => new RawConnection(server.url);

/** A connection that has already served a request. */
async function openUsed(): Promise<RawConnection> {
  const connection = open().send(LIVE);
  await connection.answers(1);
  return connection;
}

function requestOf(method: string, path: string, key: string, json?: object): string {
  const body = json ? JSON.stringify(json) : '';
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  const ofBody = json
    ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
    : '';
  return `${head}${ofBody}\r\n${body}`;
}

const ERRORS = [
  [400, 'malformed_request', 'GARBAGE\r\n\r\n'],
  [431, 'headers_too_large', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  [408, 'request_timeout', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: '],
] as const;

describe('HTTP protocol error', () => {
  afterEach(() => (server.app.getHttpServer().headersTimeout = 10_000));
  /** Only for 408, because other requests also take 200 ms while the process stands still. */
  const shortenTimeout = (status: number) => {
    if (status === 408) server.app.getHttpServer().headersTimeout = 200; // checked once a second
  };

  it.each(ERRORS)('returns %i %s on a new connection and closes it', async (status, code, bytes) => {
    shortenTimeout(status);
    const connection = open().send(bytes);
    expect(await connection.closed).toBeUndefined();
    expect(connection.statuses).toEqual([status]);
    expect(connection.text).toContain(`"code":"${code}"`);
    expect(connection.text).toContain('Connection: close\r\n');
  });

  it.each(ERRORS)('returns %i %s on a connection that has served a request', async (status, code, bytes) => {
    shortenTimeout(status);
    const connection = (await openUsed()).send(bytes);
    expect(await connection.closed).toBeUndefined();
    expect(connection.statuses).toEqual([200, status]);
    expect(connection.text).toContain(`"code":"${code}"`);
  });

  it('returns a complete 431 without a reset while the client still sends', async () => {
    const attempt = async (index: number) => {
      const connection = index % 2 === 0 ? open() : await openUsed();
      const url = `GET /${'x'.repeat(17_000 + index * 2_000)} HTTP/1.1\r\nHost: x\r\n`;
      connection.send(`${url}Content-Length: 1000000\r\n\r\n${'y'.repeat((index % 10) * 100_000)}`);
      const reset = await connection.closed;
      return [reset, connection.statuses.at(-1), connection.text.endsWith('}')];
    };
    for (let round = 0; round < (isThorough ? 20 : 4); round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => attempt(round + index)));
      expect(answers).toEqual(answers.map(() => [undefined, 431, true]));
    }
  });

  it('replaces the pending response if the body is malformed', async () => {
    const head = `PATCH /v1/status-pages/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n`;
    const chunked = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const connection = open().send(`${LIVE}${chunked}this is no chunk\r\n`);
    expect(await connection.closed).toBeUndefined();
    expect(connection.statuses).toEqual([200, 400]);
    expect(connection.text).toContain('"code":"malformed_request"');
  });

  it('closes the connection of a client that keeps it half open', async () => {
    const connection = open();
    connection.socket.allowHalfOpen = true;
    connection.send('GARBAGE\r\n\r\n');
    let isClosed = false;
    void connection.closed.then(() => (isClosed = true));
    await until(async () => {
      connection.send('more'); // fails after the server has also closed its side
      return isClosed;
    });
    expect(connection.statuses).toEqual([400]);
  });
});

describe('pipelined requests', () => {
  it('get responses in order', async () => {
    const requests = ['/health/live', '/nothing', '/v1/me', '/health/live'];
    const connection = open();
    connection.send(requests.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    await connection.answers(4);
    expect(connection.statuses).toEqual([200, 404, 401, 200]);
    connection.socket.destroy();
  });

  it('get all responses, even 2,000 on one connection', async () => {
    const connection = open();
    for (let round = 0; round < 4; round++) connection.send(LIVE.repeat(500));
    await connection.answers(2_000);
    expect(new Set(connection.statuses)).toEqual(new Set([200]));
    connection.socket.destroy();
  });

  it('get their responses before a following protocol error', async () => {
    const { id } = await server.page(tenant);
    const patch = requestOf('PATCH', `/v1/status-pages/${id}`, tenant.key, { name: 'Patched' });
    const connection = open().send(`${LIVE}${patch}GARBAGE\r\n\r\n`);
    expect(await connection.closed).toBeUndefined();
    expect(connection.statuses).toEqual([200, 200, 400]);
    expect(connection.text).toMatch(/"name":"Patched"[^]*"code":"malformed_request"/);
  });

  it('do not delay other connections', async () => {
    const connection = open().send(requestOf('GET', '/v1/me', generateKey()).repeat(500));
    await connection.answers(1);
    expect((await server.ask('/health/live')).status).toBe(200);
    expect((await server.list(tenant)).status).toBe(200);
    expect(connection.statuses.length).toBeLessThan(400);
    await connection.answers(500);
    connection.socket.destroy();
  });

  it('stop if the client disconnects', async () => {
    const create = requestOf('POST', '/v1/monitors', tenant.key, {
      project_id: tenant.project_id,
      name: 'Monitor',
    });
    const count = async () => {
      const [row] = await server.sql<{ count: number }[]>(
        'SELECT count(*)::int AS count FROM monitors WHERE project_id = $1',
        [tenant.project_id],
      );
      return row?.count ?? 0;
    };
    const connection = open().send(create.repeat(200));
    await connection.answers(1);
    connection.socket.destroy();
    await server.ask(`/v1/monitors?project_id=${tenant.project_id}`, { key: tenant.key });
    expect(await count()).toBeLessThan(100);
  });
});
