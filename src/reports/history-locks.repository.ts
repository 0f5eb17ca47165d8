import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { type ChangedTimes, closedBefore, isShort, midnightBefore } from './changed-times.js';

/** Locks the history of monitors, and keeps track of which computed days are valid. */
@Injectable()
export class HistoryLocksRepository {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Creates or locks the states of monitors, in ID order, and invalidates their days in a time range. If the start of a
   * history can move, all days from there on become invalid.
   * @param times null if no days change
   */
  async lock(
    organization_id: string,
    monitorIds: string[],
    times: ChangedTimes | null,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO monitor_states AS state (organization_id, monitor_id, closed_before)
       SELECT organization_id, id, CASE WHEN stale_after_seconds IS NULL AND created_at > $4 THEN $5 ELSE $3::timestamptz END
         FROM monitors
        WHERE organization_id = $1 AND id = ANY($2::uuid[])
        ORDER BY id
           ON CONFLICT (organization_id, monitor_id) DO UPDATE
          SET closed_before = excluded.closed_before
        WHERE state.closed_before > excluded.closed_before`,
      [
        organization_id,
        monitorIds,
        closedBefore(times),
        times?.movesStart ? times.from : null,
        times && midnightBefore(times.from),
      ],
      manager,
    );
    if (!times) return;
    const ranges = monitorIds.map((monitor_id) => ({ monitor_id, times }));
    await this.deleteDays(organization_id, ranges, manager);
  }

  /** Records that the days of monitors before a midnight in UTC are computed. */
  async close(
    organization_id: string,
    monitorIds: string[],
    before: Date,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE monitor_states
          SET closed_before = greatest(closed_before, $3)
        WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])`,
      [organization_id, monitorIds, before],
      manager,
    );
  }

  /** Deletes the computed days of locked monitors that overlap short time ranges. */
  async deleteDays(
    organization_id: string,
    changed: { monitor_id: string; times?: ChangedTimes | undefined }[],
    manager: EntityManager,
  ): Promise<void> {
    const ranges = changed.flatMap(({ monitor_id, times }) =>
      times && isShort(times) ? [{ monitor_id, ...times }] : [],
    );
    if (ranges.length === 0) return;
    await this.runner.query(
      `DELETE FROM monitor_days AS one
        USING json_to_recordset($2) AS range (monitor_id uuid, "from" timestamptz, "to" timestamptz)
        WHERE organization_id = $1 AND one.monitor_id = range.monitor_id
          AND day BETWEEN ("from" AT TIME ZONE 'UTC')::date AND ("to" AT TIME ZONE 'UTC')::date`,
      [organization_id, JSON.stringify(ranges)],
      manager,
    );
  }
}
