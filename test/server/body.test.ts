import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../support/routes.js';
import { type Ask, type One, until, useTenant, useTestServer } from '../support/server.js';
import { expectProblem } from '../support/expectations.js';
import { sendRaw } from '../support/raw-connection.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: string;

beforeAll(async () => {
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
});

const raw = (bytes: string) => sendRaw(server.url, bytes);

/** Operations that take no body, and ignore one. */
const WITHOUT_BODY = [
  '/v1/checks/:id/run',
  '/v1/webhook-endpoints/:id/rotate-secret',
  '/v1/webhook-endpoints/:id/test',
  '/v1/deliveries/:id/retry',
  '/v1/status-pages/:id/domain/verify',
];

describe('request body validation', () => {
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
  ])('accepts the type %s', async (type) => {
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
    'application/json; charset=x-utf-8',
    'application/json; charset=utf-80',
    'json',
    '*/*',
    'application/json, text/plain',
  ])('rejects the type %s with 415 and Accept-Patch', async (type) => {
    const answer = await typed(type);
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.headers.get('accept-patch')).toBe('application/json, application/merge-patch+json');
  });

  it('accepts a type of up to 256 characters', async () => {
    const ofLength = (length: number) => 'application/json; x='.padEnd(length, 'y');
    expect((await typed(ofLength(256))).status).toBe(200);
    expect((await typed(ofLength(257))).status).toBe(415);
  });

  it('sends Accept-Patch with 415 for every PATCH and no POST', async () => {
    const id = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const headers = { 'Content-Type': 'text/plain' };
    // A push ignores its body. Amazon SNS sends JSON as text/plain.
    const others = new Set(['/v1/receivers/push', '/v1/receivers/bounces', ...WITHOUT_BODY]);
    const taking = routesOf(server.app).filter(
      ({ method, path }) =>
        path.startsWith('/v1/') && ['PATCH', 'POST'].includes(method) && !others.has(path),
    );
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

  it.each([
    ['text/plain', '{}', 'The body must be application/json or application/merge-patch+json, in UTF-8'],
    ['application/json', ' '.repeat(256 * 1024 + 1), 'The body must have at most 262144 bytes'],
    ['application/json', '', 'The text is empty; expected a JSON object'],
    ['application/json', '{"a":1,}', 'The text contains invalid JSON at position 7'],
    ['application/json', '{"name":', 'The text contains invalid JSON'],
    ['application/json', Uint8Array.of(0x7b, 0xff), 'The text contains invalid UTF-8'],
    ['application/json', '[]', 'The top level must be a JSON object'],
  ])('gives a reason for %s, %j', async (type, body, detail) => {
    expect((await typed(type, body)).body.detail).toBe(detail);
  });

  it('rejects a body without a type with 415', async () => {
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
  ])('returns 400 malformed_json for text that is not JSON: %j', async (body) => {
    const answer = await typed('application/json', body);
    expectProblem(answer, 400, 'malformed_json');
  });

  it.each(['null', '[]', '[{}]', '"x"', '1', 'true'])(
    'returns 400 malformed_json for a value that is not an object: %s',
    async (body) => {
      const answer = await typed('application/json', body);
      expectProblem(answer, 400, 'malformed_json');
    },
  );

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a truncated sequence', [0xf0, 0x9f, 0x9a]],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ])('returns 400 malformed_json for text that is not UTF-8: %s', async (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const answer = await typed('application/json', body);
    expectProblem(answer, 400, 'malformed_json');
  });

  it('accepts 256 KiB and rejects more with 413', async () => {
    const ofSize = (bytes: number) => `{"name":"x"}${' '.repeat(bytes - 12)}`;
    expect((await typed('application/json', ofSize(256 * 1024))).status).toBe(200);
    expectProblem(await typed('application/json', ofSize(256 * 1024 + 1)), 413, 'payload_too_large');
  });

  it('rejects a 10 MB body with 413 and keeps serving', async () => {
    expect((await typed('application/json', 'x'.repeat(10_000_000))).status).toBe(413);
    expect((await typed('application/json')).status).toBe(200);
  });

  it('limits chunked bodies without a length', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
    expect(await raw(`${chunked}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    expect(await raw(`${chunked}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 [^]*malformed_json/);
    const large = 300 * 1024;
    expect(await raw(`${chunked}${large.toString(16)}\r\n${' '.repeat(large)}\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
  });

  it('returns 400 malformed_request for another transfer encoding', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    for (const coding of ['gzip, chunked', 'deflate, chunked', 'identity, chunked'])
      expect(await raw(`${head}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 400 [^]*malformed_request/,
      );
    expect(await raw(`${head}Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 200 /,
    );
  });

  it('rejects a compressed body with 415', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd-x']) {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
      const { status, body } = await patch({ headers, body: gzipSync('{}') });
      expect([status, body.detail]).toEqual([415, 'The body must be sent without Content-Encoding']);
    }
    const plain = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' };
    expect((await patch({ headers: plain, body: '{}' })).status).toBe(200);
  });

  it('discards a body over the limit and keeps the connection open', async () => {
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

  it('rejects a body over the limit before it is complete', async () => {
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    expect(await raw(`${head}Content-Length: 10000000000\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /);
    const endless = `${head}Transfer-Encoding: chunked\r\n\r\n80000\r\n${' '.repeat(300 * 1024)}`;
    expect(await raw(endless)).toMatch(/^HTTP\/1.1 413 /);
  });

  /** Writes all UTF-16 code units of a text as escapes of JSON. */
  const escaped = (text: string) =>
    Array.from(text, (character) =>
      [...Array(character.length).keys()]
        .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join(''),
    ).join('');

  it.each([
    ['あ', 'plain'],
    ['あ', 'escaped'],
    ['😀', 'plain'],
    ['😀', 'escaped'],
    ['a', 'escaped'],
    ['"', 'escaped'],
  ])('limits the characters of a text of %s, %s, and not its bytes', async (character, form) => {
    const created = await server.ask<One<{ id: string }>>('/v1/incidents', {
      method: 'POST',
      key: tenant.key,
      json: { project_id: tenant.project_id, title: 'Long', status: 'resolved', body: 'Over.' },
    });
    const path = `/v1/incidents/${created.body.data.id}`;
    const bodyOf = (length: number) => {
      const text = character.repeat(length);
      const value = form === 'plain' ? JSON.stringify(text) : `"${escaped(text)}"`;
      return `{"postmortem":${value},"notify":false}`;
    };
    const change = (length: number) =>
      server.ask<One<{ postmortem: string }>>(path, {
        method: 'PATCH',
        key: tenant.key,
        headers: { 'Content-Type': 'application/json' },
        body: bodyOf(length),
      });
    const { status, body } = await change(50_000);
    expect([status, body.data.postmortem]).toEqual([200, character.repeat(50_000)]);
    const bytes = Buffer.byteLength(bodyOf(50_000)).toString(16);
    const chunked = `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await raw(`${chunked}${bytes}\r\n${bodyOf(50_000)}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    const { errors } = expectProblem(await change(50_001), 400, 'validation_failed');
    expect(errors).toMatchObject([{ code: 'too_long', pointer: '#/postmortem' }]);
  });

  it('counts each escape as its character in the limit of 256 KiB', async () => {
    const ofSize = (bytes: number) => `{"name":"${escaped('x')}"}${' '.repeat(bytes - 12)}`;
    expect((await typed('application/json', ofSize(256 * 1024))).status).toBe(200);
    expectProblem(await typed('application/json', ofSize(256 * 1024 + 1)), 413, 'payload_too_large');
    const all = `"${escaped('x'.repeat(256 * 1024))}"`;
    expectProblem(await typed('application/json', all), 413, 'payload_too_large');
  });

  it('reserves the memory of chunked bodies as they arrive', async () => {
    const body = `{"name":"${escaped('x'.repeat(200_000))}"}`;
    const head = `PATCH ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
    const unfinished = `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body.slice(0, -1)}`;
    const answers: string[] = [];
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('data', (data) => answers.push(String(data).slice(0, 12)));
      socket.on('error', () => undefined);
      return socket.setNoDelay().on('connect', () => socket.write(unfinished));
    });
    await until(async () => answers.length > 0);
    for (const socket of sockets) socket.destroy();
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 429']));
    await until(async () => (await typed('application/json')).status === 200); // when it has noticed the closed connections
  });

  it('takes less than 0.8 s of CPU time for 256 KiB', async () => {
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
    bodies.push(`{"name":"${escaped('x'.repeat(250_000))}"}`, `{"name":"${'\\\\'.repeat(125_000)}"}`);
    for (const body of bodies) {
      const started = process.cpuUsage(); // unlike a clock, it does not run while other processes work
      expect([body.slice(0, 40), (await typed('application/json', body)).status]).toEqual([
        body.slice(0, 40),
        400,
      ]);
      const { user, system } = process.cpuUsage(started);
      expect([body.slice(0, 40), user + system < 800_000]).toEqual([body.slice(0, 40), true]);
    }
  });

  it('reports at most the first 1000 errors', async () => {
    const monitor_ids = Array.from({ length: 500 }, () => 0);
    const section = (index: number) => ({ id: `s${index}`, title: 'T', monitor_ids });
    const ofSections = (count: number, others = {}) =>
      patch({ json: { sections: Array.from({ length: count }, (_, index) => section(index)), ...others } });
    const exactly = await ofSections(2);
    expect([exactly.status, exactly.body.detail, exactly.body.errors.length]).toEqual([
      400,
      '1000 fields are invalid',
      1000,
    ]);
    const more = await ofSections(200);
    expect([more.status, more.body.detail]).toEqual([
      400,
      'more than 1000 fields are invalid; the first 1000 are listed',
    ]);
    expect(more.body.errors).toEqual(exactly.body.errors);
    for (const others of [{ name: '' }, { unknown: 1 }])
      expect((await ofSections(2, others)).body.detail).toBe(more.body.detail);
  });

  it('rejects deeply nested JSON without a stack overflow', async () => {
    const deep = (levels: number) => `{"sections":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    for (const levels of [17, 1000, 100_000]) {
      expectProblem(await typed('application/json', deep(levels)), 400, 'validation_failed');
    }
    for (const field of ['name', 'is_public', 'accent_color'])
      expectProblem(
        await typed('application/json', `{"${field}":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
        400,
        'validation_failed',
        { code: 'invalid_type', pointer: `#/${field}` },
      );
    const objects = `{"x":${'{"x":'.repeat(40_000)}1${'}'.repeat(40_001)}`;
    expect((await typed('application/json', objects)).status).toBe(400);
  });

  it('ignores a body of operations without one', async () => {
    const head = `GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n`;
    expect(await raw(`${head}\r\n{{{{{`)).toMatch(/^HTTP\/1.1 200 /);
  });
});
