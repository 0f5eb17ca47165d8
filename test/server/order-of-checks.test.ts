import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { useTenant, useTestServer } from '../support/server.js';
import {
  expectInvalidKey as expectInvalid,
  expectMissingKey as expectMissing,
} from '../support/expectations.js';

const server = useTestServer();
const tenant = useTenant(server);

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

describe('order of checks', () => {
  const bad = { body: 'x'.repeat(300 * 1024), headers: { 'Content-Type': 'text/plain' } };

  it('returns 401 before 403, 415, 413, 400 and 404', async () => {
    expectMissing(await server.ask('/v1/status-pages/x?y=1', { method: 'PATCH', ...bad }));
    expectInvalid(
      await server.ask('/v1/status-pages/%E0%A4%A?y=1', { method: 'PATCH', key: generateKey(), ...bad }),
    );
  });

  it('returns 403 before 415, 413, 400 and 404', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:read'] });
    expect((await server.ask('/v1/status-pages/x', { method: 'PATCH', key, ...bad })).status).toBe(403);
    const { key: writer } = await server.key(tenant.organization_id, { scopes: ['status_pages:write'] });
    expect((await server.ask('/v1/status-pages?limit=0&x=1', { key: writer })).status).toBe(403);
  });

  it('returns 415 before 413, 413 before 400, and 400 before 404', async () => {
    const ask = (headers: Record<string, string>, body: string) =>
      server.ask(`/v1/status-pages/${UNKNOWN_ID}`, { method: 'PATCH', key: tenant.key, headers, body });
    expect((await ask({ 'Content-Type': 'text/plain' }, bad.body)).status).toBe(415);
    expect((await ask({ 'Content-Type': 'application/json' }, bad.body)).status).toBe(413);
    expect((await ask({ 'Content-Type': 'application/json' }, '{"name":1}')).status).toBe(400);
    expect((await ask({ 'Content-Type': 'application/json' }, '{"name":"x"}')).status).toBe(404);
  });

  it('returns 400 before 404 in lists', async () => {
    expect((await server.list(tenant, { project_id: UNKNOWN_ID, limit: 0 })).status).toBe(400);
    expect((await server.list(tenant, { project_id: UNKNOWN_ID, cursor: 'x' })).status).toBe(400);
    expect((await server.list(tenant, { project_id: UNKNOWN_ID })).status).toBe(404);
  });
});
