import type { Request } from 'express';
import { type FieldError, Problem } from '../problems/problem.js';

/** Name of the query parameter. */
export const DRY_RUN = 'dry_run';

/** Returns whether an operation has a dry run. Imports have their own, whose response is a report. */
export function hasDryRun(method: string, path: string): boolean {
  return !/^(GET|HEAD)$/i.test(method) && path.startsWith('/v1/') && !path.startsWith('/v1/imports/');
}

/** Returns whether a request is a dry run of a write operation. */
export function isDryRun(request: Request): boolean {
  // Express parses the query at each access.
  return hasDryRun(request.method, request.path) && request.query[DRY_RUN] === 'true';
}

/** Returns the errors of the query parameter `dry_run`. */
export function dryRunErrors({ query }: Request): FieldError[] {
  const { [DRY_RUN]: value } = query;
  if (value === undefined || value === 'true' || value === 'false') return [];
  return [{ code: 'invalid_format', detail: 'must be true or false', parameter: DRY_RUN }];
}

/**
 * Rejects a dry run of an operation without one, or with an `Idempotency-Key`.
 * @param reason why the operation has no dry run
 * @throws Problem 400 `dry_run_not_possible`
 */
export function rejectDryRun({ headers }: Request, reason: string | undefined): void {
  if (reason !== undefined) throw new Problem('dry_run_not_possible', { detail: reason });
  if (headers['idempotency-key'] !== undefined)
    throw new Problem('dry_run_not_possible', {
      detail: 'A dry run stores no response. Send it without Idempotency-Key.',
    });
}
