import { Injectable } from '@nestjs/common';
import type { ActorAccess } from '../platform/auth/actor.js';
import { projectCondition } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';

/** Deliveries beyond this number are not counted, because a large number takes long. */
export const MAX_COUNTED = 10_000;

/** Numbers of a channel's deliveries. */
export interface Outgoing {
  channel: 'email' | 'webhook';
  /** Deliveries that wait for an attempt, at most {@link MAX_COUNTED}. */
  pending: number;
  /** Deliveries that have failed in the last 24 hours, at most {@link MAX_COUNTED}. */
  failed: number;
}

/** Counts the deliveries of an organization that are on their way. */
@Injectable()
export class OutgoingRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Counts the deliveries of the projects that the actor can access, by channel. */
  async count({ organization_id, project_ids }: ActorAccess): Promise<Outgoing[]> {
    return this.runner.read<Outgoing>(
      `SELECT channel,
              (SELECT count(*)::integer
                 FROM (SELECT FROM deliveries
                        WHERE deliveries.channel = of.channel AND organization_id = $1
                          AND ${projectCondition('project_id', '$2')} AND status = 'pending'
                        LIMIT $3) AS waiting) AS pending,
              (SELECT count(*)::integer
                 FROM (SELECT FROM deliveries
                        WHERE organization_id = $1 AND status = 'failed'
                          AND finished_at > statement_timestamp() - interval '24 hours'
                          AND deliveries.channel = of.channel AND ${projectCondition('project_id', '$2')}
                        LIMIT $3) AS lost) AS failed
         FROM (VALUES ('email'), ('webhook')) AS of (channel)`,
      [organization_id, project_ids, MAX_COUNTED],
    );
  }
}
