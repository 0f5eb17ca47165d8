import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { redactKeys } from '../logging/logger.js';
import { LOGGER } from '../logging/logging.module.js';
import { ClientAddress } from './client-address.js';
import { wasReplacedByError } from './connections.js';
import { KeylessLines } from './keyless-lines.js';
import { type AnyRequest, durationOf, RequestEnds, routeOf } from './request-end.js';

declare global {
  namespace Express {
    interface Request {
      /** Code of the problem in the response. */
      error_code?: string;
    }
  }
}

// Short, and without a sequence of characters as long as the random part of a key.
const SAFE_REQUEST_ID = /^(?!.*[A-Za-z0-9]{33})[A-Za-z0-9._-]{1,64}$/;
// A UUID or part of a route. Any other segment may contain a key.
const SAFE_SEGMENT = /^([a-z0-9._-]{0,24}|[0-9a-f-]{36})$/;
const SAFE_PATH = /^(?!.*sp_)(\/([a-z0-9._-]{0,24}|[0-9a-f-]{36}))+$/;
const VISIBLE_CHARACTERS = 8;

/**
 * Logs one line per response: method, domain, path, route, status, error code, durations, key and client address. Never logs a header,
 * query, body, or a long path segment, which may be a key. The level is `error` for 500, `warn` for 503 and for 502 (a fault of
 * another service, such as an issuer of OpenID Connect), and `info` otherwise, including 503 during shutdown. Bounds the lines of
 * requests without a valid key, except for 5xx responses, see {@link KeylessLines}.
 */
@Injectable()
export class RequestLog implements OnApplicationShutdown {
  readonly keyless: KeylessLines;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clientAddress: ClientAddress,
    private readonly ends: RequestEnds,
  ) {
    this.keyless = new KeylessLines(logger);
  }

  onApplicationShutdown(): void {
    this.keyless.report();
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    this.watch(request, response);
    next();
  };

  /** Logs and emits the end of a request when its response is sent, or its client has disconnected. */
  watch(request: AnyRequest, response: ServerResponse): void {
    request.started_at ??= performance.now();
    const address = this.clientAddress.of(request) || undefined; // unknown after the connection is closed
    response.once('close', () => {
      if (wasReplacedByError(response)) return; // the error response has its own log line
      this.ends.announce(request, response);
      if (!request.actor && response.statusCode < 500 && !this.keyless.take()) return;
      const message = response.writableFinished ? 'request completed' : 'request aborted';
      this.logger[levelOf(request, response)](toLogFields(request, response, address), message);
    });
  }
}

function levelOf(
  { is_during_stop = false }: AnyRequest,
  { statusCode }: ServerResponse,
): 'error' | 'warn' | 'info' {
  if (statusCode < 500 || (statusCode === 503 && is_during_stop)) return 'info';
  return statusCode === 502 || statusCode === 503 ? 'warn' : 'error';
}

// pino omits undefined fields.
function toLogFields(
  request: AnyRequest,
  { headersSent, statusCode }: ServerResponse,
  client_address: string | undefined,
): object {
  return {
    request_id: request.id,
    method: request.method,
    domain: request.domain?.domain,
    path: loggedPath(request),
    route: routeOf(request),
    status: headersSent ? statusCode : undefined, // 200 by default, before a response
    error_code: request.error_code,
    client_address,
    api_key_id: request.actor?.type === 'api_key' ? request.actor.id : undefined,
    organization_id: request.actor?.organization_id,
    client_request_id: clientRequestId(request),
    trace_id: request.trace_id,
    duration_ms: Math.round(durationOf(request)),
    database_ms: request.database_ms === undefined ? undefined : Math.round(request.database_ms),
  };
}

/** Returns the path of a request without segments that may contain a key. On a domain, it is the path that the client requested. */
export function loggedPath({ originalUrl, url = '', domain }: AnyRequest): string {
  const [served = ''] = (originalUrl ?? url).split('?');
  const prefix = domain && `/status/${domain.slug}`;
  const path =
    prefix !== undefined && served.startsWith(prefix) ? served.slice(prefix.length) || '/' : served;
  if (SAFE_PATH.test(path)) return path; // the usual case
  return redactKeys(path)
    .split('/')
    .map((segment) => (SAFE_SEGMENT.test(segment) ? segment : `${segment.slice(0, VISIBLE_CHARACTERS)}…`))
    .join('/');
}

function clientRequestId({ headers }: AnyRequest): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && SAFE_REQUEST_ID.test(id) ? redactKeys(id) : undefined;
}
