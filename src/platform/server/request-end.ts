import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

declare global {
  namespace Express {
    interface Request {
      /** When the server began to process the request, before it waited for its turn; see `performance.now()`. */
      started_at?: number;
      /** Milliseconds in which its statements were under way so far, added up; undefined if it had none. */
      database_ms?: number;
      /** The trace of the request (W3C Trace Context), if traces are on. */
      trace_id?: string;
    }
  }
}

/** A request of Express, or one that has not reached Express. */
export type AnyRequest = IncomingMessage &
  Partial<
    Pick<
      Request,
      | 'id'
      | 'originalUrl'
      | 'user'
      | 'error_code'
      | 'is_during_stop'
      | 'started_at'
      | 'database_ms'
      | 'trace_id'
    >
  > & {
    /** The route of Express, or the pattern of one that responds before Express. */
    route?: unknown;
  };

/** The end of a request: its response is sent, or its client is gone. */
export interface RequestEnd {
  /** Undefined for what is not valid HTTP. */
  request: AnyRequest | undefined;
  /** The pattern of the route, such as `/v1/monitors/{id}`; undefined if the request has reached none. */
  route: string | undefined;
  /** Undefined if the client left before the response. */
  status: number | undefined;
  /** Milliseconds since the server began to process the request, the wait for its turn included. */
  duration_ms: number;
}

/**
 * Announces the end of each request, also of those that Express does not see. Without listeners, it costs nothing.
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

  /** Announces the end of a request. */
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

  /** Announces an error response to what is not valid HTTP, or incomplete. */
  announceInvalid(status: number): void {
    this.send({ request: undefined, route: undefined, status, duration_ms: 0 });
  }

  private send(end: RequestEnd): void {
    for (const listener of this.listeners) listener(end);
  }
}

/** Milliseconds since the server began to process a request. */
export function durationOf({ started_at }: AnyRequest): number {
  return started_at === undefined ? 0 : performance.now() - started_at;
}

/** By the path of Express: there are as many as routes. */
const patterns = new Map<string, string>();

/** The pattern of the route of a request, in the notation of OpenAPI; undefined if it has reached none. */
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
