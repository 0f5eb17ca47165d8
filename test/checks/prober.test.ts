import { once } from 'node:events';
import { createServer } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hasten, passTime } from '../support/clock.js';
import { useDnsServer } from '../support/dns-server.js';
import { until } from '../support/server.js';
import { useTargets } from './use-checks.js';
import { useProber } from './use-prober.js';

const dns = useDnsServer();
const start = useTargets();
const probe = useProber(dns);

describe('an HTTP check', () => {
  it('measures each phase of a request, and sends its method, headers and body', async () => {
    const target = await start();
    dns.set('api.example', ['127.0.0.1']);
    const body: Buffer[] = [];
    target.respond = (request, response) => {
      request.on('data', (chunk: Buffer) => body.push(chunk));
      request.on('end', () => response.end('all is well'));
    };
    const result = await probe({
      target: target.url('/health?deep=1', 'api.example'),
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
      body: '{"ping":true}',
      body_contains: 'is well',
    });
    expect(result).toMatchObject({ error: null, status_code: 200, tls_ms: null });
    for (const phase of [result.dns_ms, result.connect_ms, result.first_byte_ms])
      expect(phase).toBeGreaterThanOrEqual(0);
    const [request] = target.requests;
    expect([request?.method, request?.url, Buffer.concat(body).toString()]).toEqual([
      'POST',
      '/health?deep=1',
      '{"ping":true}',
    ]);
    expect(request?.headers).toMatchObject({
      host: `api.example:${target.port}`,
      authorization: 'Bearer secret',
      'user-agent': expect.stringMatching(/^status-pages\//),
      'accept-encoding': 'identity',
    });
  });

  it.each([
    ['200-399', 503, 'status 503'],
    ['200-299,401', 401, null],
    ['200-299,401', 402, 'status 402'],
    ['404', 404, null],
  ])('compares the status with %s: %i, %s', async (expected_status, status, error) => {
    const target = await start();
    target.respond = (_request, response) => void response.writeHead(status).end();
    expect(await probe({ target: target.url(), expected_status })).toMatchObject({
      status_code: status,
      error,
    });
  });

  it('finds a text that arrives in two parts, and reports a page without it', async () => {
    const target = await start();
    target.respond = (_request, response) => {
      response.write('Sign ');
      setImmediate(() => response.end('in here'));
    };
    expect((await probe({ target: target.url(), body_contains: 'Sign in' })).error).toBeNull();
    expect((await probe({ target: target.url(), body_contains: 'Dashboard' })).error).toBe(
      'the response does not contain the text',
    );
  });

  it('reads no more than the first MiB, and nothing without body_contains', async () => {
    const target = await start();
    let isClosed = false;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    target.respond = (_request, response) => {
      const endless = new Readable({ read: () => void endless.push(chunk) });
      pipeline(endless, response, () => (isClosed = true));
    };
    expect((await probe({ target: target.url(), body_contains: 'end' })).error).toBe(
      'the response does not contain the text',
    );
    await until(async () => isClosed);
    isClosed = false;
    expect((await probe({ target: target.url() })).error).toBeNull();
    await until(async () => isClosed);
  });

  it('leaves a response compressed', async () => {
    const target = await start();
    target.respond = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('ok'));
    expect((await probe({ target: target.url(), body_contains: 'ok' })).error).toBe(
      'the response is compressed',
    );
    expect((await probe({ target: target.url() })).error).toBeNull();
  });

  it('follows redirects, but not in circles, and not to other protocols', async () => {
    const target = await start();
    target.respond = ({ url }, response) => {
      const to = { '/circle': '/circle', '/file': 'file:///etc/passwd', '/once': '/there' }[url ?? ''];
      response.writeHead(to === undefined ? 200 : 302, to === undefined ? {} : { location: to }).end();
    };
    expect(await probe({ target: target.url('/once') })).toMatchObject({ status_code: 200, error: null });
    expect((await probe({ target: target.url('/circle') })).error).toBe('too many redirects');
    expect((await probe({ target: target.url('/file') })).error).toBe('redirect to an invalid URL');
    const kept = await probe({ target: target.url('/once'), follow_redirects: false });
    expect(kept).toMatchObject({ status_code: 302, error: null });
  });

  it('sends neither the headers nor the body to another host, and no request to an internal one', async () => {
    const [target, other] = [await start(), await start()];
    target.respond = (_request, response) =>
      void response.writeHead(307, { location: other.url('/', 'localhost') }).end();
    const secret = { method: 'POST' as const, headers: { authorization: 'Bearer secret' }, body: 'secret' };
    expect((await probe({ ...secret, target: target.url() })).error).toBe('DNS: not found');
    dns.set('other.example', ['127.0.0.1']);
    target.respond = (_request, response) =>
      void response.writeHead(307, { location: other.url('/', 'other.example') }).end();
    expect((await probe({ ...secret, target: target.url() })).error).toBeNull();
    expect(target.requests[1]?.headers.authorization).toBe('Bearer secret');
    expect(other.requests.map(({ headers }) => [headers.authorization, headers['content-length']])).toEqual([
      [undefined, '0'],
    ]);
    dns.set('inside.example', ['10.0.0.1']);
    target.respond = (_request, response) =>
      void response.writeHead(302, { location: 'http://inside.example/' }).end();
    expect((await probe({ target: target.url() })).error).toBe('the address is not public');
  });

  it.each(['127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:10.0.0.1]', '0x7f.1', '168.63.129.16'])(
    'avoids %s without CHECK_ALLOWED_NETWORKS',
    async (host) => {
      expect((await probe({ target: new URL(`http://${host}:9/`).href }, {})).error).toBe(
        'the address is not public',
      );
    },
  );

  it('avoids a name with an address that is not public', async () => {
    dns.set('rebound.example', ['192.0.2.1', '10.0.0.1']);
    expect((await probe({ target: 'http://rebound.example/' }, {})).error).toBe('the address is not public');
  });

  it('fails if the target does not respond in time, or sends its body slowly', async () => {
    const target = await start();
    target.respond = ({ url }, response) => {
      if (url === '/slow') response.write('first');
    };
    for (const path of ['/silent', '/slow']) {
      const running = probe({ target: target.url(path), body_contains: 'last' });
      await until(async () => target.requests.some(({ url }) => url === path));
      await passTime(10_000);
      const { error, duration_ms } = await running;
      expect([error, duration_ms >= 10_000]).toEqual(['timeout', true]);
    }
  });

  it.each([
    ['HTTP/1.0 200 OK\r\n\r\nok', null],
    ['220 smtp.example ESMTP\r\n', 'the response is not HTTP'],
    ['', 'connection closed'],
  ])('understands a server that sends %j: %s', async (text, error) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(text));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect((await probe({ target: `http://127.0.0.1:${port}/` })).error).toBe(error);
    server.close();
  });

  it.each([
    ['responses of 1xx', 'HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n', 'too many informational responses'],
    ['empty lines', '\r\n'.repeat(32 * 1024), 'the response is too long'],
  ])('ends a flood of %s', async (_what, text, error) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      const fill = (): void => {
        for (let left = 100; left > 0 && !socket.destroyed && socket.write(text); left--);
        if (!socket.destroyed) setImmediate(fill);
      };
      socket.once('data', fill);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const running = probe({ target: `http://127.0.0.1:${port}/` });
    expect((await hasten(running)).error).toBe(error);
    server.close();
  });

  it('reports a closed port', async () => {
    const target = await start();
    const url = target.url();
    await target.stop();
    expect(await probe({ target: url })).toMatchObject({ error: 'connection refused', status_code: null });
  });
});
