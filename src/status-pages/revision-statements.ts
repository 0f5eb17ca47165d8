import type { Actor } from '../platform/auth/actor.js';
import type { Assignments } from '../platform/database/table-columns.js';
import { insertPageEvents } from '../events/event-statements.js';
import { isExpected, setChanged } from '../platform/database/statements.js';

/** Operations that create a revision. */
export const OPERATIONS = [
  'create',
  'update',
  'update_settings',
  'delete_monitor',
  'restore_revision',
  'delete',
  'restore',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Actor and operation of a change. */
export interface Change {
  operation: Operation;
  actor: Actor;
}

/** Maximum number of revisions per page. Reads return only these. Every 100th change, and each restore, deletes older ones. */
export const MAX_REVISIONS = 1_000;
export const DELETED_AT_ONCE = 100;

/** Returns the parameters of {@link insertRevisions}. `insertPageEvents` uses them from the second on. */
export function changeParameters({ operation, actor }: Change): (string | null)[] {
  return [operation, actor.type, actor.id, actor.name, actor.via, actor.request_id];
}

/**
 * Returns SQL that inserts a revision for each row of `pages`. That relation contains `organization_id`, `id`, `revision` and
 * `updated_at` after the change. {@link changeParameters} returns the parameters from number `first` on. The columns
 * of the API key are for the former version.
 */
export function insertRevisions(
  pages: string,
  { changed_fields, before }: { changed_fields: string; before: string },
  first: number,
): string {
  const [operation, type, id, name] = [first, first + 1, first + 2, first + 3].map((number) => `$${number}`);
  const ifApiKey = (value: string) => `CASE WHEN ${type}::text = 'api_key' THEN ${value} END`;
  return `
    INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                       actor_name, api_key_id, api_key_name, changed_fields, before)
    SELECT organization_id, id, revision, updated_at, ${operation}, ${type}::text, ${id}::uuid, ${name}::text,
           ${ifApiKey(`${id}::uuid`)}, ${ifApiKey(`${name}::text`)}, ${changed_fields}, ${before}
      FROM ${pages}`;
}

/** Columns with a unique index. PostgreSQL changes them only under the lock FOR UPDATE. */
const KEY_COLUMNS: ReadonlySet<string> = new Set(['slug', 'custom_domain']);

/** Returns the SQL lock that must precede {@link patchWithRevision}. */
export function lockForPatch(where: string, { names }: Pick<Assignments, 'names'>): string {
  const strength = names.some((name) => KEY_COLUMNS.has(name)) ? 'UPDATE' : 'NO KEY UPDATE';
  return `SELECT FROM status_pages WHERE ${where} FOR ${strength}`;
}

/**
 * Returns SQL that updates a locked row, and writes its revision and event. The lock is necessary because an UPDATE returns no old values,
 * and values read without the lock could be older than a concurrent update. If no value changes, it writes neither, and
 * increases neither `revision` nor `updated_at`.
 *
 * The parameters are those for `where` ($1 to $3), `If-Match` ($4), the change ($5 to $10), and the new values.
 * @param output the columns of the result
 */
export function patchWithRevision(where: string, changes: Assignments, output: string): string {
  const { names, columns, placeholders } = changes;
  const each = (sqlOf: (name: string) => string) =>
    names.map((name) => `CASE WHEN old_${name} IS DISTINCT FROM new_${name} THEN ${sqlOf(name)} END`);
  const changed_fields = `array_remove(ARRAY[${each((name) => `'${name}'`).join(', ')}], NULL)`;
  const before = each((name) => `jsonb_build_object('${name}', old_${name})`).map(
    (value) => `coalesce(${value}, '{}')`,
  );
  return `
    WITH old AS (
      SELECT id AS old_id, revision AS old_revision, ${names.map((name) => `${name} AS old_${name}`).join(', ')}
        FROM status_pages
       WHERE ${where} AND ${isExpected(4)}
    ), updated AS (
      UPDATE status_pages
         ${setChanged(changes)},
             revision = revision + CASE WHEN ROW (${columns}) IS DISTINCT FROM ROW (${placeholders}) THEN 1 ELSE 0 END
        FROM old
       WHERE organization_id = $1 AND id = old_id AND revision = old_revision -- not a page restored since the lock
      RETURNING ${output}, organization_id, project_id, id, revision, updated_at, old_revision,
                ${names.map((name) => `old_${name}, ${name} AS new_${name}`).join(', ')}
    ), revision AS (${insertRevisions(
      'updated WHERE revision <> old_revision',
      { changed_fields, before: before.join(' || ') },
      5,
    )}
    ), event AS (${insertPageEvents('updated WHERE revision <> old_revision', 'status_page.updated', 6)}
    )
    SELECT text, version, revision <> old_revision AND revision % ${DELETED_AT_ONCE} = 0 AS has_outdated, revision
      FROM updated`;
}

/**
 * SQL that deletes the revisions of a page beyond {@link MAX_REVISIONS}. As a part of each update, it would take 20 % of the
 * time.
 */
export const DELETE_OUTDATED = `
  DELETE FROM status_page_revisions
   WHERE organization_id = $1 AND status_page_id = $2 AND number <= $3::int - ${MAX_REVISIONS}`;
