import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ownRowParameters, projectCondition, type RowAccess } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { CheckState } from './check-state.entity.js';
import type { Check } from './check.entity.js';
import type { CheckStateDto } from './dto/check-run.dto.js';
import { PROBED, type StoredProbe } from './stored-probe.js';

/** Minimum time between the starts of two runs, also if a client changes the check in between. */
const RESTART = `interval '10 seconds'`;

/** Identity of a check. */
type CheckRef = Pick<CheckState, 'organization_id' | 'check_id'>;

/** Columns that the results of runs change. */
export type Verdict = Pick<
  CheckState,
  'status' | 'is_failing' | 'failed_runs' | 'successful_runs' | 'slow_runs'
>;

/** A check whose run begins now, with its state before the run. */
export type DueCheck = StoredProbe &
  Verdict &
  CheckRef &
  ProjectRef &
  Pick<CheckState, 'token'> &
  Pick<Check, 'monitor_id' | 'failures' | 'recoveries' | 'degraded_above_ms' | 'status_on_failure'> & {
    /** Start of the run. */
    now: Date;
  };

/** Result of a run, with the token of its start. */
export type RunRow = Verdict &
  Pick<CheckState, 'check_id' | 'token' | 'duration_ms' | 'error'> & { checked_at: Date };

/** Reads and writes the table `check_states`. */
@Injectable()
export class CheckStatesRepository {
  constructor(private readonly runner: StatementRunner) {}

  async findOwn(access: RowAccess, id: string): Promise<CheckStateDto | undefined> {
    const [state] = await this.runner.readOwn<CheckStateDto>(
      `SELECT check_id, status, failed_runs, checked_at, duration_ms, error, due_at AS next_run_at
         FROM check_states
         JOIN checks ON checks.organization_id = check_states.organization_id AND checks.id = check_id
        WHERE checks.organization_id = $1 AND ${projectCondition('project_id', '$2')} AND check_id = $3`,
      ownRowParameters(access, id),
    );
    return state;
  }

  /** Inserts the state of a new check, which is due now if it is enabled. */
  async insert(
    { organization_id, check_id }: CheckRef,
    isEnabled: boolean,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO check_states (organization_id, check_id, due_at)
       VALUES ($1, $2, CASE WHEN $3 THEN clock_timestamp() END)`,
      [organization_id, check_id, isEnabled],
      manager,
    );
  }

  /**
   * Makes a changed check due if it is enabled, but not more often than every {@link RESTART}, so that updates cannot replace the interval.
   * Its present run is not recorded. Counts runs from the start.
   */
  async reset(
    { organization_id, check_id }: CheckRef,
    isEnabled: boolean,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE check_states
          SET due_at = CASE WHEN $3 THEN greatest(clock_timestamp(), started_at + ${RESTART}) END, token = token + 1,
              failed_runs = 0, successful_runs = 0, slow_runs = 0
        WHERE organization_id = $1 AND check_id = $2`,
      [organization_id, check_id, isEnabled],
      manager,
    );
  }

  /**
   * Returns checks that are due, and sets the start of their next runs, so that no other process runs them now. Runs that were missed
   * are not repeated. The second run is at a random time of the interval, so that checks that were created together run at different
   * times. Not limited to an organization, because it is periodic work.
   *
   * The organizations share the limit, and each one gets at most half of the places that its own runs leave. So one whose runs hang
   * leaves half of the places free, two leave a third, and so on (dynamic thresholds; Choudhury and Hahne, 1998).
   * @param limit number of free places, at least 1
   * @param running number of runs by organization
   */
  async takeDue(
    limit: number,
    running: ReadonlyMap<string, number>,
    manager: EntityManager,
  ): Promise<DueCheck[]> {
    const claimed = await this.runner.query<CheckRef>(
      `SELECT claim.*
         FROM (
                SELECT organization_id, coalesce(running, 0) AS running, count(*) OVER ()::int AS organizations
                  FROM (SELECT organization_id, min(due_at) AS oldest
                          FROM check_states
                         WHERE due_at <= statement_timestamp()
                         GROUP BY organization_id) AS due
                  LEFT JOIN unnest($2::uuid[], $3::int[]) AS busy (organization_id, running) USING (organization_id)
                 ORDER BY oldest
              ) AS waiting
        CROSS JOIN LATERAL (
                SELECT organization_id, check_id
                  FROM check_states
                 WHERE organization_id = waiting.organization_id AND due_at <= statement_timestamp()
                 ORDER BY due_at
                 LIMIT least(greatest(0, ($1 - running + 1) / 2), greatest(1, $1 / organizations))
                   FOR NO KEY UPDATE SKIP LOCKED
              ) AS claim
        LIMIT $1`,
      [limit, [...running.keys()], [...running.values()]],
      manager,
    );
    if (claimed.length === 0) return [];
    return this.runner.query<DueCheck>(
      `UPDATE check_states AS state
          SET token = state.token + 1, started_at = clock_timestamp(),
              due_at = CASE
                WHEN state.started_at IS NULL
                THEN clock_timestamp() + make_interval(secs => interval_seconds * (0.5 + 0.5 * random()))
                ELSE state.due_at + make_interval(secs => interval_seconds * (1 + floor(
                       extract(epoch FROM clock_timestamp() - state.due_at)::float8 / interval_seconds)))
              END
         FROM unnest($1::uuid[], $2::uuid[]) AS claim (organization_id, check_id)
         JOIN checks ON checks.organization_id = claim.organization_id AND checks.id = claim.check_id
        WHERE state.organization_id = claim.organization_id AND state.check_id = claim.check_id
       RETURNING state.organization_id, checks.project_id, state.check_id, checks.monitor_id, state.token, state.status,
                 state.is_failing, state.failed_runs, state.successful_runs, state.slow_runs, checks.failures, checks.recoveries,
                 checks.degraded_above_ms, checks.status_on_failure, ${PROBED}, clock_timestamp() AS now`,
      [claimed.map(({ organization_id }) => organization_id), claimed.map(({ check_id }) => check_id)],
      manager,
    );
  }

  /**
   * Writes the results of runs of a project. Leaves out runs that are outdated, because the check has changed, or its next run has
   * begun. The transaction must have locked the monitors.
   * @returns the checks whose results are written
   */
  async write({ organization_id }: ProjectRef, runs: RunRow[], manager: EntityManager): Promise<Set<string>> {
    const ids = runs.map(({ check_id }) => check_id);
    const rows = await this.runner.queryLocked<CheckRef>(
      {
        text: `SELECT FROM check_states WHERE organization_id = $1 AND check_id = ANY($2::uuid[]) ORDER BY check_id FOR NO KEY UPDATE`,
        values: [organization_id, ids],
      },
      {
        text: `UPDATE check_states AS state
                  SET status = run.status, is_failing = run.is_failing, failed_runs = run.failed_runs,
                      successful_runs = run.successful_runs, slow_runs = run.slow_runs, checked_at = run.checked_at,
                      duration_ms = run.duration_ms, error = run.error
                 FROM json_to_recordset($2) AS run
                      (check_id uuid, token integer, status text, is_failing boolean, failed_runs integer,
                       successful_runs integer, slow_runs integer, checked_at timestamptz, duration_ms integer, error text)
                WHERE state.organization_id = $1 AND state.check_id = run.check_id AND state.token = run.token
               RETURNING state.check_id`,
        values: [organization_id, JSON.stringify(runs)],
      },
      manager,
    );
    return new Set(rows.map(({ check_id }) => check_id));
  }
}
