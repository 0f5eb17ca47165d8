import { describe, expect, it } from 'vitest';
import { routesOf } from '../support/routes.js';
import { useTenant, useTestServer } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';

const server = useTestServer();
const tenant = useTenant(server);

describe('every ID in a path', () => {
  it('uses @UuidParam() and must be a UUID', async () => {
    const routes = routesOf(server.app).filter(({ path }) => path.startsWith('/v1/') && path.includes(':id'));
    expect(routes.length).toBeGreaterThan(10);
    for (const { method, path } of routes) {
      const { status, body } = await server.ask(path.replaceAll(':id', 'x').replaceAll(/:\w+/g, UNKNOWN_ID), {
        method,
        key: tenant.key,
        ...(['PATCH', 'POST', 'PUT'].includes(method) && { json: {} }),
      });
      const ofPath = body.errors?.filter(({ parameter }) => parameter === 'id');
      const errors = [{ code: 'invalid_format', detail: 'must be a UUID', parameter: 'id' }];
      expect([method, path, status, ofPath]).toEqual([method, path, 400, errors]);
    }
  });
});
