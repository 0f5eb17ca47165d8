import { FOREIGN_KEY_VIOLATION, isSqlState } from '../database/statements.js';
import { notFound } from '../problems/problem.js';

/**
 * For the `catch` of an insert: the project may have been deleted since it was looked up.
 *
 *     await manager.insert(Monitor, monitors).catch(throwIfProjectIsMissing);
 *
 * @throws Problem 404 `not_found` for a row whose project is missing; any other error as it is
 */
export function throwIfProjectIsMissing(error: unknown): never {
  throw isSqlState(error, FOREIGN_KEY_VIOLATION, /_project_fkey$/) ? notFound('project') : error;
}
