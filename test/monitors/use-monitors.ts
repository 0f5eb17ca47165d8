import type { Monitor } from '../../clients/typescript/src/index.js';
import { useResource } from '../support/use-resource.js';

export { UNKNOWN_ID } from '../support/use-resource.js';

/** A server with a tenant, and requests to its monitors. */
export function useMonitors() {
  const { server, tenant, ask } = useResource<Monitor>('/v1/monitors');
  const make = async (fields: object = {}) =>
    (await ask('POST', '', { project_id: tenant.project_id, name: 'API', ...fields })).body.data;
  return { server, tenant, ask, make };
}
