import type { ActorAccess } from '../platform/auth/actor.js';
import type { ProjectRef } from './project-ref.js';

/**
 * Returns an SQL condition: the actor can access the project in `column`. The parameter `projects` contains the projects that
 * the key is restricted to, or null.
 *
 *     const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3`;
 *     this.table.find(OWN, ownRowParameters(key, id));
 */
export function projectCondition(column: string, projects: string): string {
  return `(${projects}::uuid[] IS NULL OR ${column} = ANY(${projects}::uuid[]))`;
}

/** Returns the parameters $1 to $3 of such a query: organization, projects, ID. */
export function ownRowParameters({ organization_id, project_ids }: ActorAccess, id: string): unknown[] {
  return [organization_id, project_ids, id];
}

/** Returns the parameters of `organization_id = $1 AND project_id = $2`. */
export function projectParameters({ organization_id, project_id }: ProjectRef): unknown[] {
  return [organization_id, project_id];
}
