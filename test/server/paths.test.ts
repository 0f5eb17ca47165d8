import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: string;

beforeAll(async () => {
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
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
  ])('returns 404 for %s because paths are exact', async (path) => {
    expectProblem(await server.ask(path, { key: tenant.key }), 404, 'not_found');
  });

  it('returns 404 for / with any method, unless HOME_PAGE is set', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])
      expect([method, (await server.ask('/', { method })).status]).toEqual([method, 404]);
  });

  it('returns 404 for a status page with a trailing slash', async () => {
    expect((await server.ask(`${page}/`, { method: 'PATCH', key: tenant.key, json: {} })).status).toBe(404);
  });
});
