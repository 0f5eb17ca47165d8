import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { projectParameters } from '../projects/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { MaintenanceDto } from './dto/maintenance.dto.js';
import { CLOCK, ENDED_AT, STATUS, VERSION } from './maintenance-status.js';

/** Page that shows maintenance windows, and its monitors. */
export type ShowingPage = ProjectRef & { id: string; monitor_ids: string[] };

/**
 * Filter of the maintenance windows of a page: one window; those in a time range; started ones that ended since a time; or all.
 */
export type ShownFilter =
  { id: string } | { from: Date; to: Date } | { ended_since: Date } | Record<string, never>;

/** A maintenance window on a public page, with only the page's monitors. `ended_at`: when it ends, or was closed. */
export type ShownMaintenance = Pick<
  MaintenanceDto,
  'id' | 'title' | 'body' | 'status' | 'starts_at' | 'ends_at' | 'monitor_ids' | 'created_at' | 'updated_at'
> & { ended_at: Date };

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';

const COLUMNS = `
  id, title, body, ${STATUS} AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
  ${VERSION} AS updated_at`;

/** SQL condition: the page $3 with the monitors $4 shows the window. */
const IS_SHOWN =
  '(status_page_ids @> ARRAY[$3::uuid] OR status_page_ids IS NULL AND monitor_ids && $4::uuid[])';

const MAX_UPCOMING = 100;

/** Reads maintenance windows for public pages. */
@Injectable()
export class ShownMaintenancesRepository {
  /** Returns the windows on a page that are in progress or start before `until`. Uses `maintenances_ends_at_idx`. */
  async findUpcoming(
    project: ProjectRef,
    { statusPageId, monitorIds }: { statusPageId: string; monitorIds: string[] },
    until: Date,
    manager: EntityManager,
  ): Promise<MaintenanceDto[]> {
    return manager.query(
      `SELECT ${COLUMNS}
         FROM maintenances
        WHERE ${OF_PROJECT} AND closed_as IS NULL AND ends_at > statement_timestamp() AND starts_at < $5
          AND ${IS_SHOWN}
        ORDER BY starts_at, id
        LIMIT ${MAX_UPCOMING}`,
      [...projectParameters(project), statusPageId, monitorIds, until],
    );
  }

  /** Returns windows that a page shows, latest start first. */
  async findShown(
    { organization_id, project_id, id, monitor_ids }: ShowingPage,
    filter: ShownFilter,
    limit: number,
    manager: EntityManager,
  ): Promise<ShownMaintenance[]> {
    const [condition, ...values] =
      'id' in filter
        ? ['id = $5', filter.id]
        : 'from' in filter
          ? [`starts_at < $6 AND ${ENDED_AT} >= $5`, filter.from, filter.to]
          : 'ended_since' in filter
            ? [
                `starts_at < statement_timestamp() AND ${ENDED_AT} BETWEEN $5 AND ${CLOCK}`,
                filter.ended_since,
              ]
            : ['true'];
    const rows: ShownMaintenance[] = await manager.query(
      `SELECT ${COLUMNS}, ${ENDED_AT} AS ended_at
         FROM maintenances
        WHERE ${OF_PROJECT} AND ${condition}
          AND ${IS_SHOWN}
        ORDER BY starts_at DESC, id DESC
        LIMIT ${limit}`,
      [organization_id, project_id, id, monitor_ids, ...values],
    );
    const isShown = new Set(monitor_ids);
    return rows.map((row) => ({ ...row, monitor_ids: row.monitor_ids.filter((one) => isShown.has(one)) }));
  }

  /** Returns when a window of a page or of its monitors starts or ends next after `now`, or null. */
  async findNextChange(
    { organization_id, project_id, id, monitor_ids }: ShowingPage,
    now: Date,
    manager: EntityManager,
  ): Promise<Date | null> {
    const rows: { next: Date | null }[] = await manager.query(
      `SELECT min(change_at) AS next
         FROM maintenances
        CROSS JOIN LATERAL (VALUES (starts_at), (${ENDED_AT})) AS times (change_at)
        WHERE ${OF_PROJECT} AND ends_at > $5 AND ${ENDED_AT} > $5 AND change_at > $5
          AND (status_page_ids @> ARRAY[$3::uuid] OR monitor_ids && $4::uuid[])`,
      [organization_id, project_id, id, monitor_ids, now],
    );
    return rows[0]?.next ?? null;
  }
}
