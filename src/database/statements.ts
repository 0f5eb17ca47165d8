import { QueryFailedError } from 'typeorm';

/** SQL of the new `updated_at`: now, but at least a millisecond later than the old value. */
export const NEXT_VERSION = `GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`;

// SQLSTATE codes (PostgreSQL, appendix A).

/** A row refers to a missing row, or other rows refer to a deleted row. */
export const FOREIGN_KEY_VIOLATION = '23503';
/** Another row has the same value. */
export const UNIQUE_VIOLATION = '23505';
/** A column that takes no null got one. */
export const NOT_NULL_VIOLATION = '23502';
/** A value violates a CHECK constraint. */
export const CHECK_VIOLATION = '23514';

/** A lock was not granted within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** PostgreSQL cancelled the statement to resolve a deadlock. */
export const DEADLOCK = '40P01';

/**
 * Whether a statement failed with this SQLSTATE.
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
