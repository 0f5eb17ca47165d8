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

/** A monitor can have 100,000 of them, other resources have few events of a type. */
const FREQUENT: EventType = 'monitor.status_changed';

/**
 * Returns the SELECT of the newest, or oldest, events that meet a filter, for `ResourceTable.listBy`, with its values.
 *
 * Each type, and each project, is a part of the log with its own range of an index. The first events of all parts are among the first
 * events of those parts that begin first. So it reads one event of each part, and then further ones only from so many parts as the
 * page has rows. An index without the type would find the events of a rare type only after many others. Indexes, by filter:
 *
 * - `events_type_idx`: projects
 * - `events_organization_idx`: neither projects nor an actor
 * - `events_actor_idx`: an actor
 * - `events_actor_project_idx`: an actor and projects
 * - `events_of_resource_idx`: a resource
 * - `events_status_changes_by_actor_idx`: status changes of a resource by an actor
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
  const types: (EventType | LoggedType)[] = type === undefined ? ALL_TYPES : [type];
  const hasOwnIndex = resource_id !== undefined && actor_id !== undefined && types.includes(FREQUENT);
  const values: unknown[] = [organizationId, hasOwnIndex ? types.filter((one) => one !== FREQUENT) : types];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  // Planned events have not happened.
  const conditions = ['organization_id = $1', 'created_at <= statement_timestamp()'];
  if (resource_id !== undefined) conditions.push(`resource_id = ${parameter(resource_id)}`);
  const actor = actor_id === undefined ? undefined : parameter(actor_id);
  if (from !== undefined) conditions.push(`created_at >= ${parameter(from)}`);
  if (to !== undefined) conditions.push(`created_at < ${parameter(to)}`);
  const projects = project_ids && `${parameter(project_ids)}::uuid[]`;
  const $limit = values.length + 1;
  const [direction, after] = order === 'newest' ? ['DESC', '<'] : ['ASC', '>'];
  if (hasCursor)
    conditions.push(`(created_at, id) ${after} ($${$limit + 1}::timestamptz, $${$limit + 2}::uuid)`);
  const sorted = `ORDER BY created_at ${direction}, id ${direction}`;
  const page = `$${$limit}::int + 1`;
  const first = (limit: string, ...more: string[]) =>
    `SELECT id, created_at FROM events WHERE ${[...conditions, ...more].join(' AND ')} ${sorted} LIMIT ${limit}`;

  // A busy actor has more events than a resource. No index supports IS NOT DISTINCT FROM.
  const ofActor = actor && `actor_id ${resource_id === undefined ? '=' : 'IS NOT DISTINCT FROM'} ${actor}`;
  // A resource belongs to one project, so its events are all of the projects, or none.
  const hasProjects = projects !== null && resource_id === undefined;
  const [parts, names] = hasProjects
    ? [`unnest($2::text[]) AS kind (type), unnest(${projects}) AS owner (project_id)`, 'type, project_id']
    : ['unnest($2::text[]) AS kind (type)', 'type'];
  const inPart = (part: string, owner: string) => [
    `type = ${part}.type`,
    ...(ofActor ? [ofActor] : []),
    ...(hasProjects ? [`project_id = ${owner}.project_id`] : []),
  ];
  const rows = `
    SELECT one.id, one.created_at
      FROM (SELECT ${names} FROM ${parts}, LATERAL (${first('1', ...inPart('kind', 'owner'))}) AS newest ${sorted} LIMIT ${page}) AS part,
           LATERAL (${first(page, ...inPart('part', 'part'))}) AS one`;
  const frequent = hasOwnIndex
    ? `UNION ALL (${first(page, `type = '${FREQUENT}'`, `actor_id = ${actor}`)})`
    : '';
  const select = `
    SELECT ${columns}
      FROM events
     WHERE organization_id = $1 AND id = ANY(ARRAY(SELECT id FROM (${rows} ${frequent}) AS found ${sorted} LIMIT ${page}))
           ${projects === null ? '' : `AND project_id = ANY(${projects})`}
     ${sorted}`;
  return { select, values };
}
