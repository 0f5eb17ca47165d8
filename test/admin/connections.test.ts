import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { limitConnections } from '../../src/platform/admin/limit-connections.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/server.js';

const MAXIMUM = 4;
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

const opened: RawConnection[] = [];
/** Responses that have not been sent. */
let waiting: ServerResponse[] = [];

const server = createServer((request, response) => {
  if (request.url === '/later') waiting.push(response);
  else response.end('ok');
});
limitConnections(server, MAXIMUM);

async function open(text = ''): Promise<RawConnection> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const connection = new RawConnection(`http://127.0.0.1:${port}`);
  opened.push(connection);
  await Promise.all([once(connection.socket, 'connect'), once(server, 'connection')]);
  return text === '' ? connection : connection.send(text);
}

const isServed = async (connection: RawConnection) => {
  await connection.send(GET).answers(1);
  return connection.statuses;
};

describe('a server with as many connections as it may have', () => {
  afterEach(() => {
    for (const { socket } of opened.splice(0)) socket.destroy();
    waiting = [];
    server.closeAllConnections();
    server.close();
  });

  it('closes the connection without a request for the longest time, and serves a new one', async () => {
    const [first, second] = [await open(), await open('GET / HTTP/1.1\r\nHost: loc')];
    const served = await open();
    expect(await isServed(served)).toEqual([200]);
    await open();
    expect(await isServed(await open())).toEqual([200]);
    await first.closed;
    expect(second.socket.destroyed).toBe(false);
    expect(await isServed(await open())).toEqual([200]);
    await second.closed;
    expect(served.socket.destroyed).toBe(false);
  });

  it('keeps a connection with a request in progress', async () => {
    const later = await open('GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(async () => waiting.length === 1);
    for (let count = 0; count < 3 * MAXIMUM; count++) await open();
    waiting[0]?.end('ok');
    await later.answers(1);
    expect(later.statuses).toEqual([200]);
  });

  it('closes the oldest request if all have one in progress', async () => {
    const [oldest] = [await open('GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n')];
    await until(async () => waiting.length === 1);
    for (let count = 2; count <= MAXIMUM; count++) {
      await open('GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await until(async () => waiting.length === count);
    }
    expect(await isServed(await open())).toEqual([200]);
    await oldest?.closed;
  });
});
