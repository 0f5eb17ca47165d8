import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { OF_PROJECT, projectParameters } from '../platform/database/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MaintenanceDto } from './dto/maintenance.dto.js';
import { CLOCK, ENDED_AT, HAS_NOT_ENDED, isShownOn, STATUS, VERSION } from './maintenance-status.js';
import type { MaintenanceUpdate } from './maintenance-update.entity.js';

/** Page that shows maintenance windows, its monitors, and the time at which it shows them. Later updates are not shown. */
export type ShowingPage = ProjectRef & { id: string; monitor_ids: string[]; now: Date };

/**
 * Filter of the maintenance windows of a page: one window; those in a time range; started ones that ended since a time; those
 * that have not ended and start before a time; or all.
 */
export type ShownFilter =
  | { id: string }
  | { from: Date; to: Date }
  | { ended_since: Date }
  | { starts_before: Date }
  | Record<string, never>;

/** Limits of the maintenance windows to read. An update can have 40,000 bytes. */
export interface ShownLimits {
  maintenances: number;
  /** Maximum number of updates per window, newest first. */
  updates: number;
}

/** A maintenance window on a public page, with only the page's monitors. `ended_at`: when it ends, or was closed. */
export type ShownMaintenance = Pick<
  MaintenanceDto,
  'id' | 'title' | 'body' | 'status' | 'starts_at' | 'ends_at' | 'monitor_ids' | 'created_at' | 'updated_at'
> & {
  ended_at: Date;
  /** Newest first. Limited to the wanted number. */
  updates: Pick<MaintenanceUpdate, 'id' | 'body' | 'posted_at' | 'created_at' | 'updated_at'>[];
};

const COLUMNS = `
  id, title, body, ${STATUS} AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
  ${VERSION} AS updated_at`;

/** SQL condition: the page $3 with the monitors $4 shows the window. */
const IS_SHOWN = isShownOn('$3', '$4');

const MAX_UPCOMING = 100;

/** Reads maintenance windows for public pages. */
@Injectable()
export class ShownMaintenancesRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the windows on a page that are in progress or start before `until`. Uses `maintenances_ends_at_idx`. */
  async findUpcoming(
    project: ProjectRef,
    { statusPageId, monitorIds }: { statusPageId: string; monitorIds: string[] },
    until: Date,
    manager: EntityManager,
  ): Promise<MaintenanceDto[]> {
    return this.runner.read<MaintenanceDto>(
      `SELECT ${COLUMNS}
         FROM maintenances
        WHERE ${OF_PROJECT} AND ${HAS_NOT_ENDED} AND starts_at < $5
          AND ${IS_SHOWN}
        ORDER BY starts_at, id
        LIMIT ${MAX_UPCOMING}`,
      [...projectParameters(project), statusPageId, monitorIds, until],
      manager,
    );
  }

  /** Returns windows that a page shows, latest start first; with `starts_before`, earliest start first. */
  async findShown(
    page: ShowingPage,
    filter: ShownFilter,
    { maintenances, updates }: ShownLimits,
    manager: EntityManager,
  ): Promise<ShownMaintenance[]> {
    const [condition, ...values] = conditionOf(filter);
    const order = 'starts_before' in filter ? 'starts_at, id' : 'starts_at DESC, id DESC';
    const rows = await this.runner.read<ShownMaintenance>(
      `SELECT ${COLUMNS}, ${ENDED_AT} AS ended_at,
              (SELECT coalesce(json_agg(one), '[]')
                 FROM (
                        SELECT id, body, posted_at, created_at, updated_at
                          FROM maintenance_updates
                         WHERE organization_id = $1 AND maintenance_id = maintenances.id AND posted_at <= $5
                         ORDER BY posted_at DESC, created_at DESC, id DESC
                         LIMIT ${updates}
                      ) AS one) AS updates
         FROM maintenances
        WHERE ${OF_PROJECT} AND ${condition}
          AND ${IS_SHOWN}
        ORDER BY ${order}
        LIMIT ${maintenances}`,
      [...parametersOf(page), ...values],
      manager,
    );
    const isShown = new Set(page.monitor_ids);
    return rows.map((row) => ({
      ...row,
      monitor_ids: row.monitor_ids.filter((one) => isShown.has(one)),
      // JSON contains times as strings.
      updates: row.updates.map((update) => ({
        ...update,
        posted_at: new Date(update.posted_at),
        created_at: new Date(update.created_at),
        updated_at: new Date(update.updated_at),
      })),
    }));
  }

  /**
   * Returns when a window of a page or of its monitors starts or ends next, or when the next update of a window of the page is
   * shown; or null. Uses `maintenances_ends_at_idx` and `maintenance_updates_posted_at_idx`.
   */
  async findNextChange(page: ShowingPage, manager: EntityManager): Promise<Date | null> {
    const rows = await this.runner.read<{ next: Date | null }>(
      `SELECT min(change_at) AS next
         FROM (
                SELECT change_at
                  FROM maintenances
                 CROSS JOIN LATERAL (VALUES (starts_at), (${ENDED_AT})) AS times (change_at)
                 WHERE ${OF_PROJECT} AND ends_at > $5 AND ${ENDED_AT} > $5 AND change_at > $5
                   AND (${IS_SHOWN} OR monitor_ids && $4::uuid[])
                 UNION ALL
                SELECT posted_at
                  FROM maintenance_updates AS posted
                  JOIN maintenances ON maintenances.organization_id = $1 AND maintenances.id = maintenance_id
                 WHERE posted.organization_id = $1 AND posted_at > $5 AND project_id = $2 AND ${IS_SHOWN}
              ) AS changes`,
      parametersOf(page),
      manager,
    );
    return rows[0]?.next ?? null;
  }
}

function parametersOf({ organization_id, project_id, id, monitor_ids, now }: ShowingPage): unknown[] {
  return [organization_id, project_id, id, monitor_ids, now];
}

/** Returns an SQL condition on the window, and its values from $6 on. */
function conditionOf(filter: ShownFilter): [condition: string, ...values: unknown[]] {
  if ('id' in filter) return ['id = $6', filter.id];
  if ('from' in filter) return [`starts_at < $7 AND ${ENDED_AT} >= $6`, filter.from, filter.to];
  if ('starts_before' in filter) return [`${HAS_NOT_ENDED} AND starts_at < $6`, filter.starts_before];
  if ('ended_since' in filter) {
    const condition = `starts_at < statement_timestamp() AND ${ENDED_AT} BETWEEN $6 AND ${CLOCK}`;
    return [condition, filter.ended_since];
  }
  return ['true'];
}
