import type { components } from './schema.js';
import { retryAfterMs } from './retry.js';

/** The body of an error response (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/**
 * An error response. `problem` is its body, with each invalid field in `errors`.
 *
 * catch (error) {
 * if (error instanceof StatusPagesError && error.code === 'not_found') …
 * }
 */
export class StatusPagesError extends Error {
  override readonly name = 'StatusPagesError';
  readonly status: number;
  /** The stable error code, which `GET /problems/{code}` explains. Undefined if a proxy sent the response. */
  readonly code: Problem['code'] | undefined;
  /** Seconds to wait before a retry, if the response contains `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly response: Response,
    readonly problem: Problem | undefined,
  ) {
    super(problem ? describe(problem) : `The response was ${response.status}, without an error of the API`);
    this.status = response.status;
    this.code = problem?.code;
    const wait = retryAfterMs(response);
    this.retryAfter = wait === undefined ? undefined : Math.ceil(wait / 1000);
  }
}

function describe({ status, code, detail, errors = [] }: Problem): string {
  const fields = errors.map((one) => `${one.pointer ?? one.parameter ?? ''} ${one.detail}`.trim());
  return [`${status} ${code}: ${detail}`, ...fields].join('; ');
}
