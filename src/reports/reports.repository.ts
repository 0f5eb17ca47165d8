import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { type ChangedTimes, closedBefore } from './changed-times.js';
import { type StateRow, toReported, toRow } from './run-rows.js';
import type { StatusChange } from './status-changes.js';
import { MAX_OBSERVATIONS, type Reported, type Run } from './runs.js';

/** The reports of one monitor in a batch. */
export interface MonitorReports {
  monitor_id: string;
  /** Sorted by time. */
  reports: { status: ReportedStatus; time: number }[];
}

/** Result of {@link ReportsRepository.extendRuns}. */
interface ExtendedRuns {
  /** Number of reports that started the first run of their monitor. */
  started: number;
  /** The statuses of these monitors before and after their first report. Omits monitors whose first report is too old. */
  first: StatusChange[] | null;
  /** Monitors whose reports are not recorded. */
  others: string[];
}

/** Runs that a batch has changed. */
export interface ChangedRuns {
  monitor_id: string;
  /** Starts of deleted runs. */
  deleted: number[];
  /** New runs, and runs with a new end. */
  written: Run[];
  current: Run;
  observations: number[];
  /** undefined if no status has changed. */
  times: ChangedTimes | undefined;
}

/** Records reports in the tables `monitor_states` and `monitor_runs`. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Creates missing states of monitors, and locks all of them in ID order. If a monitor has one report, and this lies in the
   * current run or extends it, records the report, as for most reports. The update changes no index.
   */
  async extendRuns(
    { organization_id, project_id }: ProjectRef,
    monitors: MonitorReports[],
    manager: EntityManager,
  ): Promise<ExtendedRuns> {
    const single = monitors.map(({ reports }) => (reports.length === 1 ? reports[0] : undefined));
    // xmax is 0 in an inserted row, but not in an updated one.
    const rows = await this.runner.query<ExtendedRuns>(
      `WITH recorded AS (
       INSERT INTO monitor_states AS state
              (organization_id, monitor_id, status, started_at, last_observed_at, observations, stale_after_seconds)
       SELECT organization_id, id, status, observed_at, observed_at, array_remove(ARRAY[observed_at], NULL), stale_after_seconds
         FROM unnest($3::uuid[], $4::monitor_status[], $5::timestamptz[]) AS report (monitor_id, status, observed_at)
         JOIN monitors ON organization_id = $1 AND project_id = $2 AND id = report.monitor_id
        ORDER BY id
           ON CONFLICT (organization_id, monitor_id) DO UPDATE
          SET last_observed_at = greatest(state.last_observed_at, excluded.last_observed_at),
              observations = (CASE
                WHEN state.last_observed_at < excluded.last_observed_at
                THEN excluded.observations || state.observations
                ELSE ARRAY(SELECT unnest(state.observations || excluded.observations) AS time GROUP BY time ORDER BY time DESC)
              END)[:${MAX_OBSERVATIONS}],
              stale_after_seconds = excluded.stale_after_seconds,
              revision = state.revision + (CASE -- it was unknown until now
                WHEN clock_timestamp() - make_interval(secs => excluded.stale_after_seconds)
                     BETWEEN state.last_observed_at AND excluded.last_observed_at THEN 1
                ELSE 0
              END)
        WHERE state.status = excluded.status
          AND (excluded.last_observed_at BETWEEN state.started_at AND state.last_observed_at OR
               state.last_observed_at < excluded.last_observed_at
               AND coalesce(state.closed_before <= excluded.last_observed_at, true)
               AND (excluded.stale_after_seconds IS NULL OR
                    excluded.last_observed_at <= state.last_observed_at + make_interval(secs => excluded.stale_after_seconds)))
    RETURNING monitor_id, status, stale_after_seconds, last_observed_at, xmax = 0 AS is_new
       )
       SELECT (SELECT count(*)::int FROM recorded WHERE is_new AND status IS NOT NULL) AS started,
              (
                SELECT json_agg(json_build_object(
                         'monitor_id', monitor_id,
                         'from', CASE WHEN stale_after_seconds IS NULL THEN 'operational' END,
                         'to', status
                       ))
                  FROM recorded
                 WHERE is_new AND status IS NOT NULL
                   AND (stale_after_seconds IS NULL OR
                        clock_timestamp() <= last_observed_at + make_interval(secs => stale_after_seconds))
              ) AS first,
              CASE
                WHEN (SELECT count(*) FROM recorded WHERE status IS NOT NULL) = cardinality($3::uuid[]) THEN '{}'
                ELSE ARRAY(SELECT unnest($3::uuid[]) EXCEPT SELECT monitor_id FROM recorded WHERE status IS NOT NULL)
              END AS others`,
      [
        organization_id,
        project_id,
        monitors.map(({ monitor_id }) => monitor_id),
        single.map((report) => report?.status ?? null),
        single.map((report) => report && new Date(report.time).toISOString()), // the driver formats a Date slowly
      ],
      manager,
    );
    return rows[0] ?? { started: 0, first: null, others: [] };
  }

  /** Returns the runs and states of monitors that {@link extendRuns} has locked, around the times of their reports. */
  async findReported(
    { organization_id, project_id }: ProjectRef,
    monitors: MonitorReports[],
    manager: EntityManager,
  ): Promise<Map<string, Reported>> {
    const states = await this.runner.read<StateRow>(
      `SELECT monitor_id, state.status, state.started_at, state.last_observed_at, state.observations,
              monitor.stale_after_seconds
         FROM monitor_states AS state
         JOIN monitors AS monitor ON monitor.organization_id = state.organization_id AND monitor.id = state.monitor_id
        WHERE state.organization_id = $1 AND monitor.project_id = $2
          AND state.monitor_id = ANY($3::uuid[]) AND monitor.id = ANY($3::uuid[])`,
      [organization_id, project_id, monitors.map(({ monitor_id }) => monitor_id)],
      manager,
    );
    const reported = new Map(states.map((state) => [state.monitor_id, toReported(state)]));
    const late = monitors.flatMap(({ monitor_id, reports }) => {
      const started_at = reported.get(monitor_id)?.runs.at(-1)?.started_at ?? -Infinity;
      return reports.filter(({ time }) => time <= started_at).map(({ time }) => ({ monitor_id, time }));
    });
    if (late.length > 0) {
      const runs = await this.findNeighbors(organization_id, late, manager);
      // before the current run, which is the last
      for (const { monitor_id, ...run } of runs) reported.get(monitor_id)?.runs.splice(-1, 0, run);
    }
    return reported;
  }

  /**
   * Returns, for each time, the runs that start before, at and after it, sorted by time. Other reports of these monitors wait,
   * so the query is optimized:
   * - No bitmap scans. PostgreSQL chooses them if it underestimates the number of runs of a monitor, for example until the
   *   table is analyzed. It then reads all runs of the monitor for each time: 800 ms instead of 30 ms for 1,000 times.
   * - One JSON value with times as numbers. The driver needs 4 ms of CPU time for it, and 20 ms for 3,000 rows with dates.
   */
  private async findNeighbors(
    organization_id: string,
    late: { monitor_id: string; time: number }[],
    manager: EntityManager,
  ): Promise<(Run & { monitor_id: string })[]> {
    const own = 'organization_id = $1 AND monitor_id = report.monitor_id';
    const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::bigint`;
    const disabled = this.runner.query('SET LOCAL enable_bitmapscan = off', [], manager); // pipelined
    const found = this.runner.read<{ runs: (Run & { monitor_id: string })[] | null }>(
      `SELECT json_agg(json_build_object(
                'monitor_id', monitor_id,
                'status', status,
                'started_at', ${milliseconds('started_at')},
                'last_observed_at', ${milliseconds('last_observed_at')}
              ) ORDER BY started_at) AS runs
         FROM (
                SELECT DISTINCT run.monitor_id, run.status, run.started_at, run.last_observed_at
                  FROM unnest($2::uuid[], $3::timestamptz[]) AS report (monitor_id, time)
                 CROSS JOIN LATERAL (
                   (SELECT * FROM monitor_runs WHERE ${own} AND started_at < time ORDER BY started_at DESC LIMIT 1)
                    UNION ALL
                   (SELECT * FROM monitor_runs WHERE ${own} AND started_at >= time ORDER BY started_at LIMIT 2)
                 ) AS run
              ) AS neighbor`,
      [
        organization_id,
        late.map(({ monitor_id }) => monitor_id),
        late.map(({ time }) => new Date(time).toISOString()), // the driver formats a Date slowly
      ],
      manager,
    );
    const enabled = this.runner.query('SET LOCAL enable_bitmapscan = on', [], manager);
    const [, [row]] = await Promise.all([disabled, found, enabled]);
    return row?.runs ?? [];
  }

  /** Writes the changed runs and states. */
  async write(organization_id: string, changed: ChangedRuns[], manager: EntityManager): Promise<void> {
    const deleted = changed.flatMap(({ monitor_id, deleted: starts }) =>
      starts.map((start) => ({ monitor_id, started_at: new Date(start) })),
    );
    const written = changed.flatMap(({ monitor_id, written: runs }) =>
      runs.map((run) => ({ monitor_id, ...toRow(run) })),
    );
    const states = changed.map(({ monitor_id, current, observations, times }) => ({
      monitor_id,
      ...toRow(current),
      observations: observations.map((time) => new Date(time)),
      is_changed: times !== undefined,
      closed_before: closedBefore(times),
    }));
    if (deleted.length > 0)
      await this.runner.query(
        `DELETE FROM monitor_runs
          USING json_to_recordset($2) AS run (monitor_id uuid, started_at timestamptz)
          WHERE organization_id = $1 AND monitor_runs.monitor_id = run.monitor_id
            AND monitor_runs.started_at = run.started_at`,
        [organization_id, JSON.stringify(deleted)],
        manager,
      );
    if (written.length > 0)
      await this.runner.query(
        `INSERT INTO monitor_runs (organization_id, monitor_id, status, started_at, last_observed_at)
         SELECT $1, * FROM json_to_recordset($2) AS run
                (monitor_id uuid, status monitor_status, started_at timestamptz, last_observed_at timestamptz)
             ON CONFLICT (monitor_id, started_at) DO UPDATE
            SET status = excluded.status, last_observed_at = excluded.last_observed_at`,
        [organization_id, JSON.stringify(written)],
        manager,
      );
    if (states.length > 0)
      await this.runner.query(
        `UPDATE monitor_states AS state
            SET status = run.status, started_at = run.started_at, last_observed_at = run.last_observed_at,
                observations = run.observations,
                revision = state.revision + (CASE
                  WHEN run.is_changed OR
                       clock_timestamp() - make_interval(secs => state.stale_after_seconds)
                       BETWEEN state.last_observed_at AND run.last_observed_at THEN 1
                  ELSE 0
                END),
                closed_before = CASE -- null stays null: no row is valid
                  WHEN state.closed_before > run.closed_before THEN run.closed_before
                  ELSE state.closed_before
                END
           FROM json_to_recordset($2) AS run
                (monitor_id uuid, status monitor_status, started_at timestamptz, last_observed_at timestamptz,
                 observations timestamptz[], is_changed boolean, closed_before timestamptz)
          WHERE organization_id = $1 AND state.monitor_id = run.monitor_id`,
        [organization_id, JSON.stringify(states)],
        manager,
      );
  }
}
