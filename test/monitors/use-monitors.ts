import type { Monitor } from '../../clients/typescript/src/index.js';
import {
  type Answer,
  type One,
  type Tenant,
  type TestServer,
  useTenant,
  useTestServer,
} from '../support/server.js';

export const NEVER = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

/** A server with a tenant, and requests on its monitors. */
export function useMonitors(): {
  server: TestServer;
  tenant: Tenant;
  ask: <B = One<Monitor>>(
    method: string,
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<B>>;
  make: (fields?: object) => Promise<Monitor>;
} {
  const server = useTestServer();
  const tenant = useTenant(server);

  const ask = <B = One<Monitor>>(
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<B>> => server.ask<B>(`/v1/monitors${path}`, { method, key: tenant.key, json, headers });

  const make = async (fields: object = {}) =>
    (await ask('POST', '', { project_id: tenant.project_id, name: 'API', ...fields })).body.data;

  return { server, tenant, ask, make };
}
