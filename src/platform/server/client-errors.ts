import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { ServerExpressAdapter } from './express-adapter.js';
import type { RequestEnds } from './request-end.js';
import type { RequestLog } from './request-log.js';
import { AmbiguousRequestError } from './request-headers.js';
import { CORS_HEADERS } from './cors.js';
import { type ProblemCode, PROBLEMS } from '../problems/catalogue.js';
import { Problem, problemBody } from '../problems/problem.js';

/**
 * Responds to errors that never reach Express, and logs them: invalid or ambiguous HTTP (400), slow requests (408) and headers
 * that are too large (431). Closes the connection after the response.
 */
export function handleClientErrors(
  adapter: ServerExpressAdapter,
  logger: Logger,
  ends: RequestEnds,
  { keyless }: RequestLog,
): void {
  adapter.getHttpServer().on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    adapter.connections.fail(socket, () => {
      const requestId = randomUUID();
      const detail = error instanceof AmbiguousRequestError ? { detail: error.message } : {};
      const problem = new Problem(problemCodeOf(error), detail);
      const { status } = PROBLEMS[problem.code];
      const fields = {
        request_id: requestId,
        status,
        client_address: socket.remoteAddress,
        error_code: problem.code,
        node_error_code: error.code,
      };
      if (keyless.take()) logger.info(fields, 'invalid request');
      ends.announceInvalid(status);
      return toHttpResponse(problem, requestId);
    });
  });
}

function toHttpResponse(problem: Problem, requestId: string): string {
  const { status } = PROBLEMS[problem.code];
  const body = JSON.stringify(problemBody(problem, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(CORS_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function problemCodeOf({ code }: NodeJS.ErrnoException): ProblemCode {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'malformed_request';
  }
}
