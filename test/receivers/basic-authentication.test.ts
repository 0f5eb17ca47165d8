import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/platform/auth/key-format.js';
import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { BASIC_CHALLENGE, expectMissingKey, expectProblem } from '../support/expectations.js';
import { useReceivers } from './use-receivers.js';

const { server, tenant, monitors } = useReceivers();

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

/** A request to each operation that accepts Basic authentication. */
async function requests(): Promise<[string, { method: string; json?: object }][]> {
  const [id = ''] = await monitors(1);
  return [
    [`/v1/receivers/push?monitor_id=${id}`, { method: 'GET' }],
    [`/v1/receivers/push?monitor_id=${id}`, { method: 'POST' }],
    [
      `/v1/receivers/alertmanager?project_id=${tenant.project_id}`,
      { method: 'POST', json: { version: '4', alerts: [] } },
    ],
  ];
}

describe('Basic authentication of receivers', () => {
  it('accepts the key as the password with any user name', async () => {
    for (const [path, request] of await requests()) {
      for (const user of ['', 'alertmanager', tenant.key, 'ü'])
        expect((await server.ask(path, { ...request, headers: basic(user, tenant.key) })).status).toBe(200);
      const { Authorization } = basic('', tenant.key);
      const other = { Authorization: Authorization.replace('Basic', 'bASIC') };
      expect((await server.ask(path, { ...request, headers: other })).status).toBe(200);
      expect((await server.ask(path, { ...request, key: tenant.key })).status).toBe(200);
    }
  });

  it('returns 401 invalid_api_key for an unknown password, with challenges of both schemes', async () => {
    const [[path, request] = ['', { method: 'GET' }]] = await requests();
    const { key: revoked, id } = await server.key(tenant.organization_id);
    expect((await server.ask(path, { ...request, headers: basic('', revoked) })).status).toBe(200);
    await server.app.get(ApiKeysService).revokeForAdministrator(id);
    const refused = [
      basic('', revoked),
      basic('', generateKey()),
      basic(tenant.key, ''),
      basic('', `${tenant.key} `),
      basic('', `${tenant.key}:`),
      basic('', `x ${tenant.key}`),
      { Authorization: 'Basic' },
      { Authorization: 'Basic ' },
      { Authorization: `Basic ${tenant.key}` },
      { Authorization: `Basic ${Buffer.from(tenant.key).toString('base64')}` },
      { Authorization: `Bearer ${generateKey()}` },
    ];
    for (const headers of refused) {
      const answer = await server.ask(path, { ...request, headers });
      expectProblem(answer, 401, 'invalid_api_key');
      expect([headers, answer.headers.get('www-authenticate')]).toEqual([
        headers,
        `Bearer realm="status-pages", error="invalid_token", ${BASIC_CHALLENGE}`,
      ]);
      expect(answer.text).not.toContain(tenant.key.slice(0, 8));
    }
  });

  it('returns 401 missing_api_key without a key, with challenges of both schemes', async () => {
    for (const [path, request] of await requests()) {
      const without: Record<string, string>[] = [
        {},
        { Authorization: `Digest ${tenant.key}` },
        { Authorization: 'Basically x' },
      ];
      for (const headers of without) {
        const answer = await server.ask(path, { ...request, headers });
        const { detail } = expectProblem(answer, 401, 'missing_api_key');
        expect(detail).toContain(
          'Send the key in the header Authorization: Bearer <API_KEY>, or as the password of Basic authentication',
        );
        expect(answer.headers.get('www-authenticate')).toBe(
          `Bearer realm="status-pages", ${BASIC_CHALLENGE}`,
        );
      }
    }
  });

  it('returns 403 for a key without the scope', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['monitors:write'] });
    for (const [path, request] of await requests())
      expectProblem(
        await server.ask(path, { ...request, headers: basic('', key) }),
        403,
        'insufficient_scope',
      );
  });

  it('works only for receivers', async () => {
    const headers = basic('', tenant.key);
    for (const path of [`/v1/status-pages?project_id=${tenant.project_id}`, '/v1/me', '/v1/projects'])
      expectMissingKey(await server.ask(path, { headers }));
    const json = { project_id: tenant.project_id, reports: [] };
    expectMissingKey(await server.ask('/v1/monitor-reports', { method: 'POST', headers, json }));
  });
});
