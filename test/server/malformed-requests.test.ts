import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ListPage, useTenant, useTestServer } from '../support/server.js';
import { RawConnection, sendRaw } from '../support/raw-connection.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: string;

beforeAll(async () => {
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
});

const raw = (bytes: string) => sendRaw(server.url, bytes);

describe('HTTP parser', () => {
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
  ])('returns a problem with a request ID for %j', async (bytes, status, code) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(answer).toContain(`"code":"${code}"`);
  });

  const json = '{"name":"Smuggled"}';
  const chunked = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;
  const headOf = (version: string, ...fields: string[]) =>
    [`POST /v1/projects HTTP/${version}`, 'Host: x', 'Content-Type: application/json', ...fields].join(
      '\r\n',
    );
  const key = () => `Authorization: Bearer ${tenant.key}`;
  const sized = `Content-Length: ${json.length}`;

  // Each request creates a project, except for the error that its name describes.
  it.each([
    [
      'Transfer-Encoding in HTTP/1.0',
      () => `${headOf('1.0', key(), 'Transfer-Encoding: chunked')}\r\n\r\n${chunked}`,
    ],
    [
      'Transfer-Encoding in HTTP/1.0 with Connection: keep-alive',
      () =>
        `${headOf('1.0', key(), 'Transfer-Encoding: chunked', 'Connection: keep-alive')}\r\n\r\n${chunked}`,
    ],
    [
      'Transfer-Encoding: gzip, chunked',
      () => `${headOf('1.1', key(), 'Transfer-Encoding: gzip, chunked')}\r\n\r\n${chunked}`,
    ],
    [
      'two Authorization headers',
      () => `${headOf('1.1', key(), 'Authorization: Bearer x', sized)}\r\n\r\n${json}`,
    ],
    ['the same Authorization header twice', () => `${headOf('1.1', key(), key(), sized)}\r\n\r\n${json}`],
    [
      'two Content-Type headers',
      () => `${headOf('1.1', key(), 'content-type: text/plain', sized)}\r\n\r\n${json}`,
    ],
    ['two Content-Length headers', () => `${headOf('1.1', key(), sized, sized)}\r\n\r\n${json}`],
    ['two Host headers', () => `${headOf('1.1', key(), 'host: y', sized)}\r\n\r\n${json}`],
    ['HTTP/2.0', () => `${headOf('2.0', key(), sized)}\r\n\r\n${json}`],
    ['HTTP/0.9', () => `${headOf('0.9', key(), sized)}\r\n\r\n${json}`],
    ['HTTP/1.2', () => `${headOf('1.2', key(), sized)}\r\n\r\n${json}`],
  ])('returns 400 and executes nothing after a request with %s', async (_case, bytes) => {
    const plain = `${headOf('1.1', key(), sized)}\r\n\r\n${json}`;
    const connection = new RawConnection(server.url).send(bytes() + plain + plain);
    expect([await connection.closed, connection.statuses]).toEqual([undefined, [400]]);
    expect(connection.text).toMatch(/\r\nConnection: close\r\n/);
    expect(connection.text).toContain('"code":"malformed_request"');
    const { body } = await server.ask<ListPage<{ name: string }>>('/v1/projects', { key: tenant.key });
    expect(body.data.filter(({ name }) => name === 'Smuggled')).toEqual([]);
  });

  it('returns 400 after the responses to preceding requests', async () => {
    const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    const faulty = `GET /v1/me HTTP/1.1\r\nHost: x\r\n${key()}\r\n${key()}\r\n\r\n`;
    const connection = new RawConnection(server.url).send(live + live + faulty + live);
    expect([await connection.closed, connection.statuses]).toEqual([undefined, [200, 200, 400]]);
    expect(connection.text).toContain('The request must have at most one Authorization header');
  });

  it('rejects a malformed request for a cached page', async () => {
    const { slug } = await server.page(tenant);
    const visit = `GET /status/${slug} HTTP/1.1\r\nHost: x\r\n`;
    expect(await raw(`${visit}\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(`${visit}Host: y\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('accepts a repeated If-Match as one list', async () => {
    const patch = `PATCH ${page} HTTP/1.1\r\nHost: x\r\n${key()}\r\nContent-Type: application/json\r\n`;
    const answer = await raw(`${patch}If-Match: "a"\r\nIf-Match: *\r\nContent-Length: 2\r\n\r\n{}`);
    expect(answer).toContain('"parameter":"If-Match"');
    expect(await raw(`${patch}If-Match: "a"\r\nIf-Match: "b"\r\nContent-Length: 2\r\n\r\n{}`)).toMatch(
      /^HTTP\/1.1 412 /,
    );
  });

  it('sends no second response', async () => {
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

  it('accepts an absolute URL', async () => {
    expect(await raw('GET http://x/health/live HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw('GET HTTP://x/health/live HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
    const dots = ['/health/./live', '/x/../health/live', '/%2e/health/live'];
    for (const path of dots.flatMap((one) => [one, `http://x${one}`]))
      expect(await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('accepts 1,500 headers', async () => {
    const headers = `Host: x\r\n${'a:\r\n'.repeat(1500)}Authorization: Bearer ${tenant.key}`;
    const path = `/v1/status-pages?project_id=${tenant.project_id}`;
    expect(await raw(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('ignores an unknown Expect header', async () => {
    expect(await raw('GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n')).toMatch(
      /^HTTP\/1.1 200 /,
    );
  });
});
