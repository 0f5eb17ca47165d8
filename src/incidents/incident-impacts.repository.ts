import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { StatusInterval } from '../monitors/monitor-status.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { IncidentImpact } from './incident-impact.entity.js';
import type { Stretch, StretchChanges } from './incident-history.js';
import type { Incident } from './incident.entity.js';
import type { IncidentUpdate } from './incident-update.entity.js';

/** What an open incident says of a monitor now. */
export type OpenImpact = Pick<IncidentImpact, 'monitor_id' | 'incident_id' | 'status'>;

/** An open incident as a page shows it. */
export type OpenIncident = Pick<
  Incident,
  'id' | 'title' | 'status' | 'impact' | 'monitors' | 'started_at' | 'created_at' | 'updated_at'
> & {
  last_update: Pick<IncidentUpdate, 'id' | 'status' | 'body' | 'posted_at'>;
};

/** The maximum number of open incidents of a page, and of a monitor. */
const MAX_OPEN = 100;

/** The queries on the table `incident_impacts`, and on what it says of incidents. */
@Injectable()
export class IncidentImpactsRepository extends Repository<IncidentImpact> {
  constructor(dataSource: DataSource) {
    super(IncidentImpact, dataSource.manager);
  }

  /** Stretches that overlap [from, to), by monitor, oldest first. Uses `incident_impacts_monitor_idx`. */
  async intervalsOf(
    organizationId: string,
    monitorIds: string[],
    { from, to }: { from: Date; to: Date },
    manager: EntityManager = this.manager,
  ): Promise<StatusInterval[]> {
    return manager.query(
      `SELECT monitor_id, status, started_at, ended_at
         FROM incident_impacts
        WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
          AND started_at < $4 AND (ended_at IS NULL OR ended_at > $3)
        ORDER BY monitor_id, started_at`,
      [organizationId, monitorIds, from, to],
    );
  }

  /** What open incidents say of monitors now: their stretches without an end, of each monitor the 100 worst. */
  async openOf(
    organizationId: string,
    monitorIds: string[],
    manager: EntityManager = this.manager,
  ): Promise<OpenImpact[]> {
    return manager.query(
      `SELECT monitor_id, incident_id, status
         FROM (
                SELECT monitor_id, incident_id, status,
                       row_number() OVER (PARTITION BY monitor_id ORDER BY status DESC, incident_id) AS rank
                  FROM incident_impacts
                 WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[]) AND ended_at IS NULL
              ) AS impact
        WHERE rank <= ${MAX_OPEN}
        ORDER BY monitor_id, incident_id`,
      [organizationId, monitorIds],
    );
  }

  /** The open incidents that a page with these monitors shows, newest start first. Uses `incidents_open_idx`. */
  async openOn(
    { organization_id, project_id }: ProjectRef,
    statusPageId: string,
    monitorIds: string[],
    manager: EntityManager = this.manager,
  ): Promise<OpenIncident[]> {
    const rows: OpenRow[] = await manager.query(
      `SELECT incident.id, title, incident.status, impact, incident.monitors, started_at,
              incident.created_at, incident.updated_at,
              last.id AS update_id, last.status AS update_status, last.body, last.posted_at
         FROM incidents AS incident
         JOIN LATERAL (
                SELECT id, status, body, posted_at
                  FROM incident_updates
                 WHERE organization_id = incident.organization_id AND incident_id = incident.id
                 ORDER BY id = (
                            SELECT id
                              FROM incident_updates
                             WHERE organization_id = incident.organization_id AND incident_id = incident.id
                             ORDER BY created_at, id
                             LIMIT 1
                          ), posted_at DESC, created_at DESC, id DESC
                 LIMIT 1
              ) AS last ON true
        WHERE incident.organization_id = $1 AND project_id = $2 AND resolved_at IS NULL
          AND (
                status_page_ids @> ARRAY[$3::uuid]
                OR status_page_ids IS NULL AND EXISTS (
                     SELECT FROM incident_impacts
                      WHERE organization_id = $1 AND incident_id = incident.id AND monitor_id = ANY($4::uuid[])
                   )
              )
        ORDER BY started_at DESC, incident.id DESC
        LIMIT ${MAX_OPEN}`,
      [organization_id, project_id, statusPageId, monitorIds],
    );
    return rows.map(({ update_id, update_status, body, posted_at, ...incident }) => ({
      ...incident,
      last_update: { id: update_id, status: update_status, body, posted_at },
    }));
  }

  /** Writes the changed stretches of an incident. The history of their monitors must be locked. */
  async change(
    { organization_id, id }: { organization_id: string; id: string },
    { removed, added }: StretchChanges,
    manager: EntityManager,
  ): Promise<void> {
    if (removed.length > 0)
      await manager.query(
        `DELETE FROM incident_impacts
          WHERE organization_id = $1 AND incident_id = $2
            AND (monitor_id, started_at) IN (SELECT * FROM unnest($3::uuid[], $4::timestamptz[]))`,
        [organization_id, id, valuesOf(removed, 'monitor_id'), valuesOf(removed, 'started_at')],
      );
    if (added.length > 0)
      await manager.query(
        `INSERT INTO incident_impacts (organization_id, incident_id, monitor_id, status, started_at, ended_at)
         SELECT $1::uuid, $2::uuid, monitor_id, status, started_at, ended_at
           FROM unnest($3::uuid[], $4::monitor_status[], $5::timestamptz[], $6::timestamptz[])
             AS stretch (monitor_id, status, started_at, ended_at)`,
        [
          organization_id,
          id,
          valuesOf(added, 'monitor_id'),
          valuesOf(added, 'status'),
          valuesOf(added, 'started_at'),
          valuesOf(added, 'ended_at'),
        ],
      );
  }
}

/** A row of {@link IncidentImpactsRepository.openOn}. */
type OpenRow = Omit<OpenIncident, 'last_update'> &
  Pick<IncidentUpdate, 'body' | 'posted_at'> & {
    update_id: IncidentUpdate['id'];
    update_status: IncidentUpdate['status'];
  };

/** The values of a column of stretches. */
function valuesOf<Column extends keyof Stretch>(stretches: Stretch[], column: Column): Stretch[Column][] {
  return stretches.map((stretch) => stretch[column]);
}
