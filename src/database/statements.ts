import { QueryFailedError } from 'typeorm';

/** The `updated_at` of a row that changes: now, but at least a millisecond after the previous change. */
export const NEXT_VERSION = `GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')`;

/** SQLSTATE (PostgreSQL, appendix A) of a row that others refer to, or that refers to a missing one. */
export const FOREIGN_KEY_VIOLATION = '23503';
/** SQLSTATE of a value that another row has. */
export const UNIQUE_VIOLATION = '23505';
/** SQLSTATE of a null in a column that takes none. */
export const NOT_NULL_VIOLATION = '23502';
/** SQLSTATE of a value that breaks a CHECK constraint. */
export const CHECK_VIOLATION = '23514';

/** SQLSTATE of a lock that was not granted within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** SQLSTATE of a statement that PostgreSQL ended because two transactions waited for each other. */
export const DEADLOCK = '40P01';

/**
 * Whether a statement failed with this SQLSTATE.
 * @param constraint matches the name of the violated constraint, where it matters
 */
export function isSqlState(error: unknown, state: string, constraint?: RegExp): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { driverError } = error;
  if (!('code' in driverError) || driverError.code !== state) return false;
  return !constraint || ('constraint' in driverError && constraint.test(String(driverError.constraint)));
}
