/**
 * Returns SQL: whether the project of a row has webhook endpoints. Without any, events that only webhooks get cause no further
 * work. It reads another module's table, because an event is recorded in the same statement as its change.
 * @param row the name of the row, which contains `organization_id` and `project_id`
 */
export function hasEndpoints(row: string): string {
  return `EXISTS (
    SELECT FROM webhook_endpoints AS endpoint
     WHERE endpoint.organization_id = ${row}.organization_id AND endpoint.project_id = ${row}.project_id
       AND endpoint.status = 'enabled')`;
}
