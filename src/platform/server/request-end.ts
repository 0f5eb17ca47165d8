import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

declare module 'node:http' {
  interface IncomingMessage {
    /** Verified domain of a status page that the request names as its host. Its path is then below `/status/{slug}`. */
    domain?: { domain: string; page_id: string; slug: string };
  }
}

declare global {
  namespace Express {
    interface Request {
      /** Time at which the server began to process the request, before the queue time; see `performance.now()`. */
      started_at?: number;
      /** Total time of its statements so far, in milliseconds; undefined without statements. */
      database_ms?: number;
      /** Trace ID of the request (W3C Trace Context), if tracing is enabled. */
      trace_id?: string;
    }
  }
}

/** A request, whether or not it reached Express. */
export type AnyRequest = IncomingMessage &
  Partial<
    Pick<
      Request,
      | 'id'
      | 'originalUrl'
      | 'actor'
      | 'error_code'
      | 'is_during_stop'
      | 'started_at'
      | 'database_ms'
      | 'trace_id'
    >
  > & {
    /** Route of Express, or the pattern of a route that responds before Express. */
    route?: unknown;
  };

/** End of a request: the response is sent, or the client has disconnected. */
export interface RequestEnd {
  /** undefined for invalid HTTP. */
  request: AnyRequest | undefined;
  /** Pattern of the route, such as `/v1/monitors/{id}`; undefined if the request has not reached a route. */
  route: string | undefined;
  /** undefined if the client disconnected before the response. */
  status: number | undefined;
  /** Milliseconds since the server began to process the request, including the queue time. */
  duration_ms: number;
}

/**
 * Emits an event at the end of each request, including requests that never reach Express. Has no cost without listeners.
 *
 *     ends.listen(({ route, status, duration_ms }) => observe(route, status, duration_ms));
 */
@Injectable()
export class RequestEnds {
  private readonly listeners: ((end: RequestEnd) => void)[] = [];

  /** Adds a listener, which must not throw. */
  listen(listener: (end: RequestEnd) => void): void {
    this.listeners.push(listener);
  }

  /** Emits the end of a request. */
  announce(request: AnyRequest, response: ServerResponse): void {
    if (this.listeners.length === 0) return;
    const { headersSent, statusCode } = response;
    this.send({
      request,
      route: routeOf(request),
      status: headersSent ? statusCode : undefined,
      duration_ms: durationOf(request),
    });
  }

  /** Emits the end of an invalid or incomplete HTTP request, which gets an error response. */
  announceInvalid(status: number): void {
    this.send({ request: undefined, route: undefined, status, duration_ms: 0 });
  }

  private send(end: RequestEnd): void {
    for (const listener of this.listeners) listener(end);
  }
}

/** Returns the milliseconds since the server began to process a request. */
export function durationOf({ started_at }: AnyRequest): number {
  return started_at === undefined ? 0 : performance.now() - started_at;
}

/** Cache by Express path; bounded by the number of routes. */
const patterns = new Map<string, string>();

/** Returns the route pattern of a request, in OpenAPI notation; undefined if it has not reached a route. */
export function routeOf({ route }: AnyRequest): string | undefined {
  if (typeof route === 'string') return route;
  if (typeof route !== 'object' || route === null || !('path' in route)) return undefined;
  const path = String(route.path);
  const known = patterns.get(path);
  if (known !== undefined) return known;
  // `/v1/monitors/:id` and `/status/{*path}` in Express.
  const pattern = path.replaceAll(/[{}]/g, '').replaceAll(/[:*](\w+)/g, '{$1}');
  patterns.set(path, pattern);
  return pattern;
}
