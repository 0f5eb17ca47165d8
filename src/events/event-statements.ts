import type { EventType } from './event-types.js';

/**
 * Returns SQL: whether subscribers and webhooks know of a row of `incidents` or `maintenances`. Rows of older versions have no
 * `is_notified`, but events.
 */
export function isNotifiedOf(table: 'incidents' | 'maintenances'): string {
  return `coalesce(${table}.is_notified, ${hasEvent(table, 'is_notified')})`;
}

/** Returns SQL: whether there is an event of a row that meets a condition. Uses `events_of_resource_idx`. */
export function hasEvent(table: 'incidents' | 'maintenances', condition: string): string {
  return `EXISTS (
    SELECT FROM events
     WHERE events.organization_id = ${table}.organization_id AND events.resource_id = ${table}.id AND events.${condition})`;
}

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

/** SQL that derives a UUIDv7 from the column `updated_at`. PostgreSQL 17 has no function for it. */
const ID = `
  encode(set_bit(set_bit(overlay(
    uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
  ), 52, 1), 53, 1), 'hex')::uuid`;

/**
 * Returns SQL that records an event for each row of `pages`, in the statement that changes these status pages. That relation
 * contains `organization_id`, `project_id`, `id`, `revision` and `updated_at` after the change. Only webhooks
 * get it.
 * @param first number of the first of five parameters: type, ID and name of the actor, `via` and `request_id`
 * @param fields columns of `pages` that the event contains as its data
 */
export function insertPageEvents(
  pages: string,
  type: Extract<EventType, `status_page.${string}`>,
  first: number,
  fields: readonly string[] = ['revision'],
): string {
  const data = fields.map((field) => `'${field}', ${field}`).join(', ');
  return `
    INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                        created_at, due_at)
    SELECT ${ID}, organization_id, project_id, '${type}', id, jsonb_build_object(${data}), $${first}::text, $${first + 1}::uuid,
           $${first + 2}::text, $${first + 3}::text, $${first + 4}::uuid, updated_at,
           CASE WHEN ${hasEndpoints('page')} THEN statement_timestamp() END
      FROM (SELECT * FROM ${pages}) AS page`;
}
