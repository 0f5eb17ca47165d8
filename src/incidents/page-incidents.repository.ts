import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../database/statement-runner.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { Incident } from './incident.entity.js';
import type { IncidentUpdate } from './incident-update.entity.js';

/** The page that shows incidents, and its monitors. */
export interface ShowingPage extends ProjectRef {
  id: string;
  monitor_ids: string[];
}

/** Which incidents of a page: one; those in a range of time and, by default, not those that are still open; or all. */
export type ShownFilter = { id: string } | { from: Date; to: Date } | { open: true } | Record<string, never>;

/** What an incident has said of a monitor of the page, from the first to the last time. */
export interface ShownImpact {
  monitor_id: string;
  /** The worst. */
  status: ReportedStatus;
  started_at: Date;
  /** null: until now. */
  ended_at: Date | null;
}

/** An incident as a page shows it, with its updates, newest first. */
export type ShownIncident = Pick<
  Incident,
  | 'id'
  | 'title'
  | 'status'
  | 'impact'
  | 'started_at'
  | 'resolved_at'
  | 'postmortem'
  | 'created_at'
  | 'updated_at'
> & {
  /** At most as many as wanted. The first update of the incident comes last. */
  updates: Pick<
    IncidentUpdate,
    'id' | 'status' | 'body' | 'monitors' | 'posted_at' | 'created_at' | 'updated_at'
  >[];
  /** By monitor; only monitors of the page. */
  impacts: ShownImpact[];
};

/** An incident that has affected a monitor, for the days of the monitor. */
export type DayIncident = ShownImpact & Pick<Incident, 'id' | 'title'>;

/** How much of the incidents of a page is read. An update can have 40,000 bytes. */
export interface ShownLimits {
  incidents: number;
  /** Of each incident, the newest. */
  updates: number;
}

const MAX_DAY_INCIDENTS = 2_000;

/** SQL: the page $3 with the monitors $4 shows the incident. */
const IS_SHOWN = `
  CASE
    WHEN status_page_ids IS NULL THEN EXISTS (
      SELECT FROM incident_impacts
       WHERE organization_id = $1 AND incident_id = incident.id AND monitor_id = ANY($4::uuid[])
    )
    ELSE $3 = ANY(status_page_ids)
  END`;

/** The queries that read incidents for the pages that show them. */
@Injectable()
export class PageIncidentsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Incidents that a page shows, newest start first. */
  async find(
    page: ShowingPage,
    filter: ShownFilter,
    { incidents, updates }: ShownLimits,
    manager: EntityManager,
  ): Promise<ShownIncident[]> {
    const { condition, values } = conditionOf(filter);
    const rows = await this.runner.read<ShownIncident>(
      `SELECT id, title, status, impact, started_at, resolved_at, postmortem, created_at, updated_at,
              (SELECT coalesce(json_agg(row_to_json(one) ORDER BY is_first, posted_at DESC, created_at DESC, id DESC), '[]')
                 FROM (
                        SELECT id, status, body, monitors, posted_at, created_at, updated_at,
                               row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
                          FROM incident_updates
                         WHERE organization_id = $1 AND incident_id = incident.id
                         ORDER BY posted_at DESC, created_at DESC, id DESC
                         LIMIT ${updates}
                      ) AS one) AS updates,
              (SELECT coalesce(json_agg(row_to_json(one)), '[]')
                 FROM (
                        SELECT monitor_id, max(status) AS status, min(started_at) AS started_at,
                               CASE WHEN bool_or(ended_at IS NULL) THEN NULL ELSE max(ended_at) END AS ended_at
                          FROM incident_impacts
                         WHERE organization_id = $1 AND incident_id = incident.id AND monitor_id = ANY($4::uuid[])
                         GROUP BY monitor_id
                      ) AS one) AS impacts
         FROM incidents AS incident
        WHERE organization_id = $1 AND project_id = $2 AND ${condition} AND ${IS_SHOWN}
        ORDER BY started_at DESC, id DESC
        LIMIT ${incidents}`,
      [page.organization_id, page.project_id, page.id, page.monitor_ids, ...values],
      manager,
    );
    return rows.map(toShown);
  }

  /** The incidents that have affected monitors of a page in a range of time, newest first. */
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
          AND impact.started_at < $6 AND coalesce(impact.ended_at > $5, true)
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

function conditionOf(filter: ShownFilter): { condition: string; values: unknown[] } {
  if ('id' in filter) return { condition: 'id = $5', values: [filter.id] };
  if ('open' in filter) return { condition: 'resolved_at IS NULL', values: [] };
  if ('from' in filter)
    return {
      condition: 'started_at < $6 AND coalesce(resolved_at >= $5, true)',
      values: [filter.from, filter.to],
    };
  return { condition: 'true', values: [] };
}

/** JSON has times as strings. */
function toShown(row: ShownIncident): ShownIncident {
  return {
    ...row,
    updates: row.updates.map(({ id, status, body, monitors, posted_at, created_at, updated_at }) => ({
      id,
      status,
      body,
      monitors,
      posted_at: new Date(posted_at),
      created_at: new Date(created_at),
      updated_at: new Date(updated_at),
    })),
    impacts: row.impacts.map((impact) => ({
      ...impact,
      started_at: new Date(impact.started_at),
      ended_at: impact.ended_at && new Date(impact.ended_at),
    })),
  };
}
