import { type EntityManager, QueryFailedError } from 'typeorm';
import type { Position } from './keyset.js';

/**
 * The rows that `select` (up to and with its WHERE) finds, newest first, at most `count`, after `after`. With an index
 * on what the WHERE compares, then `created_at` and `id`, the cost does not depend on how deep `after` lies.
 */
export async function newest<Row>(
  manager: EntityManager,
  { select, parameters }: { select: string; parameters: unknown[] },
  count: number,
  after: Position | null,
): Promise<Row[]> {
  const next = parameters.length + 1;
  return manager.query(
    `${select}
       ${after ? `AND (created_at, id) < ($${next + 1}::timestamptz, $${next + 2}::uuid)` : ''}
     ORDER BY created_at DESC, id DESC
     LIMIT $${next}`,
    [...parameters, count, ...(after ? [after.created_at, after.id] : [])],
  );
}

/** The columns that a client may write, with their types in PostgreSQL. */
export type Writable<Values> = { readonly [Column in keyof Values]-?: string };

/** The values that are given for columns, as placeholders; they are added to `parameters`. Others are left alone. */
export function placeholders<Values extends object>(
  writable: Writable<Values>,
  values: Values,
  parameters: unknown[],
): { columns: string; values: string } {
  const given = new Map<string, unknown>(Object.entries(values));
  const columns = Object.entries<string>(writable).filter(([column]) => given.get(column) !== undefined);
  return {
    columns: columns.map(([column]) => column).join(', '),
    values: columns
      .map(([column, type]) => {
        const value = given.get(column);
        return `$${parameters.push(type === 'jsonb' ? JSON.stringify(value) : value)}::${type}`;
      })
      .join(', '),
  };
}

/**
 * The SET of an UPDATE that writes the columns of `patch` that are there, and no others. `updated_at` grows, by a
 * millisecond at least, if, and only if, a value changes.
 * @param parameters those of the statement so far; the values are added to them
 */
export function setPatch<Patch extends object>(
  writable: Writable<Patch>,
  patch: Patch,
  parameters: unknown[],
): string {
  const { columns, values } = placeholders(writable, patch, parameters);
  if (columns === '') return 'SET updated_at = updated_at'; // nothing was sent: the row is only answered
  return `
    SET (${columns}) = ROW (${values}),
        updated_at = CASE
          WHEN ROW (${columns}) IS DISTINCT FROM ROW (${values})
          THEN ${NEXT_VERSION}
          ELSE updated_at
        END`;
}

/** Whether a row is in one of the versions that `If-Match` allows, the parameter $4; null: in any. */
export const IN_EXPECTED_VERSION = `($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))`;

/** The `updated_at` of a row that changes: now, but a millisecond after the last change at the least. */
export const NEXT_VERSION = `GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`;

/** SQLSTATE (PostgreSQL, appendix A) of a row that others refer to, or of one that refers to none. */
export const FOREIGN_KEY_VIOLATION = '23503';
/** SQLSTATE of a value that another row has. */
export const UNIQUE_VIOLATION = '23505';

/** SQLSTATE of a value that breaks a CHECK constraint. */
export const CHECK_VIOLATION = '23514';

/** SQLSTATE of a lock that was not had within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** SQLSTATE of a statement that waited for one that waited for it. */
export const DEADLOCK = '40P01';

/** Whether a statement failed with this SQLSTATE. */
export function isSqlState(error: unknown, state: string): boolean {
  return error instanceof QueryFailedError && 'code' in error.driverError && error.driverError.code === state;
}
