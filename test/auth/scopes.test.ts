import { describe, expect, it } from 'vitest';
import { type Ask, useTenant, useTestServer } from '../support/server.js';
import { expectMissingKey as expectMissing } from '../support/expectations.js';

const server = useTestServer();
const tenant = useTenant(server);

const NOWHERE = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const list = (ask: Ask) => server.ask(`/v1/status-pages?project_id=${tenant.project_id}`, ask);

describe('scopes', () => {
  it.each([
    ['status_pages:read', 200, 403],
    ['status_pages:write', 403, 200],
  ] as const)('match exactly: %s implies no other', async (scope, listed, patched) => {
    const { key } = await server.key(tenant.organization_id, { scopes: [scope] });
    const { id } = await server.page(tenant);
    expect((await list({ key })).status).toBe(listed);
    expect((await server.patch({ key }, id, {})).status).toBe(patched);
  });

  it('that are missing are 403 insufficient_scope, which names the one that is needed', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: [] });
    const answers = {
      'status_pages:read': await list({ key }),
      'status_pages:write': await server.patch({ key }, NOWHERE, {}),
    };
    for (const [scope, { status, body, headers }] of Object.entries(answers)) {
      expect([status, body.code]).toEqual([403, 'insufficient_scope']);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="status-pages", error="insufficient_scope", scope="${scope}"`,
      );
    }
  });
});

describe('routes', () => {
  it('are denied by default: every one requires a scope or is public', async () => {
    const { routesOf } = await import('../support/routes.js');
    const routes = routesOf(server.app);
    const open = [
      '/docs',
      '/docs/favicon-32x32.png',
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui-init.js',
      '/docs/swagger-ui.css',
      '/health/live',
      '/health/ready',
      '/openapi.json',
      '/problems',
      '/problems/:code',
    ];
    expect(
      routes
        .filter(({ path }) => !path.startsWith('/v1/'))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(open);
    const guarded = routes.filter(({ path }) => path.startsWith('/v1/'));
    expect(guarded.length).toBeGreaterThan(0);
    const { key } = await server.key(tenant.organization_id, { scopes: [] });
    for (const { method, path } of guarded) {
      const concrete = path.replaceAll(/:\w+/g, NOWHERE);
      expectMissing(await server.ask(concrete, { method }));
      expect([method, path, (await server.ask(concrete, { method, key })).status]).toEqual([
        method,
        path,
        path === '/v1/me' ? 200 : 403,
      ]);
    }
  });

  it('that neither require a scope nor are public let nobody through', async () => {
    const { bootWithForgottenRoute } = await import('../support/routes.js');
    const { url, close } = await bootWithForgottenRoute(server.app);
    try {
      const headers = { Authorization: `Bearer ${tenant.key}` };
      expect((await fetch(`${url}/forgotten`)).status).toBe(401);
      expect((await fetch(`${url}/forgotten`, { headers })).status).toBe(403);
    } finally {
      await close();
    }
  });
});
