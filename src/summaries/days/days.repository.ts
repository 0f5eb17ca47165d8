import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import { PACKED_DAYS, type PackedDays } from './packed-days.js';
import type { Seconds } from './uptime.js';

/** Days in UTC as `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** A day of a monitor, in UTC. */
export type DayOfMonitor = Seconds & { monitor_id: string; day: string };

const SECONDS = 'operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown';

/**
 * Version of the rules that compute days. Since version 2, a monitor can be operational before its first report, since version 3
 * also from the day of an incident before its creation. Rows of other monitors are the same in all versions, so they stay valid.
 */
const RULES_VERSION = 3;

/** SQL: lowest version of valid rows of `monitor_days`, from a row of `monitor_states`. */
const VALID_VERSION = `CASE WHEN is_operational_until_reported THEN ${RULES_VERSION} ELSE 1 END`;

/**
 * Returns SQL that joins each monitor, its `state`, and `kept`, a SELECT from its days in the range. Days before
 * `state.closed_before` are valid, if they have at least the `state.rules_version`. Monitors are joined one by one, because PostgreSQL has no statistics for a table that was
 * just filled, and would join all days of a page with a plan that takes minutes. The state is read once per monitor, because a
 * lookup for each day takes five times as long.
 */
const ofEach = (kept: (source: string) => string) => `
       FROM unnest($2::uuid[]) AS monitor (monitor_id)
       JOIN LATERAL (
              SELECT closed_before, ${VALID_VERSION} AS rules_version FROM monitor_states
               WHERE organization_id = $1 AND monitor_id = monitor.monitor_id LIMIT 1
            ) AS state ON true
      CROSS JOIN LATERAL (${kept(`
               FROM monitor_days AS one
              WHERE organization_id = $1 AND monitor_id = monitor.monitor_id AND day BETWEEN $3::date AND $4::date
                AND one.rules_version >= state.rules_version`)}
            ) AS kept`;

/** Days of a monitor to read. `notable`: days in which it was not always operational. */
export type WantedDays = 'none' | 'notable' | 'all';

const IS_WANTED: Record<WantedDays, string> = { none: 'false', notable: 'operational < 86400', all: 'true' };

/** SQL condition: all days of a monitor until the end of the range are valid. */
const ALL_VALID = `state.closed_before > $4::date::timestamp AT TIME ZONE 'UTC'`;

/** Reads and writes the table `monitor_days`. */
@Injectable()
export class DaysRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns, for each monitor with closed days in the range, their number, the sum of their seconds, and the wanted days. */
  async findHistories(
    organization_id: string,
    monitorIds: string[],
    { from, to }: DayRange,
    wanted: WantedDays,
    manager: EntityManager,
  ): Promise<(Seconds & { monitor_id: string; day_count: number; days: PackedDays })[]> {
    const sums = SECONDS.split(', ').map((status) => `sum(${status})::int AS ${status}`);
    return this.runner.read<Seconds & { monitor_id: string; day_count: number; days: PackedDays }>(
      `SELECT monitor_id, day_count, ${SECONDS}, days
       ${ofEach(
         (source) => `
              SELECT count(*)::int AS day_count, ${sums.join(', ')},
                     coalesce(${PACKED_DAYS} FILTER (WHERE ${IS_WANTED[wanted]}), '') AS days ${source}`,
       )}
        WHERE ${ALL_VALID} AND day_count > 0`,
      [organization_id, monitorIds, from, to],
      manager,
    );
  }

  /** Returns the monitors with missing days in the range, and the first and the last of these days. */
  async findMissing(
    organization_id: string,
    monitorIds: string[],
    { from, to }: DayRange,
    manager: EntityManager,
  ): Promise<(DayRange & { monitor_id: string })[]> {
    return this.runner.read<DayRange & { monitor_id: string }>(
      `SELECT monitor_id, "from"::text, "to"::text
         FROM unnest($2::uuid[]) AS monitor (monitor_id)
        CROSS JOIN LATERAL (
                SELECT min(day) AS "from", max(day) AS "to"
                  FROM (
                         SELECT day::date FROM generate_series($3::timestamp, $4::timestamp, interval '1 day') AS day
                         EXCEPT
                         SELECT day
                           FROM monitor_states AS state
                           JOIN monitor_days AS one
                             ON one.organization_id = $1 AND one.monitor_id = monitor.monitor_id
                            AND day BETWEEN $3::date AND $4::date
                            AND day < (closed_before AT TIME ZONE 'UTC')::date AND rules_version >= ${VALID_VERSION}
                          WHERE state.organization_id = $1 AND state.monitor_id = monitor.monitor_id
                       ) AS missing
              ) AS missing
        WHERE "from" IS NOT NULL`,
      [organization_id, monitorIds, from, to],
      manager,
    );
  }

  /** Deletes invalid days of monitors. */
  async deleteInvalid(organization_id: string, monitorIds: string[], manager: EntityManager): Promise<void> {
    await this.runner.query(
      `DELETE FROM monitor_days AS one
        USING monitor_states AS state
        WHERE one.organization_id = $1 AND one.monitor_id = ANY($2::uuid[])
          AND state.organization_id = $1 AND state.monitor_id = one.monitor_id
          AND (state.closed_before IS NULL OR (one.day::timestamp AT TIME ZONE 'UTC') >= state.closed_before OR
               rules_version < ${VALID_VERSION})`,
      [organization_id, monitorIds],
      manager,
    );
  }

  /** Inserts missing days. Skips monitors that were deleted in the meantime. */
  async insert(organization_id: string, days: DayOfMonitor[], manager: EntityManager): Promise<void> {
    await this.runner.query(
      `INSERT INTO monitor_days (organization_id, monitor_id, day, ${SECONDS}, rules_version)
       SELECT $1, one.monitor_id, one.day, ${SECONDS}, ${RULES_VERSION}
         FROM json_populate_recordset(NULL::monitor_days, $2) AS one
         JOIN monitor_states AS state ON state.organization_id = $1 AND state.monitor_id = one.monitor_id
           ON CONFLICT DO NOTHING`,
      [organization_id, JSON.stringify(days)],
      manager,
    );
  }
}
