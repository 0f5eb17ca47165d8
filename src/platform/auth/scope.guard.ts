import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { challenge } from '../problems/challenge.js';
import { type FieldError, Problem } from '../problems/problem.js';
import { IS_PUBLIC, REQUIRED_SCOPES } from './access.decorators.js';
import type { Scope } from './scopes.js';

/**
 * The second global guard: 403 for a key that lacks a required scope. No scope implies another. Rejects all requests to a
 * handler without `@RequireScope`, `@AnyKey` or `@Public`.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    if (this.reflector.get<boolean | undefined>(IS_PUBLIC, handler)) return true;
    const required = this.reflector.get<Scope[] | undefined>(REQUIRED_SCOPES, handler);
    const { actor } = context.switchToHttp().getRequest<Request>();
    if (required && actor && required.every((scope) => actor.scopes.includes(scope))) return true;
    throw insufficientScope(required ?? [], required ? undefined : 'API keys cannot use this operation');
  }
}

/** Returns a 403 `insufficient_scope` with the required scopes (RFC 6750, section 3.1). */
export function insufficientScope(
  scopes: Scope[],
  detail = `The operation requires ${scopes.join(' and ')}`,
  errors?: FieldError[],
): Problem {
  return new Problem('insufficient_scope', {
    detail,
    headers: challenge('insufficient_scope', scopes),
    ...(errors && { errors }),
  });
}
