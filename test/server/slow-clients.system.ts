import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLargePages } from '../support/large-pages.js';
import { RawConnection } from '../support/raw-connection.js';
import { TestServer, until } from '../support/server.js';

let server: TestServer;
let listing: string;
let length: number;

beforeEach(async () => {
  server = await TestServer.start();
  const tenant = await server.tenant();
  await createLargePages(server, tenant, 100);
  const head = `Host: x\r\nAuthorization: Bearer ${tenant.key}\r\nConnection: close\r\n\r\n`;
  listing = `GET /v1/status-pages?project_id=${tenant.project_id}&limit=100 HTTP/1.1\r\n${head}`;
  const { socket, closed } = new RawConnection(server.url).send(listing);
  await closed;
  length = socket.bytesRead;
});
afterEach(() => server.stop());

/** Reads up to 2 MB at a time, with pauses, until the server closes the connection. Returns the bytes. */
async function readSlowly({ socket }: RawConnection): Promise<number> {
  while (!socket.closed) {
    const { bytesRead } = socket;
    socket.resume();
    while (!socket.closed && socket.bytesRead < bytesRead + 250_000)
      await new Promise((resolve) => setImmediate(resolve));
    socket.pause();
    await delay(250);
  }
  return socket.bytesRead;
}

describe('slow reader of a response', () => {
  it('loses its connection after it reads nothing for 30 seconds', async () => {
    const httpServer = server.app.getHttpServer();
    expect([httpServer.timeout, length > 7_000_000]).toEqual([30_000, true]);
    httpServer.timeout = 300;
    const accepted: Socket[] = [];
    httpServer.on('connection', (socket: Socket) => accepted.push(socket));
    const connections = Array.from({ length: 3 }, () => new RawConnection(server.url).send(listing));
    for (const { socket } of connections) socket.pause();
    await until(async () => accepted.length === 3 && accepted.every(({ destroyed }) => destroyed));
    for (const { socket } of connections) socket.resume();
    await Promise.all(connections.map(({ closed }) => closed));
    for (const { socket } of connections) expect(socket.bytesRead).toBeLessThan(length);
  });

  it('gets the full response if it keeps reading', async () => {
    const timeout = 1_000;
    server.app.getHttpServer().timeout = timeout;
    const started = Date.now();
    expect(await readSlowly(new RawConnection(server.url).send(listing))).toBe(length);
    expect(Date.now() - started).toBeGreaterThan(timeout);
  });

  it('gets the full response during a shutdown', async () => {
    const connection = new RawConnection(server.url).send(listing);
    await connection.answers(1);
    connection.socket.pause();
    const started = Date.now();
    const closing = server.app.close();
    expect(await readSlowly(connection)).toBe(length);
    expect(Date.now() - started).toBeGreaterThan(1_000); // the timeout for idle connections
    await closing;
  });
});
