import { beforeAll, describe, expect, it } from 'vitest';
import { type Ask, useTenant, useTestServer } from '../support/server.js';
import { sendRaw } from '../support/raw-connection.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: string;

beforeAll(async () => {
  page = `/v1/status-pages/${(await server.page(tenant)).id}`;
});

const raw = (bytes: string) => sendRaw(server.url, bytes);

describe('every answer', () => {
  /** A request for each kind of answer. */
  const asks = (): [string, Ask][] => [
    [`/v1/status-pages?project_id=${tenant.project_id}`, { key: tenant.key }],
    ['/v1/status-pages', {}],
    ['/nothing', {}],
    [page, { method: 'PATCH', key: tenant.key, json: { name: 1 } }],
    [page, { method: 'PUT' }],
    [page, { method: 'OPTIONS' }],
    ['/health/live', {}],
    ['/openapi.json', {}],
    ['/docs', {}],
  ];

  it('has an X-Request-Id of the server, whatever the client sends', async () => {
    const seen = new Set<string>();
    for (const [path, ask] of asks()) {
      const { headers, body } = await server.ask(path, { ...ask, headers: { 'X-Request-Id': 'mine' } });
      const id = String(headers.get('x-request-id'));
      expect([path, id]).toEqual([
        path,
        expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      ]);
      expect(body.request_id ?? id).toBe(id);
      seen.add(id);
    }
    expect(seen.size).toBe(asks().length);
  });

  it('may be read by the pages of every site, with its headers', async () => {
    const exposed =
      'ETag, Idempotency-Replayed, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Allow, Accept-Patch, WWW-Authenticate';
    for (const [path, ask] of asks()) {
      const { headers } = await server.ask(path, ask);
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
      expect([path, headers.get('access-control-expose-headers')]).toEqual([path, exposed]);
    }
    const malformed = await raw('GARBAGE\r\n\r\n');
    expect(malformed).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
    expect(malformed).toContain(`\r\nAccess-Control-Expose-Headers: ${exposed}\r\n`);
  });

  it('is for nobody to cache, and says nothing of what runs here', async () => {
    const { headers } = await server.list(tenant);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
    expect(headers.get('etag')).toBeNull();
  });

  it('may not be framed, and loads nothing; the documentation loads what is its own', async () => {
    for (const [path, ask] of asks().filter(([asked]) => asked !== '/docs')) {
      const { headers } = await server.ask(path, ask);
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        "default-src 'none';frame-ancestors 'none'",
      ]);
      expect([path, headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual([
        path,
        'DENY',
        'no-referrer',
      ]);
    }
    const { headers } = await server.ask('/docs');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'self';.*frame-ancestors 'self';.*script-src 'self';/,
    );
  });
});
