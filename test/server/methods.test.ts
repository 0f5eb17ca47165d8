import { beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../support/routes.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: string;

beforeAll(async () => {
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
});

describe('methods', () => {
  it('HEAD returns the response of GET without the body', async () => {
    const path = `/v1/status-pages?project_id=${tenant.project_id}`;
    const get = await server.ask(path, { key: tenant.key });
    const head = await server.ask(path, { key: tenant.key, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect((await server.ask('/v1/status-pages', { method: 'HEAD' })).status).toBe(401);
  });

  it.each(['/health/live', '/health/ready', '/problems', '/problems/not_found', '/openapi.json', '/docs'])(
    'HEAD %s returns the response of GET without the body',
    async (path) => {
      const [get, head] = [await server.ask(path), await server.ask(path, { method: 'HEAD' })];
      const type = get.headers.get('content-type');
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([get.status, '', type]);
    },
  );

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
  ])('OPTIONS %s returns 204 with Allow, without a key', async (path, allow, acceptPatch) => {
    const { status, headers, text } = await server.ask(path, { method: 'OPTIONS' });
    expect([status, headers.get('allow'), headers.get('accept-patch'), text]).toEqual([
      204,
      allow,
      acceptPatch,
      '',
    ]);
  });

  it('OPTIONS returns 404 for an unknown path', async () => {
    expect((await server.ask('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s /v1/status-pages returns 405 with Allow', async (method) => {
    const { status, body, headers } = await server.ask('/v1/status-pages', { method, key: tenant.key });
    expect([status, body.code, headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, OPTIONS, POST',
    ]);
  });

  it.each(['POST', 'PUT'])('%s /v1/status-pages/{id} returns 405 with Allow', async (method) => {
    const { status, body, headers } = await server.ask(page, { method, key: tenant.key });
    expect([status, body.code, headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'DELETE, GET, HEAD, OPTIONS, PATCH',
    ]);
  });

  it('unsupported methods return 405 with Allow on every path', async () => {
    const paths = new Map<string, Set<string>>();
    for (const { method, path } of routesOf(server.app))
      paths.set(path, (paths.get(path) ?? new Set(['OPTIONS'])).add(method));
    // `/v1/subscribers/batch` also matches the path of a subscriber.
    for (const [path, methods] of paths) {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/:]+')}$`);
      for (const [other, own] of paths) if (pattern.test(other)) for (const one of methods) own.add(one);
    }
    // Excludes patterns for many paths, because another route can also match them.
    const plain = [...paths].filter(([path]) => !path.includes('*'));
    for (const prefix of ['/v1/', '/status/', '/docs', '/health/', '/problems', '/openapi.json'])
      expect(plain.some(([path]) => path.startsWith(prefix))).toBe(true);
    for (const [path, methods] of plain) {
      if (methods.has('GET')) methods.add('HEAD');
      const allow = [...methods].toSorted().join(', ');
      const concrete = path.replaceAll(/:\w+/g, 'x');
      const options = await server.ask(concrete, { method: 'OPTIONS' });
      expect([path, options.status, options.headers.get('allow')]).toEqual([path, 204, allow]);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !methods.has(one))) {
        const { status, headers } = await server.ask(concrete, { method });
        expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, allow]);
      }
    }
  });

  it('PATCH /v1/status-pages/{id}: ignores X-HTTP-Method-Override', async () => {
    const headers = { 'X-HTTP-Method-Override': 'PATCH' };
    expect((await server.ask(page, { method: 'POST', key: tenant.key, headers, json: {} })).status).toBe(405);
  });
});
