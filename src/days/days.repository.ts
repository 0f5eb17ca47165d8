import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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
 * Joins each monitor, its `state`, and `kept`: a SELECT from its days in the range. They are valid before
 * `state.closed_before`. One monitor after the other: PostgreSQL has no statistics of a table that was just filled, and joins
 * all days of a page with a plan that takes minutes. Nor is the state looked up for each day, which takes five times as long.
 */
const ofEach = (kept: (source: string) => string) => `
       FROM unnest($2::uuid[]) AS monitor (monitor_id)
       JOIN LATERAL (
              SELECT closed_before FROM monitor_states
               WHERE organization_id = $1 AND monitor_id = monitor.monitor_id LIMIT 1
            ) AS state ON true
      CROSS JOIN LATERAL (${kept(`
               FROM monitor_days AS one
              WHERE organization_id = $1 AND monitor_id = monitor.monitor_id AND day BETWEEN $3::date AND $4::date`)}
            ) AS kept`;

/** Whether all days of a monitor until the end of the range are valid. */
const ALL_VALID = `state.closed_before > $4::date::timestamp AT TIME ZONE 'UTC'`;

/** The queries on the table `monitor_days`. */
@Injectable()
export class DaysRepository {
  /** The closed days of monitors that are computed already, oldest first. */
  async find(
    organization_id: string,
    monitorIds: string[],
    { from, to }: DayRange,
    manager: EntityManager,
  ): Promise<DayOfMonitor[]> {
    return manager.query(
      `SELECT monitor_id, day::text, ${SECONDS}
       ${ofEach((source) => `SELECT day, ${SECONDS} ${source} ORDER BY day`)}
        WHERE ${ALL_VALID}
        ORDER BY monitor_id, kept.day`,
      [organization_id, monitorIds, from, to],
    );
  }

  /** For each monitor with closed days in the range, their number and the sum of their seconds. */
  async findSums(
    organization_id: string,
    monitorIds: string[],
    { from, to }: DayRange,
    manager: EntityManager,
  ): Promise<(Seconds & { monitor_id: string; days: number })[]> {
    const sums = SECONDS.split(', ').map((status) => `sum(${status})::int AS ${status}`);
    return manager.query(
      `SELECT monitor_id, days, ${SECONDS}
       ${ofEach((source) => `SELECT count(*)::int AS days, ${sums.join(', ')} ${source}`)}
        WHERE ${ALL_VALID} AND days > 0`,
      [organization_id, monitorIds, from, to],
    );
  }

  /** As {@link findSums}, with the days in which a monitor was not operational all the time, oldest first. */
  async findHistories(
    organization_id: string,
    monitorIds: string[],
    { from, to }: DayRange,
    manager: EntityManager,
  ): Promise<(Seconds & { monitor_id: string; days: number; notable: (Seconds & { day: string })[] })[]> {
    const names = SECONDS.split(', ');
    const sums = names.map((status) => `sum(${status})::int AS ${status}`);
    const day = `json_build_object('day', day, ${names.map((status) => `'${status}', ${status}`).join(', ')})`;
    return manager.query(
      `SELECT monitor_id, days, ${SECONDS}, notable
       ${ofEach(
         (source) => `
              SELECT count(*)::int AS days, ${sums.join(', ')},
                     coalesce(json_agg(${day} ORDER BY day) FILTER (WHERE operational < 86400), '[]') AS notable ${source}`,
       )}
        WHERE ${ALL_VALID} AND days > 0`,
      [organization_id, monitorIds, from, to],
    );
  }

  /** The first day in the range that is not computed, of any of the monitors; null: all are. */
  async findFirstMissing(
    organization_id: string,
    monitorIds: string[],
    { from, to }: DayRange,
    manager: EntityManager,
  ): Promise<string | null> {
    const rows: { day: string | null }[] = await manager.query(
      `SELECT min(range.day)::date::text AS day
         FROM generate_series($3::timestamp, $4::timestamp, interval '1 day') AS range (day)
         LEFT JOIN (
                SELECT day, count(*) AS number
                ${ofEach((source) => `SELECT day ${source} ORDER BY day`)}
                 WHERE state.closed_before > day::timestamp AT TIME ZONE 'UTC'
                 GROUP BY day
              ) AS valid ON valid.day = range.day
        WHERE coalesce(number, 0) < cardinality($2::uuid[])`,
      [organization_id, monitorIds, from, to],
    );
    return rows[0]?.day ?? null;
  }

  /** Deletes days of monitors that are not valid. */
  async deleteInvalid(organization_id: string, monitorIds: string[], manager: EntityManager): Promise<void> {
    await manager.query(
      `DELETE FROM monitor_days AS one
        USING monitor_states AS state
        WHERE one.organization_id = $1 AND one.monitor_id = ANY($2::uuid[])
          AND state.organization_id = $1 AND state.monitor_id = one.monitor_id
          AND (state.closed_before IS NULL OR (one.day::timestamp AT TIME ZONE 'UTC') >= state.closed_before)`,
      [organization_id, monitorIds],
    );
  }

  /** Inserts days that are not there yet. Skips monitors that are deleted meanwhile. */
  async insert(organization_id: string, days: DayOfMonitor[], manager: EntityManager): Promise<void> {
    await manager.query(
      `INSERT INTO monitor_days (organization_id, monitor_id, day, ${SECONDS})
       SELECT $1, one.monitor_id, one.day, ${SECONDS}
         FROM json_populate_recordset(NULL::monitor_days, $2) AS one
         JOIN monitor_states AS state ON state.organization_id = $1 AND state.monitor_id = one.monitor_id
           ON CONFLICT DO NOTHING`,
      [organization_id, JSON.stringify(days)],
    );
  }
}
