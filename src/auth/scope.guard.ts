import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Problem } from '../http/problems.js';
import { IS_PUBLIC, REQUIRED_SCOPE } from './access.decorators.js';
import { REALM } from './api-key.guard.js';
import type { Scope } from './scopes.js';

/**
 * The second global guard: 403 for a key without the scope that the handler requires, exactly. A handler that
 * neither requires a scope nor is public lets nobody through.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    if (this.reflector.get<boolean | undefined>(IS_PUBLIC, handler)) return true;
    const scope = this.reflector.get<Scope | undefined>(REQUIRED_SCOPE, handler);
    const { user } = context.switchToHttp().getRequest<Request>();
    if (scope && user?.scopes.includes(scope)) return true;
    throw new Problem('insufficient_scope', {
      detail: scope ? `The key needs the scope ${scope}` : 'No key may do this',
      headers: {
        'WWW-Authenticate': `${REALM}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
      },
    });
  }
}
