import { FOREIGN_KEY_VIOLATION, isSqlState } from '../platform/database/statements.js';
import { notFound } from '../platform/problems/problem.js';

/**
 * Throws 404 if a concurrent request has deleted the project. For the `catch` of an insert.
 *
 *     await manager.insert(Monitor, monitors).catch(throwIfProjectIsMissing);
 *
 * @throws Problem 404 `not_found` for a missing project; otherwise the same error
 */
export function throwIfProjectIsMissing(error: unknown): never {
  throw isSqlState(error, FOREIGN_KEY_VIOLATION, /_project_fkey$/) ? notFound('project') : error;
}
