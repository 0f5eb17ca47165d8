import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes.js';

/** The API key of a request, as `@CurrentKey()` injects it. */
export interface CurrentApiKey {
  id: string;
  /** The id of the first key of its rotations, or its own. */
  lineage: string;
  /** Display name, which revisions show. */
  name: string;
  organization_id: string;
  scopes: Scope[];
  /** The projects that the key is restricted to; null: all projects of its organization. */
  project_ids: string[] | null;
  /** The end of the key by expiry or rotation; null: never. */
  expires_at: Date | null;
}

/** The part of a key that limits tenant data: its organization, and some of its projects (null: all). */
export type KeyAccess = Pick<CurrentApiKey, 'organization_id' | 'project_ids'>;

declare global {
  namespace Express {
    // Passport stores the result of the bearer strategy in `request.user`.
    interface User extends CurrentApiKey {}
  }
}

/** Whether the key is not restricted to other projects. Does not check that the project exists. */
export function canAccessProject(key: KeyAccess, projectId: string): boolean {
  return key.project_ids === null || key.project_ids.includes(projectId);
}

/** Injects the key of the request, in a handler with `@RequireScope` or `@AnyKey`. */
export const CurrentKey = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
