import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { withoutSecrets } from '../logging/logger.js';

declare global {
  namespace Express {
    interface Request {
      /** Of the server's making, a UUID. */
      id: string;
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
 * Gives each request an id of the server's making, in `X-Request-Id`, and logs one line when it is answered: method,
 * path, status, time, whose key. Never a header, a query, a body, or a long piece of a path, which may be a key.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    request.id = randomUUID();
    response.setHeader('X-Request-Id', request.id);
    const started = performance.now();
    response.once('close', () => {
      const duration_ms = Math.round(performance.now() - started);
      const level = response.statusCode >= 500 ? 'error' : 'info';
      const message = response.writableFinished ? 'answered' : 'client went away';
      logger[level](describe(request, response, duration_ms), message);
    });
    next();
  };
}

// What is undefined is not written.
function describe(request: Request, { statusCode }: Response, duration_ms: number): object {
  return {
    request_id: request.id,
    method: request.method,
    path: loggedPath(request),
    status: statusCode,
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
