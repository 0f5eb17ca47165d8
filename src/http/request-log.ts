import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import type { CurrentApiKey } from '../auth/current-key.js';
import { withoutSecrets } from '../logging/logger.js';

// Short and plain; and with no run of characters that is as long as the random part of a key.
const PLAIN_ID = /^(?!.*[A-Za-z0-9]{33})[A-Za-z0-9._-]{1,64}$/;
// An id of ours, or what a route is named; anything else may be a key, or a piece of one.
const PLAIN_SEGMENT = /^([a-z0-9._-]{0,24}|[0-9a-f-]{36})$/;
const SHOWN_OF_OTHERS = 8;

/**
 * Gives each request an id of the server's making, in `X-Request-Id`, and logs one line when it is answered: method,
 * path, status, time, whose key. Never a header, a query, a body, or a long piece of a path, which may be a key.
 */
export function requestLog(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: (_request: IncomingMessage, response: ServerResponse) => {
      const id = randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'request_id', responseTime: 'duration_ms' },
    customSuccessObject: describe,
    customErrorObject: (request: IncomingMessage, response: ServerResponse, _error: Error, times: object) =>
      describe(request, response, times),
    // What there is to say of them is said by `describe`, flat.
    serializers: { req: () => undefined, res: () => undefined },
    customLogLevel: (_request: IncomingMessage, response: ServerResponse) =>
      response.statusCode >= 500 ? 'error' : 'info',
    customSuccessMessage: () => 'answered',
    customErrorMessage: (_request: IncomingMessage, response: ServerResponse) =>
      response.writableFinished ? 'answered' : 'client went away',
  });
}

function describe(request: IncomingMessage, response: ServerResponse, times: object): object {
  return {
    method: request.method,
    path: loggedPath(request),
    status: response.statusCode,
    ...whose(request),
    ...clientRequestId(request),
    ...times,
  };
}

function loggedPath(request: IncomingMessage): string {
  const url = 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '');
  const [path = ''] = url.split('?');
  return withoutSecrets(path)
    .split('/')
    .map((segment) => (PLAIN_SEGMENT.test(segment) ? segment : `${segment.slice(0, SHOWN_OF_OTHERS)}…`))
    .join('/');
}

function whose(request: IncomingMessage & { user?: CurrentApiKey }): object {
  return request.user ? { api_key_id: request.user.id, organization_id: request.user.organization_id } : {};
}

function clientRequestId({ headers }: IncomingMessage): object {
  const id = headers['x-request-id'];
  return typeof id === 'string' && PLAIN_ID.test(id) ? { client_request_id: withoutSecrets(id) } : {};
}
