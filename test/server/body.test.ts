import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../support/routes.js';
import { type Answer, type Ask, type Tenant, useTestServer } from '../support/server.js';

const server = useTestServer();
let tenant: Tenant;
let page: string;
let slow: Promise<string>; // headers that never end, from the start of the tests on

beforeAll(async () => {
  tenant = await server.tenant();
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
  slow = raw('GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ');
});

/** Sends bytes as they are, and answers what comes back until the server closes or has said enough. */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setTimeout(60_000, () => socket.destroy(new Error(`no answer: ${text}`)));
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const [, length = '0'] = /content-length: (\d+)/i.exec(head) ?? [];
      if (body !== undefined && body.length >= Number(length)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('methods', () => {
  it('HEAD works where GET does, with the headers of GET and no body', async () => {
    const path = `/v1/status-pages?project_id=${tenant.project_id}`;
    const get = await server.ask(path, { key: tenant.key });
    const head = await server.ask(path, { key: tenant.key, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect((await server.ask('/v1/status-pages', { method: 'HEAD' })).status).toBe(401);
  });

  it.each([
    ['/v1/status-pages', 'GET, HEAD, OPTIONS, POST', null],
    [
      '/v1/status-pages/x',
      'DELETE, GET, HEAD, OPTIONS, PATCH',
      'application/json, application/merge-patch+json',
    ],
    ['/health/live', 'GET, HEAD, OPTIONS', null],
    ['/problems/not_found', 'GET, HEAD, OPTIONS', null],
    ['/openapi.json', 'GET, HEAD, OPTIONS', null],
  ])('OPTIONS on %s is 204 with Allow, and no key is needed', async (path, allow, acceptPatch) => {
    const { status, headers, text } = await server.ask(path, { method: 'OPTIONS' });
    expect([status, headers.get('allow'), headers.get('accept-patch'), text]).toEqual([
      204,
      allow,
      acceptPatch,
      '',
    ]);
  });

  it('OPTIONS on a path that does not exist is 404', async () => {
    expect((await server.ask('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s on the list is 405 with Allow', async (method) => {
    const { status, body, headers } = await server.ask('/v1/status-pages', { method, key: tenant.key });
    expect([status, body.code, headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, OPTIONS, POST',
    ]);
  });

  it.each(['POST', 'PUT'])('%s on a page is 405 with Allow', async (method) => {
    const { status, body, headers } = await server.ask(page, { method, key: tenant.key });
    expect([status, body.code, headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'DELETE, GET, HEAD, OPTIONS, PATCH',
    ]);
  });

  it('that change the method by a header are not heard', async () => {
    const headers = { 'X-HTTP-Method-Override': 'PATCH' };
    expect((await server.ask(page, { method: 'POST', key: tenant.key, headers, json: {} })).status).toBe(405);
  });
});

describe('a page of another site', () => {
  const preflight = (path: string, headers: Record<string, string>) =>
    server.ask(path, { method: 'OPTIONS', headers });
  const ofCors = ({ status, headers }: Answer) => [
    status,
    ...['methods', 'headers'].map((what) => headers.get(`access-control-allow-${what}`)),
    headers.get('access-control-max-age'),
    headers.get('allow'),
  ];

  it.each([
    ['/v1/status-pages', 'GET', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/status-pages/x', 'PATCH', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/v1/status-pages/x', 'DELETE', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/openapi.json', 'GET', 'GET, HEAD, OPTIONS'],
  ])('that asks before it sends is told what it may: %s, %s', async (path, method, methods) => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': method };
    const answer = await preflight(path, headers);
    expect(ofCors(answer)).toEqual([
      204,
      methods,
      'Authorization, Content-Type, If-Match, If-None-Match',
      '86400',
      methods,
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('is told nothing of it by an OPTIONS that does not ask', async () => {
    const halves = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' };
    for (const [name, value] of Object.entries(halves)) {
      const answer = await preflight('/v1/status-pages', { [name]: value });
      expect(ofCors(answer)).toEqual([204, null, null, null, 'GET, HEAD, OPTIONS, POST']);
    }
  });

  it('is never allowed to send cookies', async () => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' };
    const answers = [
      await preflight('/v1/status-pages', headers),
      await server.ask('/health/live', { headers }),
    ];
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

describe('paths', () => {
  it.each([
    '/V1/status-pages',
    '/v1/Status-Pages',
    '/v1/status-pages/',
    '/v1//status-pages',
    '//v1/status-pages',
    '/v1/status_pages',
    '/v1/status%2Dpages',
    '/v1/status-pages/x/y',
    '/v2/status-pages',
    '/status-pages',
    '/v1',
    '/',
    '/health',
    '/health/live/',
    '/%E0%A4%A',
    '/%',
  ])('are exact: %s is 404', async (path) => {
    const { status, body } = await server.ask(path, { key: tenant.key });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it('of a page end without a slash', async () => {
    expect((await server.ask(`${page}/`, { method: 'PATCH', key: tenant.key, json: {} })).status).toBe(404);
  });
});

describe('the query', () => {
  const ask = (query: string) =>
    server.ask(`/v1/status-pages?project_id=${tenant.project_id}${query}`, { key: tenant.key });

  it.each([
    ['&foo=1', 'foo'],
    ['&Limit=1', 'Limit'],
    ['&project_id[]=1', 'project_id[]'],
    ['&filter[a]=1', 'filter[a]'],
    ['&__proto__=1', '__proto__'],
    ['&constructor=1', 'constructor'],
    ['&toString=1', 'toString'],
    ['&%E0%A4%A=1', '%E0%A4%A'],
    ['&=1', ''],
    ['&limit%00=1', 'limit\u0000'],
  ])('refuses an unknown parameter: %s', async (query, parameter) => {
    const { status, body } = await ask(query);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toMatchObject([{ code: 'unknown_parameter', parameter }]);
  });

  it.each(['&limit=1&limit=2', '&limit=1&limit=1', '&limit&limit', '&%6Cimit=1&limit=2'])(
    'refuses a repeated parameter: %s',
    async (query) => {
      const { status, body } = await ask(query);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ code: 'repeated_parameter', parameter: 'limit' }]);
    },
  );

  it('refuses the one parameter that is required when it is repeated', async () => {
    const { body } = await ask(`&project_id=${tenant.project_id}`);
    expect(body.errors).toMatchObject([{ code: 'repeated_parameter', parameter: 'project_id' }]);
  });

  it('names every bad parameter at once', async () => {
    const { body } = await server.ask('/v1/status-pages?project_id=x&limit=0&cursor=y&foo=1&bar=2', {
      key: tenant.key,
    });
    expect(body.errors.map(({ parameter }) => parameter).toSorted()).toEqual([
      'bar',
      'cursor',
      'foo',
      'limit',
      'project_id',
    ]);
    expect(body.code).toBe('validation_failed');
    expect(body.detail).toBe('5 fields are not valid');
  });

  it('of an operation that has none refuses every parameter', async () => {
    const { status, body } = await server.ask(`${page}?limit=1&x`, {
      method: 'PATCH',
      key: tenant.key,
      json: {},
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ code, parameter }) => [code, parameter])).toEqual([
      ['unknown_parameter', 'limit'],
      ['unknown_parameter', 'x'],
    ]);
    expect((await server.ask('/health/live?x=1')).status).toBe(400);
  });

  it('is told at once with the path and the body: every bad field of the request', async () => {
    const { status, body } = await server.ask('/v1/status-pages/x?limit=1', {
      method: 'PATCH',
      key: tenant.key,
      json: { name: 1, constructor: 2, sections: [{}] },
    });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors.map(({ code, pointer, parameter }) => [code, pointer ?? parameter])).toEqual([
      ['invalid_format', 'id'],
      ['unknown_parameter', 'limit'],
      ['unknown_field', '#/constructor'],
      ['invalid_type', '#/name'],
      ['required', '#/sections/0/id'],
      ['required', '#/sections/0/title'],
      ['required', '#/sections/0/monitor_ids'],
    ]);
  });

  it('comes after the type and the size of the body: 415 and 413 first', async () => {
    const send = (type: string, body: string) =>
      server.ask(`${page}?limit=1`, {
        method: 'PATCH',
        key: tenant.key,
        headers: { 'Content-Type': type },
        body,
      });
    expect((await send('text/plain', '{}')).status).toBe(415);
    expect((await send('application/json', ' '.repeat(300 * 1024))).status).toBe(413);
    expect((await send('application/json', '{}')).status).toBe(400);
  });

  it('may be empty', async () => {
    expect((await server.ask(`${page}?`, { method: 'PATCH', key: tenant.key, json: {} })).status).toBe(200);
    expect((await ask('&')).status).toBe(200);
  });

  it('may be longer than a thousand parameters, and none is left out', async () => {
    const { body } = await ask(
      '&a'.repeat(1500).replaceAll(/&a/g, (_match, offset: number) => `&a${offset}`),
    );
    expect(body.errors.filter(({ code }) => code === 'unknown_parameter')).toHaveLength(1000);
    expect(body.detail).toBe('more than 1000 fields are not valid; the first 1000 are listed');
  });
});

describe('the body', () => {
  const patch = (ask: Ask) => server.ask(page, { method: 'PATCH', key: tenant.key, ...ask });
  const typed = (type: string, body: string | Uint8Array = '{}') =>
    patch({ headers: { 'Content-Type': type }, body });

  it.each([
    'application/json',
    'application/merge-patch+json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'APPLICATION/JSON',
  ])('may be %s', async (type) => {
    expect((await typed(type)).status).toBe(200);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'json',
    '*/*',
    'application/json, text/plain',
  ])('of another type is 415 with Accept-Patch: %s', async (type) => {
    const { status, body, headers } = await typed(type);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(headers.get('accept-patch')).toBe('application/json, application/merge-patch+json');
  });

  it('of another type is 415 with Accept-Patch for every PATCH, and without for every POST', async () => {
    const id = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const headers = { 'Content-Type': 'text/plain' };
    const taking = routesOf(server.app).filter(({ method }) => method === 'PATCH' || method === 'POST');
    expect(taking.length).toBeGreaterThan(8);
    for (const { method, path } of taking) {
      const asked = path.startsWith('/v1/imports') ? `${path}?project_id=${id}` : path.replace(':id', id);
      const answer = await server.ask(asked, { method, key: tenant.key, headers, body: 'x' });
      expect([method, path, answer.status, answer.headers.get('accept-patch')]).toEqual([
        method,
        path,
        415,
        method === 'PATCH' ? 'application/json, application/merge-patch+json' : null,
      ]);
    }
  });

  it('without a type is 415', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n`;
    expect(await raw(`${head}Content-Length: 2\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 415 /);
  });

  it.each([
    '',
    ' ',
    '{',
    '{"name":"x"',
    '{"name":"x"}}',
    "{'name':'x'}",
    '{name:1}',
    '{"a":1,}',
    'undefined',
    'NaN',
    '{"name":"\n"}',
    '\u{feff}x',
  ])('that is not JSON is 400 malformed_json: %j', async (body) => {
    const answer = await typed('application/json', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
  });

  it.each(['null', '[]', '[{}]', '"x"', '1', 'true'])(
    'that is no object is 400 malformed_json: %s',
    async (body) => {
      const answer = await typed('application/json', body);
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
    },
  );

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xf0, 0x9f, 0x9a]],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ])('that is not valid UTF-8 is 400 malformed_json: %s', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const answer = await typed('application/json', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
  });

  it('may have 256 KiB, and no more: 413', async () => {
    const ofSize = (bytes: number) => `{"name":"x"}${' '.repeat(bytes - 12)}`;
    expect((await typed('application/json', ofSize(256 * 1024))).status).toBe(200);
    const { status, body } = await typed('application/json', ofSize(256 * 1024 + 1));
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
  });

  it('of 10 MB is 413, and the server goes on', async () => {
    expect((await typed('application/json', 'x'.repeat(10_000_000))).status).toBe(413);
    expect((await typed('application/json')).status).toBe(200);
  });

  it('may be sent in chunks, without a length, under the same limit', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
    expect(await raw(`${chunked}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(`${chunked}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 [^]*malformed_json/);
    const large = 300 * 1024;
    expect(await raw(`${chunked}${large.toString(16)}\r\n${' '.repeat(large)}\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
  });

  it('in another transfer coding is 400 malformed_request', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    for (const coding of ['gzip, chunked', 'deflate, chunked', 'identity, chunked'])
      expect(await raw(`${head}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 400 [^]*malformed_request/,
      );
    expect(await raw(`${head}Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 200 /,
    );
  });

  it('that is compressed is 415', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd-x']) {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
      expect((await patch({ headers, body: gzipSync('{}') })).status).toBe(415);
    }
    const plain = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' };
    expect((await patch({ headers: plain, body: '{}' })).status).toBe(200);
  });

  it('that is too large is dropped, and the connection goes on', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    const large = 3_000_000;
    const bodies = [
      `Content-Length: ${large}\r\n\r\n${' '.repeat(large)}`,
      `Transfer-Encoding: chunked\r\n\r\n${large.toString(16)}\r\n${' '.repeat(large)}\r\n0\r\n\r\n`,
    ];
    for (const body of bodies) {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (data) => (text += data.toString()));
      socket.write(head + body);
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await new Promise((resolve) => socket.on('close', resolve));
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
    }
  });

  it('that is too large is refused before all of it has come', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    expect(await raw(`${head}Content-Length: 10000000000\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /);
    const endless = `${head}Transfer-Encoding: chunked\r\n\r\n80000\r\n${' '.repeat(300 * 1024)}`;
    expect(await raw(endless)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('of 256 KiB is checked in less than 0.8 s of the processor, whatever is in it', async () => {
    const filled = (item: (index: number) => string, length = 250_000) => {
      const items: string[] = [];
      for (let size = 0, index = 0; size < length; index++) size += (items[index] = item(index)).length + 1;
      return items.join(',');
    };
    /** 200 sections, each with `count` monitor ids. */
    const sections = (id: (index: number) => string, count = 500) =>
      Array.from(
        { length: 200 },
        (_, index) =>
          `{"id":"s${index}","title":"T","monitor_ids":[${Array.from({ length: count }, (_id, at) => id(at)).join()}]}`,
      ).join();
    const bodies = [
      `{"sections":[${filled(() => '{}')}]}`,
      `{"sections":[${filled(() => '{"id":0}')}]}`,
      `{"sections":[{"id":"a","title":"A","monitor_ids":[${filled(() => '1')}]}]}`,
      `{"sections":[[[${filled(() => '[]')}]]]}`,
      `{"name":[${filled(() => '{}')}]}`,
      `{${filled((index) => `"k${index}":1`)}}`,
      `{"sections":[{"id":"a",${filled((index) => `"k${index}":{}`)}}]}`,
      `{"name":"${'x'.repeat(250_000)}"}`,
      `{"sections":[${sections(() => '0')}]}`,
      `{"sections":[${sections(() => '""', 400)}]}`,
      `{"sections":[${sections((index) => `"0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e${index % 10}a10"`, 30)}]}`,
      `{"sections":[${Array.from({ length: 200 }, () => `{${filled((index) => `"k${index}":1`, 1_200)}}`).join()}]}`,
    ];
    for (const body of bodies) {
      const started = process.cpuUsage(); // unlike a clock, it does not run while others work
      expect([body.slice(0, 40), (await typed('application/json', body)).status]).toEqual([
        body.slice(0, 40),
        400,
      ]);
      const { user, system } = process.cpuUsage(started);
      expect([body.slice(0, 40), user + system < 800_000]).toEqual([body.slice(0, 40), true]);
    }
  });

  it('with more than 1000 bad fields is 400 with the first 1000 of them', async () => {
    const monitor_ids = Array.from({ length: 500 }, () => 0);
    const section = (index: number) => ({ id: `s${index}`, title: 'T', monitor_ids });
    const ofSections = (count: number) =>
      patch({ json: { sections: Array.from({ length: count }, (_, index) => section(index)) } });
    const exactly = await ofSections(2);
    expect([exactly.status, exactly.body.detail, exactly.body.errors.length]).toEqual([
      400,
      '1000 fields are not valid',
      1000,
    ]);
    const more = await ofSections(200);
    expect([more.status, more.body.detail]).toEqual([
      400,
      'more than 1000 fields are not valid; the first 1000 are listed',
    ]);
    expect(more.body.errors).toEqual(exactly.body.errors);
  });

  it('may be nested however deep: it is refused, and never overflows the stack', async () => {
    const deep = (levels: number) => `{"sections":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    for (const levels of [17, 1000, 100_000]) {
      const { status, body } = await typed('application/json', deep(levels));
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    }
    const objects = `{"x":${'{"x":'.repeat(40_000)}1${'}'.repeat(40_001)}`;
    expect((await typed('application/json', objects)).status).toBe(400);
  });

  it('is not looked at by operations that take none', async () => {
    const head = `GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n`;
    expect(await raw(`${head}\r\n{{{{{`)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['GARBAGE\r\n\r\n', 400, 'malformed_request'],
    ['GET / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n', 400, 'malformed_request'],
    ['GET / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
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

describe('every answer', () => {
  /** A request for each kind of answer. */
  const asks = (): [string, Ask][] => [
    [`/v1/status-pages?project_id=${tenant.project_id}`, { key: tenant.key }],
    ['/v1/status-pages', {}],
    ['/nothing', {}],
    [page, { method: 'PATCH', key: tenant.key, json: { name: 1 } }],
    [page, { method: 'PUT' }],
    [page, { method: 'OPTIONS' }],
    ['/health/live', {}],
    ['/openapi.json', {}],
    ['/docs', {}],
  ];

  it('has an X-Request-Id of the server, whatever the client sends', async () => {
    const seen = new Set<string>();
    for (const [path, ask] of asks()) {
      const { headers, body } = await server.ask(path, { ...ask, headers: { 'X-Request-Id': 'mine' } });
      const id = String(headers.get('x-request-id'));
      expect([path, id]).toEqual([
        path,
        expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      ]);
      expect(body.request_id ?? id).toBe(id);
      seen.add(id);
    }
    expect(seen.size).toBe(asks().length);
  });

  it('may be read by the pages of every site, with its headers', async () => {
    const exposed =
      'ETag, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, Allow, Accept-Patch, WWW-Authenticate';
    for (const [path, ask] of asks()) {
      const { headers } = await server.ask(path, ask);
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
      expect([path, headers.get('access-control-expose-headers')]).toEqual([path, exposed]);
    }
    const malformed = await raw('GARBAGE\r\n\r\n');
    expect(malformed).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
    expect(malformed).toContain(`\r\nAccess-Control-Expose-Headers: ${exposed}\r\n`);
  });

  it('is for nobody to cache, and says nothing of what runs here', async () => {
    const { headers } = await server.list(tenant);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
    expect(headers.get('etag')).toBeNull();
  });

  it('may not be framed, and loads nothing; the documentation loads what is its own', async () => {
    for (const [path, ask] of asks().filter(([asked]) => asked !== '/docs')) {
      const { headers } = await server.ask(path, ask);
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        "default-src 'none';frame-ancestors 'none'",
      ]);
      expect([path, headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual([
        path,
        'DENY',
        'no-referrer',
      ]);
    }
    const { headers } = await server.ask('/docs');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'self';.*frame-ancestors 'self';.*script-src 'self';/,
    );
  });
});
