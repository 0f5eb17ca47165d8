import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { DatabaseUnavailableError } from '../database/unavailable.js';
import { FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION } from '../database/statements.js';
import { redactKeys } from '../logging/logger.js';
import { LOGGER } from '../logging/logging.module.js';
import { type ProblemCode, PROBLEMS } from './catalogue.js';
import { Problem, problemBody, unavailable } from './problem.js';

const STACK_EVERY_MS = 10_000;

/** SQLSTATE of foreign key, unique and exclusion violations. */
const CONFLICTS: ReadonlySet<string> = new Set([FOREIGN_KEY_VIOLATION, UNIQUE_VIOLATION, '23P01']);

/** Five characters, at least one a digit: `EPIPE`, of node, is none. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** The only place that makes an answer of an error. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private stackLoggedAt = -Infinity;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const problem = toProblem(error);
    const { status } = PROBLEMS[problem.code];
    const requestId = String(request.id);
    request.error_code = problem.code;
    // A Problem with a 5xx is deliberate, such as 503 while the server stops: its access line says enough.
    if (status >= 500 && !(error instanceof Problem)) this.log(error, problem.code, requestId);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response
      .status(status)
      .set(problem.headers)
      .type('application/problem+json')
      .send(JSON.stringify(problemBody(problem, requestId)));
  }

  /** An outage makes thousands of equal errors: for 503, one stack in ten seconds is logged, and each reason. */
  private log(error: unknown, code: ProblemCode, request_id: string): void {
    if (code === 'unavailable') {
      if (performance.now() - this.stackLoggedAt < STACK_EVERY_MS) {
        this.logger.error({ request_id, reason: reasonOf(error) }, code);
        return;
      }
      this.stackLoggedAt = performance.now();
    }
    this.logger.error({ request_id, err: error }, code);
  }
}

/** The messages of an error and its causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const message = redactKeys(error.message);
  return error.cause === undefined ? message : `${message}: ${reasonOf(error.cause)}`;
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailableError) return unavailable();
  // TypeORM lets go of a connection that broke, also within a transaction, which then meets these.
  if (error instanceof QueryRunnerAlreadyReleasedError) return unavailable();
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return unavailable();
  if (error instanceof QueryFailedError) return fromDatabase(error);
  if (error instanceof HttpException && error.getStatus() < 500) return ofStaticFile(error);
  return new Problem('internal_error');
}

/** What Express's file server says of the files of the documentation page: a range or a condition that is not met. */
function ofStaticFile(error: HttpException): Problem {
  return new Problem(error.getStatus() === 412 ? 'precondition_failed' : 'malformed_request');
}

/** By SQLSTATE (PostgreSQL, appendix A), never by message. Without one, the connection broke. */
function fromDatabase({ driverError }: QueryFailedError<Error & { code?: unknown }>): Problem {
  const state = typeof driverError.code === 'string' ? driverError.code : '';
  if (!SQLSTATE.test(state)) return unavailable();
  switch (state.slice(0, 2)) {
    case '08': // connection exception
    case '25': // invalid transaction state: read-only, as a standby is in a failover
    case '26': // invalid statement name: the read that was to prepare it failed, on a connection that reads share
    case '40': // serialization failure, deadlock
    case '53': // insufficient resources
    case '55': // object in use, lock not available
    case '57': // operator intervention: shutdown, statement timeout
      return unavailable();
    case '22': // a value that PostgreSQL cannot take, and that validation let through
      return new Problem('validation_failed', { detail: 'A value cannot be stored' });
    case '23': // integrity constraint violation; of the others, the fault is ours
      return new Problem(CONFLICTS.has(state) ? 'conflict' : 'internal_error');
    default:
      return new Problem('internal_error');
  }
}
