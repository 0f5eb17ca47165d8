import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type One,
  type Tenant,
  type TestServer,
  useTenant,
  useTestServer,
} from '../support/server.js';

/** A project as returned by the API. */
export interface Created {
  id: string;
  name: string;
  updated_at: string;
}

/** A server and a tenant, and POST requests with the given Idempotency-Key or a new one. */
export function useIdempotency(): {
  server: TestServer;
  tenant: Tenant;
  newKey: () => string;
  post: (path: string, json: unknown, idempotencyKey: string, key?: string) => Promise<Answer<One<Created>>>;
  replayed: (answer: Answer<object>) => string | null;
} {
  const server = useTestServer();
  const tenant = useTenant(server);
  return {
    server,
    tenant,
    newKey: randomUUID,
    post: (path, json, idempotencyKey, key = tenant.key) =>
      server.ask(path, { method: 'POST', key, json, headers: { 'Idempotency-Key': idempotencyKey } }),
    replayed: ({ headers }) => headers.get('idempotency-replayed'),
  };
}
