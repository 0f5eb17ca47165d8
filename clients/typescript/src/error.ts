import type { components } from './schema.js';
import { retryAfterMs } from './retry.js';

/** An error as the API tells it (RFC 9457). */
export type Problem = components['schemas']['Problem'];

/** The API answered with an error. `problem` says which, and names each bad field in `errors`. */
export class StatusPagesError extends Error {
  override readonly name = 'StatusPagesError';
  readonly status: number;
  /** Stable; `GET /problems/{code}` explains it. Undefined: something between here and the API answered. */
  readonly code: Problem['code'] | undefined;
  /** Seconds to wait before the next try, where the API says so. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly response: Response,
    readonly problem: Problem | undefined,
  ) {
    super(problem ? describe(problem) : `The answer was ${response.status}, and no error of the API`);
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
