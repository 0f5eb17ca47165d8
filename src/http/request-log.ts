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
const PLAIN_SEGMENT = /^([a-z0-9._-]{0,24}|[0-9a-f-]{36})$/;
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
      logger[level]({ request_id: request.id, ...describe(request, response), duration_ms }, message);
    });
    next();
  };
}

function describe(request: Request, response: Response): object {
  return {
    method: request.method,
    path: loggedPath(request),
    status: response.statusCode,
    ...whose(request),
    ...clientRequestId(request),
  };
}

function loggedPath({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?');
  return withoutSecrets(path)
    .split('/')
    .map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : `${segment.slice(0, SHOWN_OF_OTHERS)}…`))
    .join('/');
}

function whose({ user }: Request): object {
  return user ? { api_key_id: user.id, organization_id: user.organization_id } : {};
}

function clientRequestId({ headers }: Request): object {
  const id = headers['x-request-id'];
  return typeof id === 'string' && PLAIN_ID.test(id) ? { client_request_id: withoutSecrets(id) } : {};
}
