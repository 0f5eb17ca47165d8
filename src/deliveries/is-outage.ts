import { QueryFailedError } from 'typeorm';
import { isUnavailable } from '../platform/problems/problem.filter.js';

/** SQLSTATEs that concern one statement, not the database: timeout, deadlock, lock not available. */
const OF_ONE_STATEMENT = /^(?:57014|40|55)/;

/** Returns whether an error means that the database is unavailable for all organizations. */
export function isOutage(error: unknown): boolean {
  if (!isUnavailable(error)) return false;
  if (!(error instanceof QueryFailedError)) return true;
  const { driverError } = error;
  const state = 'code' in driverError && typeof driverError.code === 'string' ? driverError.code : '';
  return !OF_ONE_STATEMENT.test(state);
}
