/** Limits access to rows: an organization, and some of its projects (null: all). An `ActorAccess` is one. */
export interface RowAccess {
  organization_id: string;
  project_ids: string[] | null;
}

/** Columns that say which project owns a row. */
export interface ProjectColumns {
  organization_id: string;
  project_id: string;
}

/** SQL condition with the parameters of {@link projectParameters}: the row belongs to the project. */
export const OF_PROJECT = 'organization_id = $1 AND project_id = $2';

/**
 * Returns an SQL condition: the actor can access the project in `column`. The parameter `projects` contains the projects that
 * the key is restricted to, or null.
 */
export function projectCondition(column: string, projects: string): string {
  return `(${projects}::uuid[] IS NULL OR ${column} = ANY(${projects}::uuid[]))`;
}

/** SQL condition with the parameters of {@link ownRowParameters}: the row has the ID, and the actor can access its project. */
export const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3`;

/** Returns the parameters $1 to $3 of {@link OWN}: organization, projects, ID. */
export function ownRowParameters({ organization_id, project_ids }: RowAccess, id: string): unknown[] {
  return [organization_id, project_ids, id];
}

/** Returns the parameters $1 and $2 of {@link OF_PROJECT}. */
export function projectParameters({ organization_id, project_id }: ProjectColumns): unknown[] {
  return [organization_id, project_id];
}
