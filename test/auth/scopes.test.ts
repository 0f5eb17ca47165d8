import { describe, expect, it } from 'vitest';
import { type Ask, useTenant, useTestServer } from '../support/server.js';
import {
  BASIC_CHALLENGE,
  expectMissingKey as expectMissing,
  expectProblem,
} from '../support/expectations.js';

const server = useTestServer();
const tenant = useTenant(server);

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

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

  it('cause 403 insufficient_scope with the required scope if missing', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: [] });
    const answers = {
      'status_pages:read': await list({ key }),
      'status_pages:write': await server.patch({ key }, UNKNOWN_ID, {}),
    };
    for (const [scope, { status, body, headers }] of Object.entries(answers)) {
      expect([status, body.code]).toEqual([403, 'insufficient_scope']);
      expect([body.detail, body.errors]).toEqual([`The operation requires ${scope}`, undefined]);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="status-pages", error="insufficient_scope", scope="${scope}"`,
      );
    }
  });

  it('all appear in the error if an operation requires several', async () => {
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:write'] });
    const path = `/v1/imports/gatus?project_id=${tenant.project_id}`;
    const headers = { 'Content-Type': 'application/yaml' };
    const answer = await server.ask(path, { method: 'POST', key, headers, body: 'endpoints: []' });
    const { detail } = expectProblem(answer, 403, 'insufficient_scope');
    expect(detail).toBe('The operation requires status_pages:write and monitors:write');
    expect(answer.headers.get('www-authenticate')).toMatch(/, scope="status_pages:write monitors:write"$/);
  });
});

describe('routes', () => {
  it('all require a scope or are public', async () => {
    const { routesOf } = await import('../support/routes.js');
    const routes = routesOf(server.app);
    const open = [
      '/.well-known/status-pages',
      '/docs',
      '/docs/docs.css',
      '/docs/docs.js',
      '/docs/favicon-32x32.png',
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui.css',
      '/health/live',
      '/health/ready',
      // the guard of the console decides, see test/manage/access.test.ts
      ...routes
        .map(({ path }) => path)
        .filter((path) => /^\/manage(?:\/|$)/.test(path))
        .toSorted(),
      '/mcp', // requires a key, whose scopes decide which tools exist
      '/openapi.json',
      '/problems',
      '/problems/:code',
      '/status',
      '/status/:slug',
      '/status/:slug/:name-:hash.:extension',
      '/status/:slug/access/email',
      '/status/:slug/access/email',
      '/status/:slug/access/email/:token',
      '/status/:slug/access/email/:token',
      '/status/:slug/access/oidc',
      '/status/:slug/access/oidc',
      '/status/:slug/access/oidc/callback',
      '/status/:slug/access/password',
      '/status/:slug/access/password',
      '/status/:slug/api/v2/*document',
      '/status/:slug/badge.json',
      '/status/:slug/badge.svg',
      '/status/:slug/banner.js',
      '/status/:slug/confirm/:token',
      '/status/:slug/confirm/:token',
      '/status/:slug/embed',
      '/status/:slug/feed.:format',
      '/status/:slug/history',
      '/status/:slug/incidents/:id',
      '/status/:slug/maintenance.ics',
      '/status/:slug/maintenances/:id',
      '/status/:slug/monitors/:id',
      '/status/:slug/og-image.png',
      '/status/:slug/subscribe',
      '/status/:slug/subscribe',
      '/status/:slug/subscription/:token',
      '/status/:slug/subscription/:token',
      '/status/:slug/unsubscribe/:token',
      '/status/:slug/unsubscribe/:token',
      '/status/assets/page.js',
      '/status/{*path}',
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
      const concrete = path.replaceAll(/:\w+/g, UNKNOWN_ID);
      const basic = path.startsWith('/v1/receivers/') ? `, ${BASIC_CHALLENGE}` : '';
      expectMissing(await server.ask(concrete, { method }), `Bearer realm="status-pages"${basic}`);
      expect([method, path, (await server.ask(concrete, { method, key })).status]).toEqual([
        method,
        path,
        path === '/v1/me' ? 200 : 403,
      ]);
    }
  });

  it('deny access without an access decorator', async () => {
    const { bootWithForgottenRoute } = await import('../support/routes.js');
    const { url, close } = await bootWithForgottenRoute(server.app);
    try {
      const headers = { Authorization: `Bearer ${tenant.key}` };
      expect((await fetch(`${url}/forgotten`)).status).toBe(401);
      const refused = await fetch(`${url}/forgotten`, { headers });
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { code: 'insufficient_scope', detail: 'API keys cannot use this operation' },
      ]);
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer realm="status-pages", error="insufficient_scope"',
      );
    } finally {
      await close();
    }
  });
});
