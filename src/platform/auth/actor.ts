import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes.js';

/** The calling API key, as injected by `@CurrentActor()`. */
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

/** Actor of a request. */
export type Actor = CurrentApiKey;

/** Part of an actor that limits access to data: its organization, and some of its projects (null: all). */
export type ActorAccess = Pick<CurrentApiKey, 'organization_id' | 'project_ids'>;

declare global {
  namespace Express {
    // Passport stores the result of the bearer strategy in `request.user`.
    interface User extends CurrentApiKey {}
  }
}

/** Returns whether the key can access a project. Does not check that the project exists. */
export function canAccessProject(access: ActorAccess, projectId: string): boolean {
  return access.project_ids === null || access.project_ids.includes(projectId);
}

/** Injects the key of the request, in a handler with `@RequireScope` or `@AnyKey`. */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
