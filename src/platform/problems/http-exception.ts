import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import type { ProblemCode } from './catalogue.js';
import { challenge } from './challenge.js';
import { Problem, unavailable } from './problem.js';

const MAX_DETAIL = 500;

/** Error codes for exceptions of NestJS, by status. */
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
  /** Reason phrase in snake case, such as `unprocessable_entity`. */
  code: string;
  title: string;
  detail: string;
  /** Further members of the response body. */
  members: Record<string, unknown>;
}

/**
 * Converts an exception of NestJS, such as `new ConflictException('Already sent')`. The status determines the code, and the
 * message becomes `detail`. Other properties of an object, such as `new ConflictException({ message: 'Taken', by: 'Ada' })`, become
 * members of the response body. The content of a 5xx is only logged.
 */
export function fromHttpException(exception: HttpException): Problem | PlainProblem {
  const status = exception.getStatus();
  if (status === 503) return unavailable();
  const code = CODES.get(status);
  const detail = status < 500 ? messageOf(exception) : undefined;
  const members = status < 500 ? membersOf(exception) : {};
  if (code) return new Problem(code, { ...(detail && { detail }), headers: headersOf(status), members });
  const title = STATUS_CODES[status] ?? 'Unknown';
  const words = title.toLowerCase().match(/[a-z]+/g) ?? [];
  return { status, code: words.join('_'), title, detail: detail ?? title, members };
}

/** Returns the properties of an exception's object, except for members of every error response. */
function membersOf(exception: HttpException): Record<string, unknown> {
  const response = exception.getResponse();
  if (typeof response !== 'object' || response instanceof Error) return {};
  return Object.fromEntries(Object.entries(response).filter(([name]) => !RESERVED.has(name)));
}

const RESERVED = new Set([
  'message',
  'error',
  'statusCode',
  'type',
  'title',
  'status',
  'code',
  'detail',
  'errors',
  'request_id',
]);

/** Converts an error of the package `http-errors`, which libraries for Express throw, to the exception of NestJS. */
export function fromHttpErrors(error: unknown): HttpException | undefined {
  if (!(error instanceof Error && 'statusCode' in error && 'expose' in error)) return undefined;
  const { statusCode: status, expose, message } = error;
  if (typeof status !== 'number' || STATUS_CODES[status] === undefined || status < 400) return undefined;
  return new HttpException(expose === true ? message : STATUS_CODES[status], status, { cause: error });
}

function headersOf(status: number): Record<string, string> {
  if (status === 401) return challenge('invalid_token');
  return status === 429 ? { 'Retry-After': '1' } : {};
}

/**
 * Returns the message, or all messages, because the `ValidationPipe` throws a list. Returns no message for an exception that
 * wraps an error, whose message is not intended for clients. Nest does not send it either.
 */
function messageOf(exception: HttpException): string | undefined {
  const response = exception.getResponse();
  if (response instanceof Error) return undefined;
  const list = typeof response === 'object' && 'message' in response ? response.message : undefined;
  const text = Array.isArray(list)
    ? list.filter((one) => typeof one === 'string').join('; ')
    : exception.message;
  return text.slice(0, MAX_DETAIL).toWellFormed() || undefined;
}
