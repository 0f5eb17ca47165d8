import type { EntityManager } from 'typeorm';
import type { ChecksService } from '../checks/checks.service.js';
import type { Actor } from '../platform/auth/actor.js';

/** Creates the check of a monitor. It is disabled, because the example host does not respond. */
export async function createCheck(
  actor: Actor,
  project_id: string,
  ids: { id: string | undefined; monitor_id: string },
  checks: ChecksService,
  manager: EntityManager,
): Promise<void> {
  const check = {
    type: 'http' as const,
    target: 'https://api.example.com/health',
    headers: [{ name: 'Accept', value: 'application/json' }],
    enabled: false,
  };
  await checks.createIn(actor, project_id, { ...check, ...ids }, manager);
}
