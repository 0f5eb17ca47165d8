import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import {
  OF_PROJECT,
  ownRowParameters,
  projectCondition,
  projectParameters,
  type RowAccess,
} from '../platform/database/own-rows.js';
import { type PatchOf, TenantRepository } from '../platform/database/tenant-repository.js';
import { hasEvent, isNotifiedOf } from '../events/event-statements.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { IncidentDto } from './dto/incident.dto.js';
import { Incident } from './incident.entity.js';
import { candidatesOf, isShownOn } from './shown-statements.js';

export type IncidentPatch = PatchOf<Incident>;

/** An open incident of one of several projects. */
export type OpenIncident = Pick<
  IncidentDto,
  'id' | 'title' | 'status' | 'impact' | 'started_at' | 'updated_at' | 'project_id'
> & {
  /** Number of all open incidents of its project. */
  total: number;
  /** The first three affected monitors. */
  monitor_ids: string[];
  /** Number of all affected monitors. */
  affected: number;
};

/** Fields derived from the updates of an incident. */
export type DerivedColumns = Pick<
  Incident,
  'status' | 'impact' | 'monitors' | 'resolved_at' | 'affects_monitors'
>;

/** Columns of a locked incident that a change depends on. */
export type LockedIncident = ProjectRef &
  Pick<
    Incident,
    'id' | 'title' | 'impact' | 'set_impact' | 'affects_monitors' | 'started_at' | 'updated_at'
  > & {
    is_notified: boolean;
    has_published_postmortem: boolean;
  };

const PUBLISHED = `type = 'incident.postmortem_published'`;

/** Number of incidents that one statement of a list reads. An incident can have 200,000 bytes. */
const BATCH_SIZE = 25;

/** Conditions of a list of incidents. An incident must meet all of them. */
export interface IncidentFilter {
  /** true: open incidents; false: resolved ones. */
  open?: boolean;
  /** A page of the project that shows the incident, and its monitors. */
  page?: { id: string; monitor_ids: string[] };
  /** A monitor that the incident affects or has affected. */
  monitor_id?: string;
}

/** Reads and writes the table `incidents`. */
@Injectable()
export class IncidentsRepository extends TenantRepository<Incident, IncidentDto, LockedIncident> {
  constructor(@InjectRepository(Incident) repository: Repository<Incident>, runner: StatementRunner) {
    super(repository, runner, {
      output: [
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
      ],
      locked: [
        'id',
        'organization_id',
        'project_id',
        'title',
        'impact',
        'set_impact',
        'affects_monitors',
        'started_at',
        'updated_at',
        { as: 'is_notified', sql: isNotifiedOf('incidents') },
        {
          as: 'has_published_postmortem',
          sql: `postmortem IS NOT NULL OR ${hasEvent('incidents', PUBLISHED)}`,
        },
      ],
      batchSize: BATCH_SIZE,
    });
  }

  /**
   * Returns the incidents of a project, newest first. Uses `incidents_list_idx`, `incidents_open_idx` or
   * `incidents_resolved_idx`. With a page or a monitor, it starts from the incidents of that page or monitor: an array keeps the
   * planner from reading the other incidents of the project.
   */
  async findMatching(
    project: ProjectRef,
    { open, page, monitor_id }: IncidentFilter,
    range: Range,
  ): Promise<Rows<IncidentDto>> {
    const values = projectParameters(project);
    const parameter = (value: unknown) => `$${values.push(value)}`;
    let where = OF_PROJECT;
    if (open !== undefined) where += ` AND resolved_at IS ${open ? '' : 'NOT '}NULL`;
    if (page) {
      const shown = { page: parameter(page.id), monitors: parameter(page.monitor_ids) };
      const candidates = candidatesOf({ organization: '$1', project: '$2', ...shown });
      where += ` AND id = ANY(ARRAY(${candidates})) AND ${isShownOn(shown)}`;
    }
    if (monitor_id)
      where += ` AND id = ANY(ARRAY(
        SELECT incident_id FROM incident_impacts WHERE organization_id = $1 AND monitor_id = ${parameter(monitor_id)}
      ))`;
    return this.table.list(where, values, range, BATCH_SIZE);
  }

  /** Returns the newest open incidents of each project. Uses `incidents_open_idx`. */
  async findOpen(
    { organization_id, project_ids }: RowAccess,
    ids: string[],
    limit: number,
  ): Promise<OpenIncident[]> {
    return this.runner.readOwn<OpenIncident>(
      `SELECT id, title, status, impact, started_at, updated_at, project_id, total,
              ids[:3] AS monitor_ids, cardinality(ids) AS affected
         FROM (
                SELECT id, title, status, impact, started_at, updated_at, project_id, monitors,
                       row_number() OVER newest AS rank, (count(*) OVER (PARTITION BY project_id))::integer AS total
                  FROM incidents
                 WHERE organization_id = $1 AND ${projectCondition('project_id', '$2')} AND project_id = ANY($3::uuid[])
                   AND resolved_at IS NULL
                WINDOW newest AS (PARTITION BY project_id ORDER BY created_at DESC, id DESC)
              ) AS open,
              LATERAL (
                SELECT ARRAY(SELECT (one->>'monitor_id')::uuid FROM jsonb_array_elements(monitors) AS one
                              WHERE one->>'status' <> 'operational') AS ids
              ) AS affected
        WHERE rank <= $4
        ORDER BY project_id, rank`,
      [organization_id, project_ids, ids, limit],
    );
  }

  async insert(
    incident: Omit<Incident, 'project' | 'former_page_ids'>,
    manager: EntityManager,
  ): Promise<void> {
    await this.table.insertAll([incident], manager);
  }

  /** Updates a locked incident. `updated_at` changes only if a value changes. */
  async patch(
    { organization_id, project_id, id }: LockedIncident,
    patch: IncidentPatch,
    manager: EntityManager,
  ): Promise<RawJson<IncidentDto> | undefined> {
    const own = ownRowParameters({ organization_id, project_ids: [project_id] }, id);
    return this.table.patch(this.own, own, patch, undefined, manager);
  }

  /** Writes the start and the derived fields of a locked incident. Always increases its version. */
  async saveDerived(
    { organization_id, id }: LockedIncident,
    derived: DerivedColumns & Pick<Incident, 'started_at' | 'is_notified'>,
    manager: EntityManager,
  ): Promise<void> {
    const { status, impact, monitors, resolved_at, affects_monitors, started_at, is_notified } = derived;
    await this.runner.query(
      `UPDATE incidents
          SET status = $3, impact = $4, monitors = $5, resolved_at = $6, affects_monitors = $7, started_at = $8,
              is_notified = $9, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = $2`,
      [
        organization_id,
        id,
        status,
        impact,
        JSON.stringify(monitors),
        resolved_at,
        affects_monitors,
        started_at,
        is_notified,
      ],
      manager,
    );
  }

  /** Deletes a locked incident, with its updates and impacts. */
  async deleteLocked(
    { organization_id, id }: LockedIncident,
    manager: EntityManager,
  ): Promise<Pick<Incident, 'status_page_ids'>> {
    const [deleted] = await this.runner.query<Pick<Incident, 'status_page_ids'>>(
      'DELETE FROM incidents WHERE organization_id = $1 AND id = $2 RETURNING status_page_ids',
      [organization_id, id],
      manager,
    );
    return deleted ?? { status_page_ids: null };
  }
}
