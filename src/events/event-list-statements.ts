import type { LoggedType } from '../platform/log/logged-types.js';
import { ALL_TYPES, type EventType } from './event-types.js';

/** The conditions of a list of events. An event must meet all of them. */
export interface EventFilter {
  /** null: all projects, and what belongs to the organization. */
  project_ids: string[] | null;
  type?: EventType | LoggedType | undefined;
  resource_id?: string | undefined;
  actor_id?: string | undefined;
  /** First time of the list. */
  from?: Date | undefined;
  /** First time after the list. */
  to?: Date | undefined;
}

/**
 * Returns the SELECT of the newest, or oldest, events that meet a filter, for `ResourceTable.listBy`, with its values.
 *
 * It reads the first events of each type, and of each project, from an index that contains all these columns, and merges them. An
 * index without the type would find the events of a rare type only after many others. Indexes, by filter:
 *
 * - `events_type_idx`: projects
 * - `events_organization_idx`: neither projects nor an actor
 * - `events_actor_idx`: an actor
 * - `events_actor_project_idx`: an actor and projects
 * - `events_of_resource_idx`: a resource. The other filters apply to its events
 *
 * @param columns SQL of the result
 */
export function listEvents(
  columns: string,
  organizationId: string,
  { project_ids, type, resource_id, actor_id, from, to }: EventFilter,
  hasCursor: boolean,
  order: 'newest' | 'oldest' = 'newest',
): { select: string; values: unknown[] } {
  const values: unknown[] = [organizationId, type === undefined ? ALL_TYPES : [type]];
  const conditions = [
    'organization_id = $1',
    'type = kind.type',
    // Planned events have not happened.
    'created_at <= statement_timestamp()',
  ];
  let parts = 'unnest($2::text[]) AS kind(type)';
  if (resource_id !== undefined) conditions.push(`resource_id = $${values.push(resource_id)}`);
  if (actor_id !== undefined) conditions.push(`actor_id = $${values.push(actor_id)}`);
  if (project_ids !== null) {
    const projects = `$${values.push(project_ids)}::uuid[]`;
    if (resource_id === undefined) parts += `, unnest(${projects}) AS owner(project_id)`;
    conditions.push(`project_id = ${resource_id === undefined ? 'owner.project_id' : `ANY(${projects})`}`);
  }
  if (from !== undefined) conditions.push(`created_at >= $${values.push(from)}`);
  if (to !== undefined) conditions.push(`created_at < $${values.push(to)}`);
  const $limit = values.length + 1;
  const [direction, after] = order === 'newest' ? ['DESC', '<'] : ['ASC', '>'];
  if (hasCursor)
    conditions.push(`(created_at, id) ${after} ($${$limit + 1}::timestamptz, $${$limit + 2}::uuid)`);
  const sorted = `ORDER BY created_at ${direction}, id ${direction}`;
  const first = `${sorted} LIMIT $${$limit}::int + 1`;
  const select = `
    SELECT ${columns}
      FROM events
     WHERE organization_id = $1
       AND id = ANY(ARRAY(
             SELECT one.id
               FROM ${parts},
                    LATERAL (SELECT id, created_at FROM events WHERE ${conditions.join(' AND ')} ${first}) AS one
              ${first}))
     ${sorted}`;
  return { select, values };
}
