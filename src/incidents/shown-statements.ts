/** Parameters of a statement about the incidents of a page. */
interface Parameters {
  organization: string;
  project: string;
  page: string;
  /** Monitors of the page. */
  monitors: string;
  /** ID of the only wanted incident; default: all incidents. */
  id?: string;
}

/**
 * Returns SQL of the IDs of all incidents that a page can show, see {@link isShownOn}. It starts from an index for each rule, so
 * that the cost does not depend on the other incidents of the project.
 *
 * 1. Incidents that reference the page.
 * 2. Incidents that have affected one of its monitors.
 * 3. Incidents that reference no pages and affect no monitor.
 * 4. Incidents that were open when an affected monitor of the page was deleted.
 */
export function candidatesOf({ organization, project, page, monitors, id }: Parameters): string {
  const only = (column: string) => (id ? ` AND ${column} = ${id}` : '');
  return `
           SELECT id FROM incidents
            WHERE organization_id = ${organization} AND status_page_ids @> ARRAY[${page}::uuid]${only('id')}
            UNION
           SELECT incident_id FROM incident_impacts
            WHERE organization_id = ${organization} AND monitor_id = ANY(${monitors}::uuid[])${only('incident_id')}
            UNION
           SELECT id FROM incidents
            WHERE organization_id = ${organization} AND project_id = ${project}
              AND NOT affects_monitors AND status_page_ids IS NULL${only('id')}
            UNION
           SELECT id FROM incidents
            WHERE organization_id = ${organization} AND former_page_ids <> '{}'
              AND former_page_ids @> ARRAY[${page}::uuid]${only('id')}`;
}

/** Returns an SQL condition: the page shows this one of its {@link candidatesOf}, if it belongs to the page's project. */
export function isShownOn({ page }: Pick<Parameters, 'page'>): string {
  return `coalesce(status_page_ids @> ARRAY[${page}::uuid], true)`;
}
