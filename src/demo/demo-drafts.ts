import type { EntityManager } from 'typeorm';
import type { IncidentDraftsService } from '../incidents/drafts/incident-drafts.service.js';
import type { Actor } from '../platform/auth/actor.js';
import { DRAFTS } from './demo-plan.js';

/** Creates incident drafts that affect a monitor. The first is an example to read, and the second one to publish. */
export async function createDrafts(
  actor: Actor,
  project_id: string,
  { ids, monitor_id }: { ids: (string | undefined)[]; monitor_id: string },
  drafts: IncidentDraftsService,
  manager: EntityManager,
): Promise<void> {
  const monitors = [{ monitor_id, status: 'degraded_performance' as const }];
  for (const [index, draft] of DRAFTS.entries())
    await drafts.createIn(actor, project_id, { ...draft, id: ids[index], monitors }, manager);
}
