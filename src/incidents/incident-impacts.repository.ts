import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { StatusInterval } from '../monitors/monitor-status.js';
import type { IncidentImpact } from './incident-impact.entity.js';
import type { ImpactInterval, IntervalChanges } from './incident-history.js';

/** Current status that an open incident sets for a monitor. */
export type OpenImpact = Pick<IncidentImpact, 'monitor_id' | 'incident_id' | 'status'>;

/** Maximum number of open incidents per monitor. */
const MAX_OPEN = 100;

/** Reads and writes the table `incident_impacts`. */
@Injectable()
export class IncidentImpactsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the intervals that overlap [from, to), sorted by monitor and start. Uses `incident_impacts_monitor_idx`. */
  async intervalsOf(
    organizationId: string,
    monitorIds: string[],
    { from, to }: { from: Date; to: Date },
    manager?: EntityManager,
  ): Promise<StatusInterval[]> {
    return this.runner.read<StatusInterval>(
      `SELECT monitor_id, status, started_at, ended_at
         FROM incident_impacts
        WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
          AND started_at < $4 AND (ended_at IS NULL OR ended_at > greatest($3, started_at))
        ORDER BY monitor_id, started_at`,
      [organizationId, monitorIds, from, to],
      manager,
    );
  }

  /** Returns the intervals that contain `now`, limited to the 100 worst per monitor. */
  async openOf(
    organizationId: string,
    monitorIds: string[],
    now: Date,
    manager?: EntityManager,
  ): Promise<OpenImpact[]> {
    return this.runner.read<OpenImpact>(
      `SELECT monitor_id, incident_id, status
         FROM (
                SELECT monitor_id, incident_id, status,
                       row_number() OVER (PARTITION BY monitor_id ORDER BY status DESC, incident_id) AS rank
                  FROM incident_impacts
                 WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
                   AND started_at <= $3 AND (ended_at IS NULL OR ended_at > $3)
              ) AS impact
        WHERE rank <= ${MAX_OPEN}
        ORDER BY monitor_id, incident_id`,
      [organizationId, monitorIds, now],
      manager,
    );
  }

  /** Writes the changed intervals of an incident. The history of their monitors must be locked. */
  async change(
    { organization_id, id }: { organization_id: string; id: string },
    { removed, added }: IntervalChanges,
    manager: EntityManager,
  ): Promise<void> {
    if (removed.length > 0)
      await this.runner.query(
        `DELETE FROM incident_impacts
          WHERE organization_id = $1 AND incident_id = $2
            AND (monitor_id, started_at) IN (SELECT * FROM unnest($3::uuid[], $4::timestamptz[]))`,
        [organization_id, id, valuesOf(removed, 'monitor_id'), valuesOf(removed, 'started_at')],
        manager,
      );
    if (added.length > 0)
      await this.runner.query(
        `INSERT INTO incident_impacts (organization_id, incident_id, monitor_id, status, started_at, ended_at)
         SELECT $1::uuid, $2::uuid, monitor_id, status, started_at, ended_at
           FROM unnest($3::uuid[], $4::monitor_status[], $5::timestamptz[], $6::timestamptz[])
             AS added (monitor_id, status, started_at, ended_at)`,
        [
          organization_id,
          id,
          valuesOf(added, 'monitor_id'),
          valuesOf(added, 'status'),
          valuesOf(added, 'started_at'),
          valuesOf(added, 'ended_at'),
        ],
        manager,
      );
  }
}

/** Returns the values of a column of intervals. */
function valuesOf<Column extends keyof ImpactInterval>(
  intervals: ImpactInterval[],
  column: Column,
): ImpactInterval[Column][] {
  return intervals.map((interval) => interval[column]);
}
