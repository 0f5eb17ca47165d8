import { ApiKeysService } from '../../src/api-keys/api-keys.service.js';
import { type Scope, SCOPES } from '../../src/platform/auth/scopes.js';
import type { TestServer } from '../support/server.js';
import type { Keys } from './drafts.js';

/** The sender of requests: a tenant and its keys. */
export interface Identity {
  project_id: string;
  keys: Keys;
  /** IDs of these keys. The fuzzer must not revoke them. */
  hidden: ReadonlySet<string>;
}

/** Creates a tenant with keys that have all, some and no scopes. */
export async function makeIdentity(server: TestServer): Promise<Identity> {
  const { organization_id, project_id, key, key_id } = await server.tenant();
  const hidden = new Set([key_id]);
  const make = async (options: Parameters<TestServer['key']>[1] = {}): Promise<string> => {
    const made = await server.key(organization_id, options);
    hidden.add(made.id);
    return made.key;
  };
  const groups: Scope[][] = [
    ['projects:read'],
    ['monitors:read'],
    SCOPES.filter((scope) => scope.endsWith(':read')),
  ];
  const narrow = await Promise.all(groups.map(async (scopes) => ({ scopes, key: await make({ scopes }) })));
  const revoked = await server.key(organization_id);
  await server.app.get(ApiKeysService).revokeForAdministrator(revoked.id);
  hidden.add(revoked.id);
  const dead = [
    await make({ project_ids: [] }),
    await make({ expires_in: -1 }),
    revoked.key,
    `sp_${'0'.repeat(46)}`,
  ];
  return { project_id, keys: { main: key, narrow, dead }, hidden };
}
