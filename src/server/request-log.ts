import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { redactKeys } from '../logging/logger.js';
import type { ClientAddress } from './client-address.js';
import { wasReplacedByError } from './connections.js';

declare global {
  namespace Express {
    interface Request {
      /** The code of the problem in the response. */
      error_code?: string;
    }
  }
}

// Short, and without a run of characters as long as the random part of a key.
const SAFE_REQUEST_ID = /^(?!.*[A-Za-z0-9]{33})[A-Za-z0-9._-]{1,64}$/;
// A UUID or part of a route. Anything else may contain a key.
const SAFE_SEGMENT_PATTERN = '([a-z0-9._-]{0,24}|[0-9a-f-]{36})';
const SAFE_SEGMENT = new RegExp(`^${SAFE_SEGMENT_PATTERN}$`);
const SAFE_PATH = new RegExp(`^(?!.*sp_)(/${SAFE_SEGMENT_PATTERN})+$`);
const VISIBLE_CHARACTERS = 8;

/**
 * Logs one line per response: method, path, status, error code, duration,
 * key and client address. Never logs a header, query, body, or a long path segment, which may be a key. The level is
 * `error` for 500, `warn` for 503, `info` otherwise, and for 503 during a stop.
 */
export function requestLog(logger: Logger, clientAddress: ClientAddress): RequestHandler {
  return (request, response, next) => {
    logWhenClosed(logger, clientAddress, request, response);
    next();
  };
}

/** A request of Express, or one that has not reached Express. */
type LoggedRequest = IncomingMessage &
  Partial<Pick<Request, 'id' | 'originalUrl' | 'user' | 'error_code' | 'is_during_stop'>>;

/** Logs the line of a response when it is sent, or its client is gone. */
export function logWhenClosed(
  logger: Logger,
  clientAddress: ClientAddress,
  request: LoggedRequest,
  response: ServerResponse,
): void {
  const started = performance.now();
  const address = clientAddress.of(request) || undefined; // unknown after the connection is closed
  response.once('close', () => {
    if (wasReplacedByError(response)) return; // the error response has its own line
    const duration_ms = Math.round(performance.now() - started);
    const message = response.writableFinished ? 'request completed' : 'request aborted';
    logger[levelOf(request, response)](toLogFields(request, response, address, duration_ms), message);
  });
}

function levelOf(
  { is_during_stop = false }: LoggedRequest,
  { statusCode }: ServerResponse,
): 'error' | 'warn' | 'info' {
  if (statusCode < 500 || (statusCode === 503 && is_during_stop)) return 'info';
  return statusCode === 503 ? 'warn' : 'error';
}

// pino omits undefined fields.
function toLogFields(
  request: LoggedRequest,
  { statusCode }: ServerResponse,
  client_address: string | undefined,
  duration_ms: number,
): object {
  return {
    request_id: request.id,
    method: request.method,
    path: loggedPath(request),
    status: statusCode,
    error_code: request.error_code,
    client_address,
    api_key_id: request.user?.id,
    organization_id: request.user?.organization_id,
    client_request_id: clientRequestId(request),
    duration_ms,
  };
}

function loggedPath({ originalUrl, url = '' }: LoggedRequest): string {
  const [path = ''] = (originalUrl ?? url).split('?');
  if (SAFE_PATH.test(path)) return path; // the usual case
  return redactKeys(path)
    .split('/')
    .map((segment) => (SAFE_SEGMENT.test(segment) ? segment : `${segment.slice(0, VISIBLE_CHARACTERS)}…`))
    .join('/');
}

function clientRequestId({ headers }: LoggedRequest): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && SAFE_REQUEST_ID.test(id) ? redactKeys(id) : undefined;
}
