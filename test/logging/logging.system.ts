import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorSerializer } from '../../src/platform/logging/logger.js';
import { connectTo, createDatabase, type TestDatabase, whileLocked } from '../support/database.js';
import { cli, type Program, startProgram } from '../support/process.js';
import { RawConnection } from '../support/raw-connection.js';

let database: TestDatabase;
let server: Program & { url: string };
let key: string;
let project: string;

beforeAll(async () => {
  database = await createDatabase();
  server = await startProgram({ ...database.env, DEMO: 'false', LOG_LEVEL: 'trace' });
  const { stdout } = await cli(database.env, 'demo', '--pages', '1');
  ({ key, project_id: project } = JSON.parse(stdout));
});
afterAll(async () => {
  server.kill('SIGTERM');
  await server.exit();
  await database.drop();
});

interface Line {
  request_id?: string;
  [name: string]: unknown;
}

/** Sends a request and returns its line in the log. */
async function logged(path: string, init: RequestInit = {}): Promise<Line> {
  const answer = await fetch(server.url + path, init);
  await answer.text();
  const id = String(answer.headers.get('x-request-id'));
  await server.prints(new RegExp(`"request_id":"${id}".*"msg":"request completed"`));
  const lines: Line[] = server.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const [line, ...further] = lines.filter(({ request_id }) => request_id === id);
  expect(further).toEqual([]);
  return line ?? {};
}

describe('log', () => {
  it('contains one line with all fields for each request', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const line = await logged(`/v1/status-pages?project_id=${project}`, { headers });
    expect(line).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      request_id: expect.any(String),
      method: 'GET',
      path: '/v1/status-pages',
      route: '/v1/status-pages',
      status: 200,
      client_address: '127.0.0.1',
      duration_ms: expect.any(Number),
      database_ms: expect.any(Number),
      api_key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      msg: 'request completed',
    });
  });

  it('contains the time that a request waited for the database', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const sent: Promise<Line>[] = [];
    await whileLocked(database, 'monitors', async () => {
      sent.push(logged(`/v1/monitors?project_id=${project}`, { headers }));
      await delay(600);
    });
    const [line] = await Promise.all(sent);
    expect(line).toMatchObject({ status: 200 });
    expect(Number(line?.['database_ms'])).toBeGreaterThan(300);
    expect(Number(line?.['duration_ms'])).toBeGreaterThanOrEqual(Number(line?.['database_ms']) - 1);
    expect(await logged('/health/live')).not.toHaveProperty('database_ms');
  });

  it('contains the error code of a rejected request', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    expect(await logged('/v1/status-pages', { headers })).toMatchObject({
      status: 400,
      error_code: 'validation_failed',
    });
    expect(await logged('/v1/me')).toMatchObject({ status: 401, error_code: 'missing_api_key' });
    expect(await logged('/nowhere')).toMatchObject({ status: 404, error_code: 'not_found' });
  });

  it('contains a short, plain request ID of the client', async () => {
    expect(await logged('/health/live', { headers: { 'X-Request-Id': 'mine-1.2_3' } })).toMatchObject({
      client_request_id: 'mine-1.2_3',
    });
    for (const odd of ['x'.repeat(65), 'a b', 'a"b', '{}', 'ä']) {
      expect(await logged('/health/live', { headers: { 'X-Request-Id': odd } })).not.toHaveProperty(
        'client_request_id',
      );
    }
  });

  it('contains at most 8 characters of a key, and no body or query', async () => {
    const unused = 'sp_0123456789abcdefghijABCDEFGHIJ0123456789abcdef';
    for (const secret of [key, unused]) {
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      await logged(`/v1/status-pages?project_id=${project}&access_token=${secret}`, { headers });
      await logged(`/v1/status-pages/${secret}`, {
        method: 'PATCH',
        headers,
        body: `{"name":"${secret}","x":"${secret}"}`,
      });
      await logged(`/${secret}/${encodeURIComponent(secret)}`, {
        headers: { 'X-Request-Id': secret.slice(0, 30) },
      });
      await logged(`/x${secret}?${secret}`, {
        headers: { 'User-Agent': secret, Referer: secret, Cookie: secret },
      });
      await logged(`/${[...secret].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')}`);
      await logged('/v1/status-pages', { headers: { Authorization: secret } });
      const basic = `Basic ${Buffer.from(`:${secret}`).toString('base64')}`;
      await logged('/v1/receivers/push', { headers: { Authorization: basic } });
      await logged('/health/live', { headers: { 'X-Request-Id': secret.slice(3) } });
      await logged(`/${secret.slice(3, 43)}/${secret.slice(3, 28)}`);
      await logged(`/v1/${secret.slice(0, 13)}`);
    }
    const output = server.stdout + server.stderr;
    expect(output).toContain('"path":"/v1/status-pages/sp_');
    for (const secret of [key, unused]) {
      expect(output).not.toContain(secret.slice(8));
      expect(output).not.toContain(secret.slice(11, 28));
      expect(output).not.toContain(secret.slice(0, 9));
      expect(output).not.toContain(Buffer.from(`:${secret}`).toString('base64'));
    }
    expect(output).not.toMatch(/access_token|authorization|User-Agent|project_id=/i);
  });

  it('contains the address, response and reason for invalid HTTP', async () => {
    const connection = new RawConnection(server.url).send('GARBAGE\r\n\r\n');
    await connection.closed;
    const [, id = ''] = /"request_id":"([0-9a-f-]{36})"/.exec(connection.text) ?? [];
    const [line] = await server.prints(new RegExp(`.*"request_id":"${id}".*`));
    expect(JSON.parse(line)).toEqual({
      level: 30,
      time: expect.any(String),
      request_id: id,
      status: 400,
      client_address: '127.0.0.1',
      error_code: 'malformed_request',
      node_error_code: 'HPE_INVALID_METHOD',
      msg: 'invalid request',
    });
  });

  it('contains one line for a request with a malformed body', async () => {
    const head =
      'POST /v1/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
    const before = server.stdout.length;
    const connection = new RawConnection(server.url).send(
      `${head}Authorization: Bearer ${key}\r\n\r\nzz\r\n`,
    );
    await connection.closed;
    expect(connection.statuses).toEqual([400]);
    await logged('/health/live');
    const lines = server.stdout.slice(before).split('\n');
    expect(
      lines.filter((line) => /"msg":"(request completed|request aborted|invalid request)"/.test(line)),
    ).toEqual([expect.stringContaining('"msg":"invalid request"'), expect.stringContaining('/health/live')]);
  });

  it('contains the cause of a 500 under the request ID', async () => {
    const administrator = await connectTo(database);
    await administrator.query('ALTER TABLE monitors RENAME TO monitors_away');
    const answer = await fetch(`${server.url}/v1/monitors?project_id=${project}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    await administrator.query('ALTER TABLE monitors_away RENAME TO monitors');
    await administrator.end();
    const body = JSON.parse(await answer.text());
    expect(body).toMatchObject({ status: 500, code: 'internal_error' });
    expect(body.detail).not.toContain('monitors');
    await server.prints(
      new RegExp(
        `"request_id":"${body.request_id}","error_code":"internal_error".*"code":"42P01".*"msg":"request failed: internal error"`,
      ),
    );
    await server.prints(
      new RegExp(`"level":50,.*"request_id":"${body.request_id}".*"status":500,.*"msg":"request completed"`),
    );
  });

  it('contains a warning if a request waited too long for the database', async () => {
    const { status, request_id } = await whileLocked(database, 'monitors', async () => {
      const answer = await fetch(`${server.url}/v1/monitors?project_id=${project}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      return { status: answer.status, request_id: answer.headers.get('x-request-id') };
    });
    expect(status).toBe(503);
    await server.prints(
      new RegExp(`"level":40,.*"request_id":"${request_id}".*"status":503,.*"msg":"request completed"`),
    );
  });

  it('contains errors with type, message, stack and code, but no statement parameters', () => {
    const secret = `sp_${'s'.repeat(46)}`;
    const error = Object.assign(new TypeError(`failed for ${secret}`), {
      code: '42P01',
      parameters: ['somebody'],
      query: 'SELECT $1',
      cause: new Error(`the cause, pv_${'s'.repeat(46)}`),
    });
    const told = errorSerializer(error);
    expect(told).toMatchObject({
      type: 'TypeError',
      message: 'failed for sp_sssss…',
      code: '42P01',
      cause: { message: 'the cause, pv_sssss…' },
    });
    expect(JSON.stringify(told)).not.toMatch(/somebody|SELECT|ssssss/);
  });
});
