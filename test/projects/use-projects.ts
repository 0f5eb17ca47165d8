import type { Project } from '../../clients/typescript/src/index.js';
import {
  type Answer,
  type One,
  type Tenant,
  type TestServer,
  useTenant,
  useTestServer,
} from '../support/server.js';

export const NEVER = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

/** A server with a tenant, and requests on its projects. */
export function useProjects(): {
  server: TestServer;
  tenant: Tenant;
  ask: <B = One<Project>>(
    method: string,
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
    key?: string,
  ) => Promise<Answer<B>>;
  make: (name?: string) => Promise<Project>;
} {
  const server = useTestServer();
  const tenant = useTenant(server);

  const ask = <B = One<Project>>(
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
    key = tenant.key,
  ): Promise<Answer<B>> => server.ask<B>(`/v1/projects${path}`, { method, key, json, headers });

  const make = async (name = 'Acme') => (await ask('POST', '', { name })).body.data;

  return { server, tenant, ask, make };
}
