import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Actor } from '../platform/auth/actor.js';
import type { Scope } from '../platform/auth/scopes.js';
import type { ConsoleSession } from './console-session.js';

/** A request of a member to the console. */
export interface Visit {
  session: ConsoleSession;
  /** The member as the author of changes. */
  actor: Actor;
  /** Sent form; empty for GET. */
  sent: URLSearchParams;
  /** File of the form; undefined: none was chosen. */
  file?: Uint8Array | undefined;
  query: URLSearchParams;
  /** Path of the screen, without the query. */
  path: string;
}

declare global {
  namespace Express {
    interface Request {
      /** Set by the guard of the console. */
      console?: {
        session: ConsoleSession | undefined;
        sent: URLSearchParams;
        file: Uint8Array | undefined;
      };
    }
  }
}

/** Injects the member's request. Only in handlers for members. */
export const Visiting = createParamDecorator((_data: unknown, context: ExecutionContext): Visit => {
  const visit = visitOf(context.switchToHttp().getRequest<Request>());
  if (!visit) throw new Error('the handler is also for others than members');
  return visit;
});

/** Returns the request of a member, or undefined without a session. */
export function visitOf(request: Request): Visit | undefined {
  const { console: found } = request;
  if (!found?.session) return undefined;
  const { session, sent, file } = found;
  return { session, actor: session.actor, sent, file, query: queryOf(request), path: pathOf(request) };
}

/** Returns the path of a request. */
export function pathOf({ originalUrl }: Request): string {
  return originalUrl.split('?')[0] ?? '';
}

/** Returns the query of a request. */
export function queryOf({ originalUrl }: Request): URLSearchParams {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start));
}

/** Returns whether the member has a scope. */
export function may({ actor }: Pick<Visit, 'actor'>, scope: Scope): boolean {
  return actor.scopes.includes(scope);
}
