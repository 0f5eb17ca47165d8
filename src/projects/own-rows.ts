import type { KeyReach } from '../auth/current-key.js';
import type { ProjectRef } from './project-ref.js';

/**
 * SQL: whether a key covers the project in `column`. `projects` is the parameter with the projects that the key is restricted
 * to; null: all of its organization.
 *
 *     const OWN = `organization_id = $1 AND ${isCovered('project_id', '$2')} AND id = $3`;
 *     this.table.find(OWN, ownRow(key, id));
 */
export function isCovered(column: string, projects: string): string {
  return `(${projects}::uuid[] IS NULL OR ${column} = ANY(${projects}::uuid[]))`;
}

/** The parameters of such a condition: organization, projects, id. */
export function ownRow({ organization_id, project_ids }: KeyReach, id: string): unknown[] {
  return [organization_id, project_ids, id];
}

/** The parameters of `organization_id = $1 AND project_id = $2`. */
export function ofProject({ organization_id, project_id }: ProjectRef): unknown[] {
  return [organization_id, project_id];
}
