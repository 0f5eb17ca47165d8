import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: string;

beforeAll(async () => {
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
});

describe('query validation', () => {
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
  ])('rejects an unknown parameter: %s', async (query, parameter) => {
    const body = expectProblem(await ask(query), 400, 'validation_failed');
    expect(body.errors).toMatchObject([{ code: 'unknown_parameter', parameter }]);
  });

  it.each(['&limit=1&limit=2', '&limit=1&limit=1', '&limit&limit', '&%6Cimit=1&limit=2'])(
    'rejects a repeated parameter: %s',
    async (query) => {
      expectProblem(await ask(query), 400, 'validation_failed', {
        code: 'repeated_parameter',
        parameter: 'limit',
      });
    },
  );

  it('rejects a repeated required parameter', async () => {
    const { body } = await ask(`&project_id=${tenant.project_id}`);
    expect(body.errors).toMatchObject([{ code: 'repeated_parameter', parameter: 'project_id' }]);
  });

  it('lists every invalid parameter in one response', async () => {
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
    expect(body.detail).toBe('5 fields are invalid');
  });

  it('rejects every parameter if the operation supports none', async () => {
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

  it('includes errors in the path and the body', async () => {
    const body = expectProblem(
      await server.ask('/v1/status-pages/x?limit=1', {
        method: 'PATCH',
        key: tenant.key,
        json: { name: 1, constructor: 2, sections: [{}] },
      }),
      400,
      'validation_failed',
    );
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

  it("follows the checks of the body's type and size", async () => {
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

  it('accepts an empty query', async () => {
    expect((await server.ask(`${page}?`, { method: 'PATCH', key: tenant.key, json: {} })).status).toBe(200);
    expect((await ask('&')).status).toBe(200);
  });

  it('accepts more than 1,000 parameters', async () => {
    const { body } = await ask(
      '&a'.repeat(1500).replaceAll(/&a/g, (_match, offset: number) => `&a${offset}`),
    );
    expect(body.errors.filter(({ code }) => code === 'unknown_parameter')).toHaveLength(1000);
    expect(body.detail).toBe('more than 1000 fields are invalid; the first 1000 are listed');
  });
});
