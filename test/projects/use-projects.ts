import type { Project } from '../../clients/typescript/src/index.js';
import { useResource } from '../support/use-resource.js';

export { UNKNOWN_ID } from '../support/use-resource.js';

/** A server with a tenant, and requests to its projects. */
export function useProjects() {
  const { server, tenant, ask } = useResource<Project>('/v1/projects');
  const make = async (name = 'Acme') => (await ask('POST', '', { name })).body.data;
  return { server, tenant, ask, make };
}
