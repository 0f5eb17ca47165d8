import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Logger } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client } from 'pg';
import { connectionShares } from '../../src/platform/database/connection-shares.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { RawConnection } from '../support/raw-connection.js';
import { type Tenant, until, useTenant, useTestServer } from '../support/server.js';

const POOL = 5;
/** Connections of the API, of which one organization cannot have all. */
const { api: SLOTS } = connectionShares(POOL);
const server = useTestServer({ DATABASE_POOL_SIZE: String(POOL) });
const tenant = useTenant(server);

let lock: Client | undefined;

/** Locks a row, like a long transaction of another client. */
async function lockPage(id: string): Promise<() => Promise<void>> {
  const client = new Client(server.env['DATABASE_URL']);
  lock = client;
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM status_pages WHERE id = $1 FOR UPDATE', [id]);
  return async () => {
    lock = undefined;
    await client.end();
  };
}

afterEach(() => lock?.end());
afterEach(() => vi.restoreAllMocks());

/** Watches the log. The returned function sums the numbers of rejected and abandoned requests in its messages. */
function watchLog(): () => { rejected: number; abandoned: number } {
  const warn = vi.spyOn(server.app.get<Logger>(LOGGER), 'warn');
  const fieldsOf = (name: string) =>
    warn.mock.calls.map((call: unknown[]) => Number(Reflect.get(Object(call[0]), name) ?? 0));
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  return () => ({ rejected: sum(fieldsOf('rejected')), abandoned: sum(fieldsOf('abandoned')) });
}

/** Makes the server cache a key, so that it knows the organization of later requests without the database. */
async function cacheKey({ key }: Tenant): Promise<void> {
  expect((await server.ask('/v1/me', { key })).status).toBe(200);
}

/** The number of statements that wait for a lock. */
async function countBlocked(): Promise<number> {
  const [row] = await server.sql<{ count: number }[]>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

describe('overloaded server', { tags: ['postgres'] }, () => {
  it('rejects requests that wait too long, then recovers', async () => {
    const page = await server.page(tenant);
    await cacheKey(tenant);
    const logged = watchLog();
    const unlock = await lockPage(page.id);
    const started = performance.now();
    const requests = Array.from({ length: 300 }, async (_, index) => {
      const answer = await server.patch(tenant, page.id, { name: `Name ${index}` });
      return { ...answer, time: performance.now() - started };
    });
    let refusals = 0;
    const counting = requests.map((request) =>
      request.then(({ status }) => (refusals += Number(status === 503))),
    );
    await until(async () => refusals >= 300 - POOL);
    expect((await server.ask('/health/live')).status).toBe(200);
    expect((await server.ask('/health/ready')).status).toBe(200);
    await unlock();
    await Promise.all(counting);
    const answers = await Promise.all(requests);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeLessThan(300); // those that had started are processed
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    for (const { body, headers } of refused) {
      expect([body.code, headers.get('content-type')]).toEqual([
        'unavailable',
        'application/problem+json; charset=utf-8',
      ]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(headers.get('x-request-id')).toBe(body.request_id);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await server.patch(tenant, page.id, { name: 'After' })).status).toBe(200);
    await until(async () => logged().rejected === refused.length);
    expect(logged()).toEqual({ rejected: refused.length, abandoned: 0 });
  });

  it('serves other organizations while one uses its full share', async () => {
    const [mine, other] = [await server.page(tenant), await server.tenant()];
    const theirs = await server.page(other);
    await Promise.all([cacheKey(tenant), cacheKey(other)]);
    const unlock = await lockPage(mine.id);
    const blocked = Array.from({ length: 50 }, () => server.patch(tenant, mine.id, { name: 'Blocked' }));
    await until(async () => (await countBlocked()) === SLOTS - 1);
    for (let index = 0; index < 20; index++) {
      const read = await server.ask(`/v1/status-pages/${theirs.id}`, { key: other.key });
      const written = await server.patch(other, theirs.id, { name: `Name ${index}` });
      expect([read.status, written.status]).toEqual([200, 200]);
    }
    expect(await countBlocked()).toBeLessThan(SLOTS);
    await unlock();
    await Promise.all(blocked);
  });

  it('skips queued writes of disconnected clients', async () => {
    const [page, untouched] = [await server.page(tenant), await server.page(tenant)];
    await cacheKey(tenant);
    const logged = watchLog();
    const unlock = await lockPage(page.id);
    const blocked = Array.from({ length: SLOTS }, () => server.patch(tenant, page.id, { name: 'Blocked' }));
    await until(async () => (await countBlocked()) === SLOTS - 1);
    const body = JSON.stringify({ name: 'Left' });
    const head = [
      `PATCH /v1/status-pages/${untouched.id} HTTP/1.1`,
      `Host: ${randomUUID()}`,
      `Authorization: Bearer ${tenant.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const connected = () =>
      new Promise<number>((resolve) => {
        server.app.getHttpServer().getConnections((_error: unknown, count: number) => resolve(count));
      });
    const before = await connected();
    const clients = Array.from({ length: 20 }, () =>
      new RawConnection(server.url).send(`${head.join('\r\n')}\r\n\r\n${body}`),
    );
    await until(async () => (await connected()) >= before + clients.length);
    for (const { socket } of clients) socket.destroy();
    await Promise.all(clients.map(({ closed }) => closed));
    await until(async () => (await connected()) <= before);
    await unlock();
    await Promise.all(blocked);
    const { body: found } = await server.ask(`/v1/status-pages/${untouched.id}`, tenant);
    expect(found.data.name).toBe(untouched.name);
    await until(async () => logged().abandoned === clients.length);
  });
});

describe('failed request', () => {
  it('releases its slot while its connection is still closing', async () => {
    await cacheKey(tenant);
    const head = `POST /v1/monitors HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n`;
    const malformed = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n`;
    const { hostname: host, port } = new URL(server.url);
    const ends = Array.from({ length: 2 * POOL }, async () => {
      // Keeps its side open after the server closes its own. The server then waits for two seconds.
      const socket = connect({ host, port: Number(port), allowHalfOpen: true }).resume();
      socket.write(malformed);
      const closed = once(socket, 'close');
      await once(socket, 'end');
      return { socket, closed };
    });
    const clients = await Promise.all(ends);
    const first = Promise.race(clients.map(({ closed }) => closed.then(() => 'a connection was closed')));
    const served = server.ask('/v1/me', tenant).then(({ status }) => status);
    expect(await Promise.race([served, first])).toBe(200);
    for (const { socket } of clients) socket.destroy();
  });

  it(
    'releases the memory for its body if the client disconnects during authentication',
    { tags: ['postgres'] },
    async () => {
      const { key } = await server.tenant();
      const locker = new Client(server.env['DATABASE_URL']);
      lock = locker;
      await locker.connect();
      await locker.query('BEGIN');
      await locker.query('LOCK TABLE api_keys');
      const head = `POST /v1/imports/gatus HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
      const upload = `${head}Content-Type: application/yaml\r\nContent-Length: ${5 * 1024 * 1024}\r\n\r\n`;
      const clients = Array.from({ length: POOL - 1 }, () => new RawConnection(server.url).send(upload));
      await until(async () => (await countBlocked()) > 0);
      for (const { socket } of clients) socket.destroy();
      await Promise.all(clients.map(({ closed }) => closed));
      lock = undefined;
      await locker.end();
      await until(async () => (await countBlocked()) === 0);
      expect((await server.ask('/v1/me', { key })).status).toBe(200);
      const answer = await server.ask('/v1/imports/gatus', {
        method: 'POST',
        key,
        body: 'x'.repeat(5 * 1024 * 1024),
        headers: { 'Content-Type': 'application/yaml' },
      });
      expect(answer.status).not.toBe(429);
    },
  );
});
