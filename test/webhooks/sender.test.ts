import { once } from 'node:events';
import { createServer } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasten, passTime } from '../support/clock.js';
import { useDnsServer } from '../support/dns-server.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/server.js';
import { useSenders } from './use-sender.js';

const dns = useDnsServer();
const { sender, receiver } = useSenders();

const LOCAL = '127.0.0.0/8';

const send = (url: string, signal?: AbortSignal) =>
  sender({ WEBHOOK_ALLOWED_NETWORKS: LOCAL, DNS_SERVERS: dns.address }).post(url, {}, '{}', signal);

describe('webhook request', () => {
  it('posts JSON with the given headers', async () => {
    const target = await receiver();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: LOCAL });
    const result = await own.post(target.url('127.0.0.1', '/a/b?c=d'), { 'webhook-id': '1' }, '{"ü":1}');
    expect(result).toEqual({
      status_code: 200,
      duration_ms: expect.any(Number),
      response: 'ok',
      error: null,
      retry_after_ms: null,
    });
    const [request] = target.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/a/b?c=d', body: '{"ü":1}' });
    expect(request?.headers).toMatchObject({
      host: `127.0.0.1:${target.port}`,
      'content-type': 'application/json',
      'content-length': '8',
      'user-agent': expect.stringMatching(/^status-pages\/\d+\.\d+\.\d+/),
      'webhook-id': '1',
    });
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it.each([200, 201, 202, 204, 299])('succeeds with %i', async (status) => {
    const target = await receiver();
    target.respond = (response) => response.writeHead(status, { 'retry-after': '5' }).end();
    expect(await send(target.url())).toMatchObject({
      status_code: status,
      error: null,
      retry_after_ms: null,
    });
  });

  it.each([300, 304, 400, 404, 410, 429, 500, 503])('fails with %i', async (status) => {
    const target = await receiver();
    target.respond = (response) => response.writeHead(status).end();
    const error = status < 400 ? 'redirect to another URL' : `status ${status}`;
    expect(await send(target.url())).toMatchObject({ status_code: status, error });
  });

  it('returns the first 500 bytes of the response without NUL', async () => {
    const target = await receiver();
    target.respond = (response) => response.end(`\0${'é'.repeat(300)}`);
    expect((await send(target.url())).response).toBe(`\uFFFD${'é'.repeat(249)}`);
    target.respond = (response) => response.end(Buffer.from([0xff, 0x41]));
    expect((await send(target.url())).response).toBe('\uFFFDA');
  });

  it('reads only the beginning of 100 MB', async () => {
    const target = await receiver();
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    let [written, isClosed] = [0, false];
    target.respond = (response) => {
      const chunks = function* () {
        for (; written < 100; written++) yield chunk;
      };
      pipeline(Readable.from(chunks(), { objectMode: false }), response, () => (isClosed = true));
    };
    const { status_code, response, error } = await send(target.url());
    expect([status_code, response, error]).toEqual([200, 'x'.repeat(500), null]);
    await until(async () => isClosed);
    expect(written).toBeLessThan(50); // some are in buffers
  });

  it('accepts few informational responses, and ends the attempt after many', async () => {
    const target = await receiver();
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const end = 'HTTP/1.1 204 No Content\r\n\r\n';
    target.respond = ({ socket }) => socket?.end(early.repeat(3) + end);
    expect(await send(target.url())).toMatchObject({ status_code: 204, error: null });
    target.respond = ({ socket }) => socket?.end(early.repeat(1_000) + end);
    expect(await send(target.url())).toMatchObject({
      status_code: null,
      error: 'too many informational responses',
    });
  });

  it('takes the status of a response whose body comes byte by byte, ends early or never', async () => {
    const target = await receiver();
    target.respond = (response) => {
      response.write('a');
      const timer = setInterval(() => response.write('b'), 2);
      response.on('close', () => clearInterval(timer));
    };
    expect(await hasten(send(target.url()))).toMatchObject({
      status_code: 200,
      error: null,
      response: expect.stringMatching(/^ab{1,400}$/),
    });
    target.respond = (response) => {
      response.writeHead(201, { 'content-length': '100' });
      response.write('begun', () => response.socket?.destroy());
    };
    expect(await send(target.url())).toMatchObject({ status_code: 201, error: null, response: 'begun' });
    target.respond = (response) => response.writeHead(503).flushHeaders();
    expect(await hasten(send(target.url()))).toMatchObject({
      status_code: 503,
      error: 'status 503',
      response: '',
    });
  });

  it('accepts HTTP/1.0 and informational responses', async () => {
    const target = await receiver();
    target.respond = ({ socket }) => socket?.end('HTTP/1.0 200 OK\r\n\r\nold');
    expect(await send(target.url())).toMatchObject({ status_code: 200, response: 'old', error: null });
    target.respond = (response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end('late');
    };
    expect(await send(target.url())).toMatchObject({ status_code: 200, response: 'late', error: null });
  });

  it.each([
    ['closes the connection', '', 'connection closed'],
    ['closes it within the head', 'HTTP/1.1 200 OK\r\nconte', 'connection closed'],
    ['is not HTTP', '220 mail.example ESMTP\r\n', 'the response is not HTTP'],
    [
      'has a head of 100 kB',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
      'the response is not HTTP',
    ],
  ])('fails if the server %s', async (_kind, bytes, error) => {
    const target = await receiver();
    target.respond = ({ socket }) => socket?.end(bytes);
    expect(await send(target.url())).toMatchObject({ status_code: null, response: null, error });
  });

  it('fails if nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await send(url)).toMatchObject({ status_code: null, error: 'connection refused' });
    dns.set('two.example', ['127.0.0.1', '127.0.0.2']);
    expect(await send(url.replace('127.0.0.1', 'two.example'))).toMatchObject({
      error: 'connection refused',
    });
  });

  it('fails after 15 seconds without the head of a response', async () => {
    let connections = 0;
    const silent = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const hanging = await receiver();
    hanging.respond = () => undefined;
    const slow = await receiver();
    slow.respond = ({ socket }) => {
      const bytes = [...'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'];
      const timer = setInterval(() => socket?.write(bytes.length > 1 ? (bytes.shift() ?? '') : ''), 5);
      socket?.once('close', () => clearInterval(timer));
    };
    dns.set('silent.example', ['hang']);
    const results: Awaited<ReturnType<typeof send>>[] = [];
    const requests = [
      send(hanging.url()),
      send(slow.url()),
      send(`https://127.0.0.1:${port}/`), // no TLS
      send('https://silent.example/'),
    ].map(async (request) => results.push(await request));
    while (hanging.requests.length + slow.requests.length + connections < 3) await setImmediate();
    const sockets = [...hanging.open, ...slow.open];
    await passTime(14_000);
    expect(results.map(({ error }) => error)).toEqual(['DNS: timeout']); // after 10 seconds
    await passTime(1_000);
    await Promise.all(requests);
    expect(results.map(({ error }) => error).toSorted()).toEqual([
      'DNS: timeout',
      'timeout',
      'timeout',
      'timeout',
    ]);
    for (const { duration_ms } of results.slice(1)) expect(duration_ms).toBeGreaterThanOrEqual(14_990);
    await until(async () => sockets.every(({ destroyed }) => destroyed));
    silent.close();
  });

  it('ends with the abort of the signal', async () => {
    const target = await receiver();
    const stopped = new AbortController();
    target.respond = () => stopped.abort();
    expect(await send(target.url(), stopped.signal)).toMatchObject({ status_code: null, error: 'canceled' });
    const { requests } = target;
    expect(await send(target.url(), stopped.signal)).toMatchObject({ status_code: null, error: 'canceled' });
    expect(requests).toHaveLength(1);
  });
});

describe('connections of webhooks', () => {
  it('remain open for further requests', async () => {
    const target = await receiver();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: LOCAL });
    for (let sent = 0; sent < 20; sent++) await own.post(target.url(), {}, '{}');
    target.respond = (response) => response.end('x'.repeat(10_000));
    for (let sent = 0; sent < 20; sent++) await own.post(target.url(), {}, '{}');
    expect(target.connections).toBeLessThanOrEqual(2);
    const many = () => Promise.all(Array.from({ length: 40 }, () => own.post(target.url(), {}, '{}')));
    for (const { error } of [...(await many()), ...(await many())]) expect(error).toBeNull();
    expect(target.connections).toBeLessThanOrEqual(42);
  });

  it('leave other endpoints of an origin unaffected by one that hangs', async () => {
    const target = await receiver();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: LOCAL });
    target.respond = (response, { path }) => void (path === '/hang' || response.end());
    const stopped = new AbortController();
    const hanging = Array.from({ length: 10 }, () =>
      own.post(target.url('127.0.0.1', '/hang'), {}, '{}', stopped.signal),
    );
    expect(await own.post(target.url(), {}, '{}')).toMatchObject({ status_code: 200 });
    stopped.abort();
    for (const { error } of await Promise.all(hanging)) expect(error).toBe('canceled');
  });

  it('remain open for at most 128 origins', async () => {
    const target = await receiver();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: LOCAL, DNS_SERVERS: dns.address });
    for (let host = 0; host < 200; host++) {
      dns.set(`host-${host}.example`, ['127.0.0.1']);
      expect((await own.post(target.url(`host-${host}.example`), {}, '{}')).status_code).toBe(200);
    }
    await until(async () => target.open.size <= 128);
  });

  it('close after the requests in flight when the process stops', async () => {
    const target = await receiver();
    const own = sender({ WEBHOOK_ALLOWED_NETWORKS: LOCAL });
    await own.post(target.url(), {}, '{}');
    let respond = (): unknown => undefined;
    target.respond = (response) => (respond = () => response.end('late'));
    const inFlight = own.post(target.url(), {}, '{}');
    await until(async () => target.requests.length === 2);
    own.onApplicationShutdown();
    respond();
    expect(await inFlight).toMatchObject({ status_code: 200, response: 'late' });
    target.respond = (response) => response.end();
    expect((await own.post(target.url(), {}, '{}')).status_code).toBe(200);
    await until(async () => target.open.size === 0);
  });
});
