import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { KeyAccess } from '../auth/current-key.js';
import type { Range, Rows } from '../database/keyset.js';
import type { RawJson } from '../database/raw-json.js';
import { ResourceTable } from '../database/resource-table.js';
import { StatementRunner } from '../database/statement-runner.js';
import { NEXT_VERSION } from '../database/statements.js';
import { isCovered, ofProject, ownRow } from '../projects/own-rows.js';
import type { DeletedWithProject } from '../projects/project-owned.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { type IncidentDto, MAX_STATUS_PAGES } from './dto/incident.dto.js';
import { Incident } from './incident.entity.js';

/** The columns to change. */
export type IncidentPatch = Partial<Omit<Incident, keyof DeletedWithProject>>;

/** What follows from the updates of an incident. */
export type DerivedColumns = Pick<Incident, 'status' | 'impact' | 'monitors' | 'resolved_at'>;

/** The columns of a locked incident that a change depends on. */
export type LockedIncident = ProjectRef &
  Pick<Incident, 'id' | 'impact' | 'set_impact' | 'started_at' | 'updated_at'>;

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
const OWN = `organization_id = $1 AND ${isCovered('project_id', '$2')} AND id = $3`;

/** The number of incidents that one statement of a list reads. An incident can have 200,000 bytes. */
const BATCH_SIZE = 25;

/** A deleted or restored status page. */
type StatusPageRef = ProjectRef & { id: string };

/** The queries on the table `incidents`. */
@Injectable()
export class IncidentsRepository extends Repository<Incident> {
  private readonly table: ResourceTable<Incident, IncidentDto>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(Incident, dataSource.manager);
    this.table = new ResourceTable(this, runner, [
      'id',
      'title',
      'status',
      'impact',
      'monitors',
      'started_at',
      'resolved_at',
      'status_page_ids',
      'postmortem',
      'project_id',
      'created_at',
      'updated_at',
    ]);
  }

  /**
   * Incidents of a project, newest first. Uses `incidents_list_idx`, `incidents_open_idx` or `incidents_resolved_idx`.
   * @param open only open incidents, or only resolved ones; undefined: all
   */
  async findNewest(project: ProjectRef, open: boolean | undefined, range: Range): Promise<Rows<IncidentDto>> {
    const filter = open === undefined ? '' : ` AND resolved_at IS ${open ? '' : 'NOT '}NULL`;
    return this.table.list(OF_PROJECT + filter, ofProject(project), range, BATCH_SIZE);
  }

  async findOwn(
    access: KeyAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<IncidentDto> | undefined> {
    return this.table.find(OWN, ownRow(access, id), manager);
  }

  /** The project of an incident. */
  async findProject(access: KeyAccess, id: string, manager?: EntityManager): Promise<ProjectRef | undefined> {
    const rows: ProjectRef[] = await (manager ?? this.manager).query(
      `SELECT organization_id, project_id FROM incidents WHERE ${OWN}`,
      ownRow(access, id),
    );
    return rows[0];
  }

  /** Locks an incident until the transaction ends. */
  async lockOwn(access: KeyAccess, id: string, manager: EntityManager): Promise<LockedIncident | undefined> {
    const rows: LockedIncident[] = await manager.query(
      `SELECT id, organization_id, project_id, impact, set_impact, started_at, updated_at
         FROM incidents
        WHERE ${OWN}
          FOR UPDATE`,
      ownRow(access, id),
    );
    return rows[0];
  }

  /** Updates a locked incident. Its version grows only if a value changes. */
  async patch(
    { organization_id, project_id, id }: LockedIncident,
    patch: IncidentPatch,
    manager: EntityManager,
  ): Promise<RawJson<IncidentDto> | undefined> {
    const access = { organization_id, project_ids: [project_id] };
    return this.table.patch(OWN, ownRow(access, id), patch, undefined, manager);
  }

  /** Writes what follows from other updates of a locked incident. Its version grows in any case. */
  async saveDerived(
    { organization_id, id }: LockedIncident,
    { status, impact, monitors, resolved_at }: DerivedColumns,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `UPDATE incidents
          SET status = $3, impact = $4, monitors = $5, resolved_at = $6, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = $2`,
      [organization_id, id, status, impact, JSON.stringify(monitors), resolved_at],
    );
  }

  /** Deletes a locked incident, with its updates and impacts. */
  async deleteLocked({ organization_id, id }: LockedIncident, manager: EntityManager): Promise<void> {
    await manager.query('DELETE FROM incidents WHERE organization_id = $1 AND id = $2', [
      organization_id,
      id,
    ]);
  }

  /**
   * Locks the incidents whose updates name a monitor, in the order of ids, and removes it from them. Uses
   * `incident_updates_monitors_idx`: an incident affects only monitors that one of its updates names.
   */
  async removeMonitor(monitor: ProjectRef & { id: string }, manager: EntityManager): Promise<void> {
    const naming = JSON.stringify([{ monitor_id: monitor.id }]);
    const locked: { id: string }[] = await manager.query(
      `SELECT id
         FROM incidents
        WHERE organization_id = $1 AND project_id = $2 AND id IN (
                SELECT incident_id FROM incident_updates WHERE organization_id = $1 AND monitors @> $3::jsonb
              )
        ORDER BY id
          FOR NO KEY UPDATE`,
      [...ofProject(monitor), naming],
    );
    await manager.query(
      `UPDATE incidents
          SET monitors = ${withoutMonitor('$3')}, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND monitors @> $4::jsonb`,
      [monitor.organization_id, locked.map(({ id }) => id), monitor.id, naming],
    );
  }

  /** Removes a status page from the incidents that name it, and returns their ids. Locks them in the order of ids. */
  async removeStatusPage(page: StatusPageRef, manager: EntityManager): Promise<string[]> {
    const { id, organization_id, project_id } = page;
    const rows: { id: string }[] = await manager.query(
      `WITH naming AS (
         SELECT id
           FROM incidents
          WHERE organization_id = $1 AND project_id = $2 AND status_page_ids @> ARRAY[$3::uuid]
          ORDER BY id
            FOR NO KEY UPDATE
       ), changed AS (
         UPDATE incidents
            SET status_page_ids = array_remove(status_page_ids, $3::uuid), updated_at = ${NEXT_VERSION}
          WHERE organization_id = $1 AND project_id = $2 AND id IN (SELECT id FROM naming)
         RETURNING id
       )
       SELECT id FROM changed`,
      [organization_id, project_id, id],
    );
    return rows.map((row) => row.id);
  }

  /**
   * Adds a restored status page to incidents that named it, unless they do not name pages now, or as many as they can. Locks
   * them in the order of ids.
   */
  async addStatusPage(page: StatusPageRef, ids: string[], manager: EntityManager): Promise<void> {
    if (ids.length === 0) return;
    const { id, organization_id, project_id } = page;
    await manager.query(
      `WITH named AS (
         SELECT id
           FROM incidents
          WHERE organization_id = $1 AND project_id = $2 AND id = ANY($4::uuid[])
            AND cardinality(status_page_ids) < ${MAX_STATUS_PAGES}
          ORDER BY id
            FOR NO KEY UPDATE
       )
       UPDATE incidents
          SET status_page_ids = array_append(status_page_ids, $3::uuid), updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND project_id = $2 AND id IN (SELECT id FROM named)`,
      [organization_id, project_id, id, ids],
    );
  }
}

/** SQL of the column `monitors` without the monitor in a parameter. */
export function withoutMonitor(parameter: string): string {
  const path = `'$[*] ? (@.monitor_id != $id)'`;
  return `jsonb_path_query_array(monitors, ${path}, jsonb_build_object('id', ${parameter}::text))`;
}
