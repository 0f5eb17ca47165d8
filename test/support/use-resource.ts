import { type Answer, type One, type Tenant, type TestServer, useTenant, useTestServer } from './server.js';

export const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

/**
 * A server with a tenant, and requests for one of its resources:
 *
 * const { ask } = useResource<Monitor>('/v1/monitors');
 * const { body } = await ask('GET', `/${id}`);
 */
export function useResource<Resource>(path: string): {
  server: TestServer;
  tenant: Tenant;
  ask: <B = One<Resource>>(
    method: string,
    rest: string,
    json?: unknown,
    headers?: Record<string, string>,
    key?: string,
  ) => Promise<Answer<B>>;
} {
  const server = useTestServer();
  const tenant = useTenant(server);
  const ask = <B = One<Resource>>(
    method: string,
    rest: string,
    json?: unknown,
    headers: Record<string, string> = {},
    key = tenant.key,
  ): Promise<Answer<B>> => server.ask<B>(`${path}${rest}`, { method, key, json, headers });
  return { server, tenant, ask };
}
