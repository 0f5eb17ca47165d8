/**
 * Returns SQL: whether subscribers and webhooks know of a row of `incidents` or `maintenances`. Rows of older versions have no
 * `is_notified`, but events.
 */
export function isNotifiedOf(table: 'incidents' | 'maintenances'): string {
  return `coalesce(${table}.is_notified, ${hasEvent(table, 'is_notified')})`;
}

/** Returns SQL: whether there is an event of a row that meets a condition. Uses `events_resource_idx`. */
export function hasEvent(table: 'incidents' | 'maintenances', condition: string): string {
  return `EXISTS (
    SELECT FROM events
     WHERE events.organization_id = ${table}.organization_id AND events.resource_id = ${table}.id AND events.${condition})`;
}
