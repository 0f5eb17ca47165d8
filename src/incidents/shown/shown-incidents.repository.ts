import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import type {
  DayIncident,
  OpenIncident,
  ShowingPage,
  ShownFilter,
  ShownIncident,
  ShownLimits,
} from './shown-incident.js';
import { candidatesOf, isShownOn } from '../shown-statements.js';

const MAX_DAY_INCIDENTS = 2_000;

/** Maximum number of open incidents in a summary. */
const MAX_OPEN = 100;

/**
 * Maximum time after its last change at which an incident can still have a time in the future. Times can be five minutes in the
 * future, and clocks differ.
 */
const AHEAD_AFTER_CHANGE = '1 hour';

/**
 * SQL of the updates of `incident` that are in effect at $5, newest first. The update that was created first takes effect at
 * the start.
 */
const SAID = `
  SELECT id, status, body, monitors, posted_at, created_at, updated_at
    FROM (
           SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
             FROM incident_updates
            WHERE organization_id = $1 AND incident_id = incident.id
         ) AS one
   WHERE is_first OR posted_at <= $5
   ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC`;

const IS_RESOLVED = `(SELECT status FROM (${SAID} LIMIT 1) AS last) = 'resolved'`;

const PAGE = { organization: '$1', project: '$2', page: '$3', monitors: '$4' };

/**
 * Returns SQL of the incidents that the page $3 with the monitors $4 shows. OFFSET 0 prevents the planner from reading the other
 * incidents of the project.
 * @param condition on the incident
 * @param id the parameter with the ID of the only wanted incident; default: all incidents
 */
const shown = (condition: string, id?: string) => `
  SELECT incident.*
    FROM (${candidatesOf({ ...PAGE, ...(id && { id }) })}
         ) AS candidate
   CROSS JOIN LATERAL (
           SELECT * FROM incidents WHERE organization_id = $1 AND id = candidate.id OFFSET 0
         ) AS incident
   WHERE project_id = $2 AND ${isShownOn(PAGE)} AND ${condition}`;

/** SQL condition: the incident has started at $5. */
const HAS_STARTED = 'started_at <= $5';

const newest = (count: number) => `ORDER BY started_at DESC, id DESC LIMIT ${count}`;

/** Reads incidents for public pages. */
@Injectable()
export class ShownIncidentsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns incidents that a page shows, newest start first. */
  async find(
    page: ShowingPage,
    filter: ShownFilter,
    { incidents, updates }: ShownLimits,
    manager: EntityManager,
  ): Promise<ShownIncident[]> {
    const { condition, values } = conditionOf(filter);
    const rows = await this.runner.read<ShownIncident>(
      `SELECT id, title, status, impact, started_at, resolved_at, postmortem, created_at, updated_at,
              (SELECT json_agg(one) FROM (${SAID} LIMIT ${updates}) AS one) AS updates,
              (SELECT coalesce(json_agg(one), '[]')
                 FROM (
                        SELECT monitor_id, max(status) AS status, min(started_at) AS started_at,
                               CASE WHEN bool_or(ended_at IS NULL) THEN NULL ELSE max(ended_at) END AS ended_at,
                               max(status) FILTER (WHERE ended_at IS NULL OR ended_at > $5) AS current_status
                          FROM incident_impacts
                         WHERE organization_id = $1 AND incident_id = incident.id AND monitor_id = ANY($4::uuid[])
                           AND started_at <= $5
                         GROUP BY monitor_id
                      ) AS one) AS impacts
         FROM (${shown(condition, 'id' in filter ? '$6' : undefined)} ${newest(incidents)}) AS incident
        ORDER BY started_at DESC, id DESC`,
      [...parametersOf(page), ...values],
      manager,
    );
    return rows.map((row) => toShown(row, page.now));
  }

  /** Returns the open incidents for the summary of a page, newest start first, at most 100. */
  async findOpen(page: ShowingPage, manager: EntityManager): Promise<OpenIncident[]> {
    const { condition } = conditionOf({ open: true });
    const rows = await this.runner.read<OpenIncident>(
      `SELECT incident.id, title, last.status, impact, named.monitors, started_at, incident.created_at, incident.updated_at,
              json_build_object('id', last.id, 'status', last.status, 'body', body, 'posted_at', posted_at) AS last_update
         FROM (${shown(condition)} ${newest(MAX_OPEN)}) AS incident
        CROSS JOIN LATERAL (${SAID} LIMIT 1) AS last
        CROSS JOIN LATERAL (
                SELECT coalesce((SELECT monitors FROM (${SAID}) AS one WHERE monitors IS NOT NULL LIMIT 1), '[]') AS monitors
              ) AS named
        ORDER BY started_at DESC, incident.id DESC`,
      parametersOf(page),
      manager,
    );
    return rows.map(({ last_update, ...incident }) => ({
      ...incident,
      last_update: { ...last_update, posted_at: new Date(last_update.posted_at) },
    }));
  }

  /** Returns the next future time of the incidents that a page shows or that affect its monitors, or null. */
  async findNextChange(page: ShowingPage, manager: EntityManager): Promise<Date | null> {
    const rows = await this.runner.read<{ next: Date | null }>(
      `SELECT min(change_at) AS next
         FROM (
                SELECT unnest(ARRAY[started_at, ended_at]) AS change_at
                  FROM incident_impacts
                 WHERE organization_id = $1 AND monitor_id = ANY($4::uuid[]) AND (started_at > $5 OR ended_at > $5)
                 UNION ALL
                SELECT unnest(ARRAY[started_at, posted_at])
                  FROM (${shown(`updated_at > $5::timestamptz - interval '${AHEAD_AFTER_CHANGE}'`)}) AS incident
                  JOIN incident_updates AS one ON one.organization_id = $1 AND one.incident_id = incident.id
              ) AS times
        WHERE change_at > $5`,
      parametersOf(page),
      manager,
    );
    return rows[0]?.next ?? null;
  }

  /** Returns the incidents that affected monitors of a page in a time range, newest first. */
  async findOfDays(
    page: ShowingPage,
    range: { from: Date; to: Date },
    manager: EntityManager,
  ): Promise<DayIncident[]> {
    const rows = await this.runner.read<DayIncident>(
      `SELECT incident.id, title, impact.monitor_id, max(impact.status) AS status, min(impact.started_at) AS started_at,
              CASE WHEN bool_or(impact.ended_at IS NULL) THEN NULL ELSE max(impact.ended_at) END AS ended_at
         FROM incident_impacts AS impact
         JOIN incidents AS incident ON incident.organization_id = $1 AND incident.id = impact.incident_id
        WHERE impact.organization_id = $1 AND incident.project_id = $2 AND impact.monitor_id = ANY($4::uuid[])
          AND impact.started_at < $6 AND coalesce(impact.ended_at > greatest($5, impact.started_at), true)
          AND (status_page_ids IS NULL OR $3 = ANY(status_page_ids))
        GROUP BY incident.id, title, impact.monitor_id
        ORDER BY started_at DESC, incident.id DESC
        LIMIT ${MAX_DAY_INCIDENTS}`,
      [page.organization_id, page.project_id, page.id, page.monitor_ids, range.from, range.to],
      manager,
    );
    return rows;
  }
}

function parametersOf({ organization_id, project_id, id, monitor_ids, now }: ShowingPage): unknown[] {
  return [organization_id, project_id, id, monitor_ids, now];
}

/**
 * Returns a condition on the incident, with parameters from $6 on. It does not use `resolved_at`, because this includes updates
 * in the future.
 */
function conditionOf(filter: ShownFilter): { condition: string; values: unknown[] } {
  if ('id' in filter) return { condition: HAS_STARTED, values: [filter.id] };
  if ('open' in filter)
    return {
      condition: `${HAS_STARTED} AND coalesce(resolved_at > $5, true) AND NOT ${IS_RESOLVED}`,
      values: [],
    };
  if ('ended_since' in filter)
    return {
      condition: `${HAS_STARTED} AND coalesce(resolved_at >= $6, true) AND ${IS_RESOLVED}`,
      values: [filter.ended_since],
    };
  if ('from' in filter)
    return {
      condition: `${HAS_STARTED} AND started_at < $7 AND coalesce(resolved_at >= $6, true)`,
      values: [filter.from, filter.to],
    };
  return { condition: HAS_STARTED, values: [] };
}

/** Converts a row, whose JSON contains times as strings. */
function toShown(row: ShownIncident, now: Date): ShownIncident {
  const updates = row.updates.map((update) => ({
    ...update,
    posted_at: new Date(update.posted_at),
    created_at: new Date(update.created_at),
    updated_at: new Date(update.updated_at),
  }));
  const [last] = updates;
  const status = last?.status ?? row.status;
  const resolved_at = row.resolved_at && row.resolved_at <= now ? row.resolved_at : (last?.posted_at ?? null);
  return {
    ...row,
    status,
    resolved_at: status === 'resolved' ? resolved_at : null,
    updates,
    impacts: row.impacts.map((impact) => ({
      ...impact,
      started_at: new Date(impact.started_at),
      ended_at: impact.ended_at && new Date(impact.ended_at),
    })),
  };
}
