import { SCOPES } from '../../src/platform/auth/scopes.js';
import { describe, expect, it } from 'vitest';
import { isWellFormedKey } from '../../src/platform/auth/key-format.js';
import { until, type ListPage } from '../support/server.js';
import { expectProblem } from '../support/expectations.js';
import { inSeconds, TIME, UNKNOWN_ID, useApiKeys, type Key } from './use-api-keys.js';

const { server, tenant, ask, make, me, endsInTime, begin } = useApiKeys();

describe('POST /v1/api-keys', () => {
  it('returns 201 with Location and a working key', async () => {
    const { status, headers, body } = await ask('POST', '', {
      name: 'Deployment',
      scopes: ['status_pages:read', 'projects:read'],
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Deployment',
      prefix: body.data.key.slice(0, 8),
      scopes: ['status_pages:read', 'projects:read'],
      project_ids: null,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(TIME),
      key: expect.any(String),
    });
    expect(isWellFormedKey(body.data.key)).toBe(true);
    expect(headers.get('location')).toBe(`/v1/api-keys/${body.data.id}`);
    expect((await server.list(tenant, {}, body.data.key)).status).toBe(200);
    expect((await server.ask('/v1/monitors', { key: body.data.key })).status).toBe(403);
  });

  it('never returns the key or its hash again', async () => {
    const { key, ...shown } = await make();
    const answers = [await ask('GET', `/${shown.id}`), await ask('GET', '?limit=1')];
    expect(answers[0]?.body.data).toEqual(shown);
    expect(answers[1]?.body.data).toEqual([shown]);
    for (const { text } of answers) expect(text).not.toMatch(new RegExp(`hash|${key.slice(9)}`));
  });

  it('records the last use of the key', async () => {
    const { id, key } = await make();
    await me(key);
    const used = await until(async () => (await ask('GET', `/${id}`)).body.data.last_used_at);
    expect(used).toMatch(TIME);
  });

  it.each([
    [{ name: undefined }, 'required', '#/name'],
    [{ name: ' ' }, 'blank', '#/name'],
    [{ scopes: undefined }, 'required', '#/scopes'],
    [{ scopes: [] }, 'too_short', '#/scopes'],
    [{ scopes: 'projects:read' }, 'invalid_type', '#/scopes'],
    [{ scopes: ['projects:read', 'projects:delete'] }, 'invalid_format', '#/scopes/1'],
    [{ scopes: ['projects:read', 'projects:read'] }, 'duplicate', '#/scopes/1'],
    [{ scopes: [1] }, 'invalid_type', '#/scopes/0'],
    [{ project_ids: ['x'] }, 'invalid_format', '#/project_ids/0'],
    [{ project_ids: [] }, 'too_short', '#/project_ids'],
    [{ project_ids: [UNKNOWN_ID] }, 'unknown_project', '#/project_ids/0'],
    [{ expires_at: 'tomorrow' }, 'invalid_format', '#/expires_at'],
    [{ expires_at: '2999-02-30T00:00:00Z' }, 'invalid_format', '#/expires_at'],
    [{ expires_at: '2999-01-01T00:00:00' }, 'invalid_format', '#/expires_at'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'out_of_range', '#/expires_at'],
    [{ expires_at: 4_102_444_800 }, 'invalid_type', '#/expires_at'],
    [{ key: 'sp_mine' }, 'unknown_field', '#/key'],
    [{ organization_id: UNKNOWN_ID }, 'unknown_field', '#/organization_id'],
  ])('returns 400 for %j', async (fields, code, pointer) => {
    expectProblem(
      await ask('POST', '', { name: 'Key', scopes: ['projects:read'], ...fields }),
      400,
      'validation_failed',
      { code, pointer },
    );
  });

  it('creates a key that works until it expires', async () => {
    const expires_at = inSeconds(3600);
    const made = await make({ expires_at });
    expect(made.expires_at).toBe(expires_at);
    expect((await me(made.key)).status).toBe(200);
    await endsInTime(made, 'expires_at');
  });
});

describe('POST /v1/api-keys beyond the rights of the calling key', () => {
  it('returns 403 insufficient_scope with the missing scopes and creates no key', async () => {
    const { key } = await make({ scopes: ['api_keys:write', 'api_keys:read', 'projects:read'] });
    const before = (await ask<ListPage<Key>>('GET', '?limit=100')).body.data.length;
    const wanted = { name: 'More', scopes: ['projects:read', 'projects:write', 'monitors:read'] };
    const { status, headers, body } = await ask('POST', '', wanted, key);
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="status-pages", error="insufficient_scope", scope="projects:write monitors:read"',
    );
    expect(body.detail).toBe(
      'The calling key cannot grant scopes that it lacks: projects:write, monitors:read',
    );
    expect(body.errors).toEqual(
      ['projects:write', 'monitors:read'].map((scope, index) => ({
        code: 'not_granted',
        detail: `is not a scope of the calling key: ${scope}`,
        pointer: `#/scopes/${index + 1}`,
      })),
    );
    expect((await ask<ListPage<Key>>('GET', '?limit=100')).body.data.length).toBe(before);
    expect((await make({ scopes: ['projects:read', 'api_keys:write'] }, key)).scopes).toHaveLength(2);
  });

  it('returns the same error for inaccessible and unknown projects', async () => {
    const inside = await server.project(tenant.organization_id);
    const outside = await server.project(tenant.organization_id);
    const foreign = (await server.tenant()).project_id;
    const { key } = await make({ scopes: [...SCOPES], project_ids: [inside] });
    for (const id of [outside, foreign, UNKNOWN_ID]) {
      const wanted = { name: 'More', scopes: ['projects:read'], project_ids: [inside, id] };
      const { status, body } = await ask('POST', '', wanted, key);
      expect([status, body.errors]).toEqual([
        400,
        [
          {
            code: 'unknown_project',
            detail: 'is not a project that the calling key can access',
            pointer: '#/project_ids/1',
          },
        ],
      ]);
    }
    const all = await ask('POST', '', { name: 'All', scopes: ['projects:read'], project_ids: null }, key);
    expect([all.status, all.body.errors]).toMatchObject([
      400,
      [
        {
          code: 'not_granted',
          detail: 'must not be null because the calling key is restricted to some projects',
          pointer: '#/project_ids',
        },
      ],
    ]);
    expect((await make({}, key)).project_ids).toEqual([inside]);
  });

  it('accepts project IDs in upper case and returns them in lower case', async () => {
    const { project_ids } = await make({ project_ids: [tenant.project_id.toUpperCase()] });
    expect(project_ids).toEqual([tenant.project_id]);
  });

  it('creates no key that expires later than the calling key', async () => {
    const expires_at = inSeconds(3600);
    const { key } = await make({ scopes: ['api_keys:write', 'projects:read'], expires_at });
    for (const longer of [null, inSeconds(3700)]) {
      const wanted = { name: 'Longer', scopes: ['projects:read'], expires_at: longer };
      expectProblem(await ask('POST', '', wanted, key), 400, 'validation_failed', {
        code: 'out_of_range',
        detail: 'must not be later than the expiry of the calling key',
        pointer: '#/expires_at',
      });
    }
    expect((await make({}, key)).expires_at).toBe(expires_at);
    const sooner = inSeconds(1800);
    expect((await make({ expires_at: sooner }, key)).expires_at).toBe(sooner);
  });

  it('creates no key that outlives the overlap period of a rotated key', async () => {
    const old = await make({ scopes: ['api_keys:write', 'projects:read'] });
    await ask('POST', `/${old.id}/rotate`, { overlap_seconds: 60 });
    const wanted = { name: 'Longer', scopes: ['projects:read'], expires_at: null };
    expectProblem(await ask('POST', '', wanted, old.key), 400, 'validation_failed', {
      pointer: '#/expires_at',
    });
    expect((await make({}, old.key)).expires_at).toBe((await ask('GET', `/${old.id}`)).body.data.revoked_at);
  });

  it('respects the overlap period even if the request began before the rotation', async () => {
    const old = await make({ scopes: ['api_keys:write', 'projects:read'] });
    const other = await make();
    const wanted = { name: 'Late', scopes: ['projects:read'] };
    const late = [
      await begin(old.id, old.key, '/v1/api-keys', wanted),
      await begin(old.id, old.key, '/v1/api-keys', { ...wanted, expires_at: null }),
      await begin(old.id, old.key, `/v1/api-keys/${other.id}/rotate`, { overlap_seconds: 60 }),
    ];
    await ask('POST', `/${old.id}/rotate`, { overlap_seconds: 60 });
    const [byDefault, never, rotated] = await Promise.all(late.map((finish) => finish()));
    const { revoked_at } = (await ask('GET', `/${old.id}`)).body.data;
    expect(byDefault).toMatch(/^HTTP\/1.1 201 /);
    expect(byDefault).toContain(`"expires_at":"${revoked_at}"`);
    expect(never).toMatch(/^HTTP\/1.1 400 /);
    expect(rotated).toMatch(/^HTTP\/1.1 403 /);
  });

  it('ignores deleted projects of the calling key', async () => {
    const [kept, gone] = [
      await server.project(tenant.organization_id),
      await server.project(tenant.organization_id),
    ];
    const { key } = await make({ scopes: [...SCOPES], project_ids: [kept, gone] });
    await server.ask(`/v1/projects/${gone}`, { method: 'DELETE', key: tenant.key });
    expect((await make({}, key)).project_ids).toEqual([kept, gone]);
    expect((await make({ project_ids: [kept] }, key)).project_ids).toEqual([kept]);
  });

  it('returns all errors in projects and times together', async () => {
    const { key } = await make({ scopes: ['api_keys:write', 'projects:read'], expires_at: inSeconds(3600) });
    const wanted = { name: 'x', scopes: ['projects:read'], project_ids: [UNKNOWN_ID], expires_at: null };
    const { body } = await ask('POST', '', wanted, key);
    expect(body.errors.map(({ pointer }) => pointer)).toEqual(['#/expires_at', '#/project_ids/0']);
  });
});
