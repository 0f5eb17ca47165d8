import { v7 as uuidv7 } from 'uuid';
import type { LoggedActor } from '../log/logged-actor.js';
import { MAX_VALUE_BYTES, UNLOGGED_FIELDS } from '../log/changes.js';
import type { LoggedType } from '../log/logged-types.js';

/** Returns the parameters of {@link insertLogEvent}. */
export function logParameters(
  type: LoggedType,
  { type: kind, id, name, via, request_id }: LoggedActor,
): unknown[] {
  return [uuidv7(), type, kind, id, name, via, request_id];
}

/**
 * Returns SQL that records an event of the log, in the statement that writes a row.
 * @param rows a relation of at most one row, which contains `organization_id`, `project_id`, `id` and `changes`
 * @param first number of the first of the parameters of {@link logParameters}
 */
export function insertLogEvent(rows: string, first: number): string {
  const types = ['uuid', 'text', 'text', 'uuid', 'text', 'text', 'uuid'];
  const [id, type, ...author] = types.map((name, index) => `$${first + index}::${name}`);
  return `
    INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                        changes, created_at, is_notified)
    SELECT ${id}, ${type}, ${author.join(', ')}, organization_id, project_id, id, changes, statement_timestamp(), false
      FROM ${rows}`;
}

/** A field of a row, and SQL of its values as JSON before and after a change. */
interface ChangedField {
  name: string;
  from: string;
  to: string;
}

/** Returns SQL of a row's changed fields, as `changesOf` returns them; NULL: none. */
export function changesOfFields(fields: ChangedField[], hidden: readonly string[]): string {
  const values = fields.map(({ name, from, to }) => `('${name}', ${from}, ${to})`);
  return `(
    SELECT jsonb_object_agg(name, ${changeOf(hidden)})
      FROM (VALUES ${values.join(', ')}) AS field (name, former, next)
     WHERE former IS DISTINCT FROM next)`;
}

/**
 * Returns SQL that lists the fields as `changesOf` does, if the row is new or deleted.
 * @param json SQL of its JSON
 */
export function changesOfRow(json: string, is: 'new' | 'deleted', hidden: readonly string[]): string {
  const names = UNLOGGED_FIELDS.map((name) => `'${name}'`).join(', ');
  const [former, next] = is === 'new' ? ['NULL::jsonb', 'value'] : ['value', 'NULL::jsonb'];
  return `(
    SELECT jsonb_object_agg(name, ${changeOf(hidden)})
      FROM (SELECT key AS name, ${former} AS former, ${next} AS next
              FROM jsonb_each((${json})::jsonb)
             WHERE value <> 'null' AND key NOT IN (${names})) AS field)`;
}

/** Returns SQL of a field's change, with the columns `name`, `former` and `next`. */
function changeOf(hidden: readonly string[]): string {
  const isHidden = hidden.length > 0 ? `name IN (${hidden.map((name) => `'${name}'`).join(', ')}) OR` : '';
  const length = (value: string) => `coalesce(octet_length(${value}::text), 0)`;
  return `CASE WHEN ${isHidden} ${length('former')} + ${length('next')} > ${MAX_VALUE_BYTES}
           THEN '{"from": null, "to": null, "is_omitted": true}'
           ELSE jsonb_build_object('from', former, 'to', next) END`;
}
