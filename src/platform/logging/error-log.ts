import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from './logger-token.js';
import { redactKeys } from './logger.js';

const STACK_EVERY_MS = 10_000;

/** Logs why requests have failed, for every interface of the service. */
@Injectable()
export class ErrorLog {
  private stackLoggedAt = -Infinity;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** Logs an error. During an outage, logs every reason, but only one stack every ten seconds. */
  log(error: unknown, error_code: string, request_id: string): void {
    if (error_code !== 'unavailable') {
      this.logger.error({ request_id, error_code, err: error }, 'request failed: internal error');
      return;
    }
    const needsStack = performance.now() - this.stackLoggedAt >= STACK_EVERY_MS;
    if (needsStack) this.stackLoggedAt = performance.now();
    const cause = needsStack ? { err: error } : { reason: reasonOf(error) };
    this.logger.error({ request_id, error_code, ...cause }, 'request failed: service unavailable');
  }
}

/** Returns the messages of an error and its causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const message = redactKeys(error.message);
  return error.cause === undefined ? message : `${message}: ${reasonOf(error.cause)}`;
}
