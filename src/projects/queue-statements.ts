/**
 * Returns SQL of a recursive relation `queue`: of each project with rows in a queue, the row that is due first. Its cost depends on
 * the number of these projects, if an index begins with (`organization_id`, `project_id`, `due_at`, `id`).
 * @param where SQL condition: the row is in the queue
 */
export function queueOfProjects(table: string, where: string): string {
  const first = (after: string) => `
    SELECT organization_id, project_id, due_at
      FROM ${table}
     WHERE ${where} ${after}
     ORDER BY organization_id, project_id, due_at, id
     LIMIT 1`;
  const owner = (of: string) => `(${of}.organization_id, ${of}.project_id)`;
  return `
    RECURSIVE queue AS (
      (${first('')})
      UNION ALL
      SELECT next.*
        FROM queue
       CROSS JOIN LATERAL (${first(`AND ${owner(table)} > ${owner('queue')}`)}) AS next
    )`;
}
