import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adminUrlOf, readSamples } from '../support/metrics.js';
import { startProgram } from '../support/process.js';
import { createLargePages } from '../support/large-pages.js';
import { RawConnection, sendRaw } from '../support/raw-connection.js';
import { type Tenant, TestServer, until } from '../support/server.js';

const MIB = 1024 * 1024;

let server: TestServer;
let tenant: Tenant;
let other: Tenant;
const connections: RawConnection[] = [];

beforeEach(async () => {
  server = await TestServer.start({ RATE_LIMIT: '0' });
  tenant = await server.tenant();
  other = await server.tenant();
  await createLargePages(server, tenant, 50);
  // The server knows the organization of a key after its first request.
  for (const { key } of [tenant, other]) await server.ask('/v1/me', { key });
});
afterEach(async () => {
  for (const { socket } of connections.splice(0)) socket.destroy();
  await server.stop();
});

/** Sends list requests on separate connections and reads only the first bytes of each response. */
function listUnread(count: number, url = server.url): RawConnection[] {
  const path = `/v1/status-pages?project_id=${tenant.project_id}&limit=100`;
  const opened = Array.from({ length: count }, () => {
    const connection = new RawConnection(url);
    connection.socket.once('data', () => connection.socket.pause());
    return connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`);
  });
  connections.push(...opened);
  return opened;
}

const statusesOf = (opened: RawConnection[]) => opened.flatMap(({ statuses }) => statuses);

describe('unread responses', () => {
  it('hold at most 16 MiB per key; further requests get 503', async () => {
    const requests: RawConnection[] = [];
    // One after the other, so that none is rejected because of overload.
    while (requests.length < 24 && !statusesOf(requests).includes(503)) {
      const [request] = listUnread(1);
      await request?.answers(1);
      if (request) requests.push(request);
    }
    const refused = requests.at(-1);
    expect(refused?.text).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: \d+\r\n/);
    expect(refused?.text).toMatch(
      /The API key has \d+ bytes of unread responses, and this response has \d+ bytes\./,
    );
    // The kernel buffers a part of each, the service the rest.
    const served = statusesOf(requests).filter((status) => status === 200).length;
    expect(served).toBeGreaterThan(1);

    // Small responses need no reservation, and other organizations can get large ones.
    expect((await server.list(tenant, { limit: 1, slug: 'none' })).status).toBe(200);
    expect((await server.ask(`/v1/me`, { key: other.key })).status).toBe(200);
    await server.sql('UPDATE status_pages SET organization_id = $1, project_id = $2 WHERE slug ~ $3', [
      other.organization_id,
      other.project_id,
      '^copy-[1-4]$',
    ]);
    expect((await server.list(other)).text.length).toBeGreaterThan(MIB / 4);

    for (const { socket } of requests) socket.destroy();
    await until(async () => (await server.list(tenant, { limit: 100 })).status === 200);
  });

  it('appear in the metrics', async () => {
    const program = await startProgram({ ...server.databaseEnv, ADMIN_PORT: '0', RATE_LIMIT: '0' });
    try {
      const url = await adminUrlOf(program);
      const valueOf = async (name: string) => (await readSamples(url))[`status_pages_unread_${name}`];
      expect(await ask(program.url, '/v1/me', tenant.key)).toBe(200);
      expect(await valueOf('response_bytes')).toBe(0);
      for (let count = 0; (await valueOf('responses_total{result="refused"}')) === 0 && count < 24; count++)
        await listUnread(1, program.url)[0]?.answers(1);
      expect(await valueOf('responses_total{result="refused"}')).toBe(1);
      expect(await valueOf('response_bytes')).toBeGreaterThan(MIB);
      expect(await valueOf('response_bytes')).toBeLessThan(16 * MIB);
      for (const { socket } of connections.splice(0)) socket.destroy();
      await until(async () => (await valueOf('response_bytes')) === 0);
    } finally {
      program.kill('SIGKILL');
      await program.exit();
    }
  });

  it('do not delay new connections of other clients', async () => {
    // A separate process, because the clients of this test would share its event loop.
    const program = await startProgram({ ...server.databaseEnv, LOG_LEVEL: 'info' });
    try {
      for (const key of [tenant.key, other.key]) await ask(program.url, '/v1/me', key);
      // More list requests arrive than the server can process.
      const lists: RawConnection[] = [];
      for (; lists.length < 100; await delay(10)) lists.push(...listUnread(1, program.url));
      const before = statusesOf(lists).length;
      expect(await ask(program.url, '/health/live')).toBe(200);
      // In order of arrival, it would be the last.
      expect(statusesOf(lists).length - before).toBeLessThan((100 - before) * 0.9);
      expect(await ask(program.url, `/v1/projects/${other.project_id}`, other.key)).toBe(200);
    } finally {
      for (const { socket } of connections.splice(0)) socket.destroy();
      program.kill('SIGKILL');
      await program.exit();
    }
  });
});

/** Sends a request on a separate connection. */
async function ask(url: string, path: string, key = ''): Promise<number> {
  const authorization = key === '' ? '' : `Authorization: Bearer ${key}\r\n`;
  const answer = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}
