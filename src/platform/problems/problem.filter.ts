import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { DatabaseUnavailableError } from '@status-pages/resilient-pg';
import {
  CHECK_VIOLATION,
  FOREIGN_KEY_VIOLATION,
  NOT_NULL_VIOLATION,
  UNIQUE_VIOLATION,
} from '../database/statements.js';
import { ErrorLog } from '../logging/error-log.js';
import { PROBLEMS } from './catalogue.js';
import { fromHttpErrors, fromHttpException, type PlainProblem } from './http-exception.js';
import { pointerTo, Problem, problemBody, unavailable, validationFailed } from './problem.js';

/** SQLSTATE of foreign key, unique and exclusion violations. */
const CONFLICTS: ReadonlySet<string> = new Set([FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION, '23P01']);

// The body of a PATCH need not contain the other field.
const CHECK_FAILED = 'A value is invalid, by itself or in combination with another field';

/** Five characters with at least one digit, unlike the Node.js code `EPIPE`. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** Converts every error to a problem response (RFC 9457). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorLog) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    request.dry_run?.fail();
    const problem = toProblem(error, request.body);
    const status = statusOf(problem);
    const requestId = String(request.id);
    request.error_code = problem.code;
    // A Problem with a 5xx is deliberate, such as 503 during shutdown. The request log line is sufficient.
    if (status >= 500 && !(error instanceof Problem)) this.errors.log(error, problem.code, requestId);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response
      .status(status)
      .set(problem instanceof Problem ? problem.headers : {})
      .type('application/problem+json')
      .send(JSON.stringify(bodyOf(problem, requestId)));
  }
}

/** Returns the response status for a problem. */
export function statusOf(problem: Problem | PlainProblem): number {
  return problem instanceof Problem ? PROBLEMS[problem.code].status : problem.status;
}

/** Returns the response body for a problem. */
export function bodyOf(problem: Problem | PlainProblem, request_id: string): object {
  if (problem instanceof Problem) return problemBody(problem, request_id);
  const { title, status, code, detail, members } = problem;
  return { type: 'about:blank', title, status, code, detail, request_id, ...members };
}

/**
 * Returns whether an error means that the service is temporarily unavailable (503), for example because the database is down.
 */
export function isUnavailable(error: unknown): boolean {
  return toProblem(error, undefined).code === 'unavailable';
}

/**
 * Converts an error to a problem.
 * @param body the request body, which shows whether a null in the database came from it
 */
export function toProblem(error: unknown, body: unknown): Problem | PlainProblem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailableError) return unavailable();
  // TypeORM releases a broken connection. The next statement of its transaction throws one of these errors.
  if (error instanceof QueryRunnerAlreadyReleasedError) return unavailable();
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return unavailable();
  if (error instanceof QueryFailedError) return fromDatabase(error, body);
  const exception = error instanceof HttpException ? error : fromHttpErrors(error);
  return exception ? fromHttpException(exception) : new Problem('internal_error');
}

/**
 * Converts an error by its SQLSTATE (PostgreSQL, appendix A), never by its message. An error without SQLSTATE means that the
 * connection broke.
 */
function fromDatabase(
  { driverError }: QueryFailedError<Error & { code?: unknown; column?: unknown }>,
  body: unknown,
): Problem {
  const state = typeof driverError.code === 'string' ? driverError.code : '';
  if (!SQLSTATE.test(state)) return unavailable();
  switch (state.slice(0, 2)) {
    case '08': // connection exception
    case '25': // invalid transaction state, for example read-only on a standby during a failover
    case '26': // invalid statement name: a pipelined read failed to prepare the statement
    case '40': // serialization failure, deadlock
    case '53': // insufficient resources
    case '55': // object in use, lock not available
    case '57': // operator intervention: shutdown, statement timeout
      return unavailable();
    case '22': // data exception: validation accepted a value that PostgreSQL rejects
      return new Problem('validation_failed', { detail: 'A value cannot be stored' });
    case '23': // integrity constraint violation; the other codes are bugs of the service
      if (state === CHECK_VIOLATION) return new Problem('validation_failed', { detail: CHECK_FAILED });
      if (state === NOT_NULL_VIOLATION) return fromNullViolation(driverError.column, body);
      return new Problem(CONFLICTS.has(state) ? 'conflict' : 'internal_error');
    default:
      return new Problem('internal_error');
  }
}

/** Returns 400 if the body contains null for the column. Otherwise, the server did not set the column, so it returns 500. */
function fromNullViolation(column: unknown, body: unknown): Problem {
  const fields: object = Object(body); // an empty object without a body
  if (typeof column !== 'string' || Reflect.get(fields, column) !== null)
    return new Problem('internal_error');
  return validationFailed([
    { code: 'invalid_type', detail: 'must not be null', pointer: pointerTo([column]) },
  ]);
}
