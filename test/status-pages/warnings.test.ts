import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';

const WARNINGS = [
  {
    code: 'mail_not_configured',
    detail: 'visitors cannot subscribe by mail, because the server has no SMTP_URL',
    pointer: '#/subscribe_enabled',
  },
];

describe('subscribe_enabled on a server without mail', () => {
  const server = useTestServer();
  const tenant = useTenant(server);

  it('returns a warning with a new status page, also in a replayed response', async () => {
    const json = { project_id: tenant.project_id, name: 'Mail', subscribe_enabled: true };
    const headers = { 'Idempotency-Key': 'warn' };
    const post = () => server.ask('/v1/status-pages', { method: 'POST', key: tenant.key, json, headers });
    const first = await post();
    expect(first.body).toEqual({
      data: expect.objectContaining({ subscribe_enabled: true }),
      warnings: WARNINGS,
    });
    expect((await post()).body).toEqual(first.body);
  });

  it('returns a warning with changed settings, but not for false or an omitted field', async () => {
    const { id } = await server.page(tenant);
    const change = (json: object) =>
      server.ask(`/v1/status-pages/${id}/settings`, { method: 'PATCH', key: tenant.key, json });
    expect((await change({ subscribe_enabled: true })).body).toEqual({
      data: expect.objectContaining({ subscribe_enabled: true }),
      warnings: WARNINGS,
    });
    for (const json of [{ subscribe_enabled: false }, { rss_enabled: true }, {}])
      expect(Object.keys((await change(json)).body)).toEqual(['data']);
  });
});

describe('subscribe_enabled on a server with mail', () => {
  const server = useTestServer({ MAIL_DIR: join(tmpdir(), 'status-pages-warnings') });
  const tenant = useTenant(server);

  it('returns no warning', async () => {
    const json = { project_id: tenant.project_id, name: 'Mail', subscribe_enabled: true };
    const { status, body } = await server.ask('/v1/status-pages', { method: 'POST', key: tenant.key, json });
    expect([status, Object.keys(body)]).toEqual([201, ['data']]);
  });
});
