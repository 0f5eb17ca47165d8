import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { useAdmin } from './use-admin.js';

const CONNECTIONS = 1_000;
const server = useAdmin();
let sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

describe('the admin port with 1,000 connections', () => {
  it.each([
    ['without a request', ''],
    ['without complete headers', 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: '],
  ])('responds to probes and proxies: %s', async (_, text) => {
    const { hostname, port } = new URL(server.admin_url);
    sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on('error', () => undefined);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) if (text !== '') socket.write(text);
    for (const [path, status] of [
      ['/health/live', 200],
      ['/health/ready', 200],
      ['/metrics', 200],
      ['/tls/ask?domain=unknown.example', 404],
    ] as const) {
      const started = performance.now();
      const response = await fetch(server.admin_url + path, { headers: { Connection: 'close' } });
      expect([path, response.status]).toEqual([path, status]);
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});
