import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { withoutSecrets } from '../logging/logger.js';
import { isReplaced } from './connections.js';

declare global {
  namespace Express {
    interface Request {
      /** Made by the server, a UUID. */
      id: string;
      /** The code of the problem that the request was answered with. */
      error_code?: string;
    }
  }
}

// Short and plain; and with no run of characters that is as long as the random part of a key.
const PLAIN_ID = /^(?!.*[A-Za-z0-9]{33})[A-Za-z0-9._-]{1,64}$/;
// An id of ours, or what a route is named; anything else may be a key, or a piece of one.
const SEGMENT = '([a-z0-9._-]{0,24}|[0-9a-f-]{36})';
const PLAIN_SEGMENT = new RegExp(`^${SEGMENT}$`);
const PLAIN_PATH = new RegExp(`^(?!.*sp_)(/${SEGMENT})+$`);
const SHOWN_OF_OTHERS = 8;

/**
 * Gives each request an id, in `X-Request-Id`, and logs one line when it is answered: method, path, status, error code,
 * duration, key, and the address of the connection. Never a header, a query, a body, or a long piece of a path, which may
 * be a key. The level is `error` for 500, `warn` for 503, `info` for all others.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    request.id = randomUUID();
    response.setHeader('X-Request-Id', request.id);
    const started = performance.now();
    const { remoteAddress } = request.socket; // unknown once the connection is closed
    response.once('close', () => {
      if (isReplaced(response)) return; // the error answer has its own line
      const duration_ms = Math.round(performance.now() - started);
      const message = response.writableFinished ? 'answered' : 'client went away';
      logger[levelOf(response)](describe(request, response, remoteAddress, duration_ms), message);
    });
    next();
  };
}

function levelOf({ statusCode }: Response): 'error' | 'warn' | 'info' {
  if (statusCode < 500) return 'info';
  return statusCode === 503 ? 'warn' : 'error';
}

// pino leaves out what is undefined.
function describe(
  request: Request,
  { statusCode }: Response,
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

function loggedPath({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?');
  if (PLAIN_PATH.test(path)) return path; // as nearly all are
  return withoutSecrets(path)
    .split('/')
    .map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : `${segment.slice(0, SHOWN_OF_OTHERS)}…`))
    .join('/');
}

function clientRequestId({ headers }: Request): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && PLAIN_ID.test(id) ? withoutSecrets(id) : undefined;
}
