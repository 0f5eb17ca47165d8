import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes.js';

/** The API key of a request. */
export interface CurrentApiKey {
  id: string;
  organization_id: string;
  scopes: Scope[];
  /** The projects that the key is restricted to; null: all projects of its organization. */
  project_ids: string[] | null;
  /** When the key ends, by expiry or by rotation; null: never. */
  expires_at: Date | null;
}

/** What a key can reach: an organization, or some projects of it (null: all). */
export type KeyReach = Pick<CurrentApiKey, 'organization_id' | 'project_ids'>;

declare global {
  namespace Express {
    // passport puts what the bearer strategy answers there.
    interface User extends CurrentApiKey {}
  }
}

/** Whether the key may see a project, as far as the key itself says: that it exists is for the database to say. */
export function canAccessProject(key: KeyReach, projectId: string): boolean {
  return key.project_ids === null || key.project_ids.includes(projectId);
}

/** The key of the request, in a handler with `@RequireScope`. */
export const CurrentKey = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<Request>().user;
});
