import { QueryFailedError } from 'typeorm';

/**
 * Returns SQL of the new `updated_at`: now, but at least a millisecond later than the old value.
 * @param version SQL of the old value, if it is also derived from other columns
 */
export function nextVersion(version: string): string {
  return `GREATEST(date_trunc('milliseconds', clock_timestamp()), ${version} + interval '1 millisecond')`;
}

/** SQL of the new `updated_at` of a table that stores the whole version in that column. */
export const NEXT_VERSION = nextVersion('updated_at');

/** Returns SQL of a SET that increases `updated_at` only if a value changes. */
export function setChanged(
  { columns, placeholders }: { columns: string; placeholders: string },
  version = 'updated_at',
): string {
  return `SET (${columns}) = ROW (${placeholders}),
            updated_at = CASE
              WHEN ROW (${columns}) IS DISTINCT FROM ROW (${placeholders})
              THEN ${nextVersion(version)}
              ELSE updated_at
            END`;
}

/** Returns an SQL condition: the row has one of the versions of `If-Match`; null matches every row. */
export function isExpected(parameter: number, version = 'updated_at'): string {
  return `($${parameter}::timestamptz[] IS NULL OR ${version} = ANY($${parameter}::timestamptz[]))`;
}

// SQLSTATE codes (PostgreSQL, appendix A).

/** A row references a missing row, or a deleted row is still referenced. */
export const FOREIGN_KEY_VIOLATION = '23503';
/** Another row has the same value. */
export const UNIQUE_VIOLATION = '23505';
/** A NOT NULL column received null. */
export const NOT_NULL_VIOLATION = '23502';
/** A value violates a CHECK constraint. */
export const CHECK_VIOLATION = '23514';

/** A lock was not granted within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** A statement that writes was sent to a standby, or to a database with `default_transaction_read_only`. */
export const READ_ONLY = '25006';
/** PostgreSQL cancelled the statement to resolve a deadlock. */
export const DEADLOCK = '40P01';

/**
 * Returns whether a statement failed with this SQLSTATE.
 *
 *     if (isSqlState(error, FOREIGN_KEY_VIOLATION, /_project_fkey$/)) throw notFound('project');
 *
 * @param constraint matches the name of the violated constraint
 */
export function isSqlState(error: unknown, state: string, constraint?: RegExp): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { driverError } = error;
  if (!('code' in driverError) || driverError.code !== state) return false;
  return !constraint || ('constraint' in driverError && constraint.test(String(driverError.constraint)));
}

/**
 * Returns whether PostgreSQL has rolled back a transaction because of a concurrent one: a deadlock or a serialization failure
 * (class 40). A retry can succeed.
 */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { driverError } = error;
  return 'code' in driverError && String(driverError.code).startsWith('40');
}
