import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ReportedStatus, StatusInterval } from '../monitors/monitor-status.js';

/** Current reported status of a monitor. */
export interface CurrentState {
  monitor_id: string;
  status: ReportedStatus | 'unknown';
  last_observed_at: Date | null;
}

/** Reads reported statuses from the tables `monitor_states` and `monitor_runs`. */
@Injectable()
export class HistoryRepository {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Returns the reported statuses of monitors at `now`. Before its first report, a monitor is operational if it has no
   * `stale_after_seconds`.
   */
  async findCurrent(
    organization_id: string,
    monitorIds: string[],
    now: Date,
    manager?: EntityManager,
  ): Promise<CurrentState[]> {
    return this.runner.read<CurrentState>(
      `SELECT monitor.id AS monitor_id, state.last_observed_at,
              CASE
                WHEN monitor.stale_after_seconds IS NULL THEN coalesce(state.status::text, 'operational')
                WHEN state.last_observed_at + make_interval(secs => monitor.stale_after_seconds) > $3 THEN state.status::text
                ELSE 'unknown'
              END AS status
         FROM monitors AS monitor
         LEFT JOIN monitor_states AS state ON state.organization_id = $1 AND state.monitor_id = monitor.id
        WHERE monitor.organization_id = $1 AND monitor.id = ANY($2::uuid[])`,
      [organization_id, monitorIds, now],
      manager,
    );
  }

  /** Returns when the next of these monitors becomes stale after `now`, or null. */
  async findNextChange(
    organization_id: string,
    monitorIds: string[],
    now: Date,
    manager?: EntityManager,
  ): Promise<Date | null> {
    const rows = await this.runner.read<{ next: Date | null }>(
      `SELECT min(state.last_observed_at + make_interval(secs => monitor.stale_after_seconds)) AS next
         FROM monitor_states AS state
         JOIN monitors AS monitor ON monitor.organization_id = state.organization_id AND monitor.id = state.monitor_id
        WHERE state.organization_id = $1 AND state.monitor_id = ANY($2::uuid[])
          AND state.last_observed_at + make_interval(secs => monitor.stale_after_seconds) > $3`,
      [organization_id, monitorIds, now],
      manager,
    );
    return rows[0]?.next ?? null;
  }

  /**
   * Returns the runs that overlap a range. A run lasts until the next run starts or the monitor is stale. A monitor without
   * `stale_after_seconds` is operational from its creation until its first run, or from the UTC day of an incident before its
   * creation. The cost depends on the runs in the range.
   */
  async findIntervals(
    organization_id: string,
    monitorIds: string[],
    { from, to }: { from: Date; to: Date },
    manager?: EntityManager,
  ): Promise<StatusInterval[]> {
    const own = 'organization_id = $1 AND monitor_id = monitor.id';
    return this.runner.read<StatusInterval>(
      `SELECT id AS monitor_id, run.status, run.started_at,
              least(
                lead(run.started_at) OVER (PARTITION BY id ORDER BY run.started_at),
                run.last_observed_at + make_interval(secs => stale_after_seconds)
              ) AS ended_at
         FROM monitors AS monitor
        CROSS JOIN LATERAL (
                SELECT CASE WHEN min(started_at) < created_at THEN date_trunc('day', min(started_at), 'UTC') ELSE created_at END AS since
                  FROM incident_impacts WHERE ${own}
              ) AS start
        CROSS JOIN LATERAL (
          (SELECT status, started_at, last_observed_at
             FROM monitor_runs WHERE ${own} AND started_at <= $3 ORDER BY started_at DESC LIMIT 1)
           UNION ALL
          SELECT status, started_at, last_observed_at FROM monitor_runs WHERE ${own} AND started_at > $3 AND started_at < $4
           UNION ALL
          SELECT status, started_at, last_observed_at FROM monitor_states WHERE ${own} AND started_at < $4
           UNION ALL
          SELECT 'operational', since, since
           WHERE stale_after_seconds IS NULL AND since < $4
             AND NOT EXISTS (SELECT FROM monitor_runs WHERE ${own} AND started_at <= since)
             AND NOT EXISTS (
                   SELECT FROM monitor_states
                    WHERE ${own} AND (started_at <= since OR NOT is_operational_until_reported)
                 )
        ) AS run
        WHERE organization_id = $1 AND id = ANY($2::uuid[])
        ORDER BY id, run.started_at`,
      [organization_id, monitorIds, from, to],
      manager,
    );
  }

  /** Returns whether more than `count` runs of monitors start in a range. Reads at most `count` rows. */
  async hasMoreRuns(
    organization_id: string,
    monitorIds: string[],
    { from, to }: { from: Date; to: Date },
    count: number,
  ): Promise<boolean> {
    const rows = await this.runner.read<{ monitor_id: string }>(
      `SELECT monitor_id
         FROM monitor_runs
        WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[]) AND started_at >= $3 AND started_at < $4
       OFFSET $5 LIMIT 1`,
      [organization_id, monitorIds, from, to, count],
    );
    return rows.length > 0;
  }
}
