import { STATUS_CODES } from 'node:http';
import type { HttpException } from '@nestjs/common';
import type { ProblemCode } from './catalogue.js';
import { Problem, unavailable } from './problem.js';

/** The challenge of every 401 and 403 (RFC 6750, section 3). */
export const REALM = 'Bearer realm="status-pages"';

const MAX_DETAIL = 500;

/** The error codes for exceptions of NestJS, by status. */
const CODES: ReadonlyMap<number, ProblemCode> = new Map<number, ProblemCode>([
  [400, 'validation_failed'],
  [401, 'invalid_api_key'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [408, 'request_timeout'],
  [409, 'conflict'],
  [412, 'precondition_failed'],
  [413, 'payload_too_large'],
  [415, 'unsupported_media_type'],
  [428, 'precondition_required'],
  [429, 'rate_limited'],
  [431, 'headers_too_large'],
  [500, 'internal_error'],
  [503, 'unavailable'],
]);

/** An error with a status that the catalogue does not contain. Its type is `about:blank` (RFC 9457, section 4.2.1). */
export interface PlainProblem {
  status: number;
  /** The reason phrase in snake case, such as `unprocessable_entity`. */
  code: string;
  title: string;
  detail: string;
}

/**
 * Converts an exception of NestJS, such as `new ConflictException('Already sent')`. The status determines the code, and the
 * message becomes `detail`. The message of a 5xx is only logged.
 */
export function fromHttpException(exception: HttpException): Problem | PlainProblem {
  const status = exception.getStatus();
  if (status === 412 && isExpressError(exception)) return new Problem('precondition_failed');
  if (status < 500 && isExpressError(exception)) return new Problem('malformed_request');
  if (status === 503) return unavailable();
  const code = CODES.get(status);
  const detail = status < 500 ? messageOf(exception) : undefined;
  if (code) return new Problem(code, { ...(detail && { detail }), headers: headersOf(status) });
  const title = STATUS_CODES[status] ?? 'Unknown';
  const words = title.toLowerCase().match(/[a-z]+/g) ?? [];
  return { status, code: words.join('_'), title, detail: detail ?? title };
}

/** Whether Express threw the error: the router for a path, or the file server for a range or a precondition. */
function isExpressError({ cause }: HttpException): boolean {
  return cause instanceof URIError || (cause instanceof Error && 'statusCode' in cause && 'expose' in cause);
}

function headersOf(status: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': `${REALM}, error="invalid_token"` };
  return status === 429 ? { 'Retry-After': '1' } : {};
}

/** The message. `ValidationPipe` throws a list of messages. */
function messageOf(exception: HttpException): string {
  const response = exception.getResponse();
  const list = typeof response === 'object' && 'message' in response ? response.message : undefined;
  const text = Array.isArray(list) ? list.join('; ') : exception.message;
  return text.toWellFormed().slice(0, MAX_DETAIL);
}
