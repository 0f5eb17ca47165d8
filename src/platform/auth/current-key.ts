import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes.js';

/** The calling API key, as injected by `@CurrentKey()`. */
export interface CurrentApiKey {
  id: string;
  /** ID of the first key in the chain of rotations, or its own ID. */
  lineage: string;
  /** Display name, for revisions. */
  name: string;
  organization_id: string;
  scopes: Scope[];
  /** Projects that the key is restricted to; null: all projects of its organization. */
  project_ids: string[] | null;
  /** End of the key by expiry or rotation; null: never. */
  expires_at: Date | null;
}

/** Part of a key that limits access to data: its organization, and some of its projects (null: all). */
export type KeyAccess = Pick<CurrentApiKey, 'organization_id' | 'project_ids'>;

declare global {
  namespace Express {
    // Passport stores the result of the bearer strategy in `request.user`.
    interface User extends CurrentApiKey {}
  }
}

/** Returns whether the key can access a project. Does not check that the project exists. */
export function canAccessProject(key: KeyAccess, projectId: string): boolean {
  return key.project_ids === null || key.project_ids.includes(projectId);
}

/** Injects the key of the request, in a handler with `@RequireScope` or `@AnyKey`. */
export const CurrentKey = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
