import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { sendRaw } from '../support/raw-connection.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: string;
let slow: Promise<string>; // headers that never end, from the start of the tests on

beforeAll(async () => {
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
  slow = raw('GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ');
});

const raw = (bytes: string) => sendRaw(server.url, bytes);

describe('what is no HTTP', () => {
  it.each([
    ['GARBAGE\r\n\r\n', 400, 'malformed_request'],
    ['GET / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n', 400, 'malformed_request'],
    ['GET / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['GET /health/live HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    [
      'PATCH / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('is told so, as a problem with a request id: %j', async (bytes, status, code) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(answer).toContain(`"code":"${code}"`);
  });

  it('is told nothing more where it was answered already', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(head));
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      if (text.includes('missing_api_key')) socket.write('this is no chunk\r\n');
    });
    await new Promise((resolve) => socket.on('close', resolve));
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('is not said of a request whose target is a whole URL', async () => {
    expect(await raw('GET http://x/health/live HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw('GET HTTP://x/health/live HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
    const dots = ['/health/./live', '/x/../health/live', '/%2e/health/live'];
    for (const path of dots.flatMap((one) => [one, `http://x${one}`]))
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('drops no header in silence, however many there are', async () => {
    const headers = `Host: x\r\n${'a:\r\n'.repeat(1500)}Authorization: Bearer ${tenant.key}`;
    const path = `/v1/status-pages?project_id=${tenant.project_id}`;
    expect(await raw(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('is not said of an unknown expectation, which is ignored', async () => {
    expect(await raw('GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 /,
    );
  });

  it('is not left half open for ever: headers have 10 seconds (408), the whole request 30', async () => {
    const answer = await slow;
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
    expect(server.app.getHttpServer().requestTimeout).toBe(30_000);
  });
});
