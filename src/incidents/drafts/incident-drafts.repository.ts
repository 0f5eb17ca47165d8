import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import {
  ownRowParameters,
  projectCondition,
  projectParameters,
  type RowAccess,
} from '../../platform/database/own-rows.js';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import { PreparedIncidentsRepository } from '../prepared-incidents.repository.js';
import type { IncidentValues } from '../prepared-values.js';
import type { IncidentDraftDto } from './dto/incident-draft.dto.js';
import { IncidentDraft } from './incident-draft.entity.js';

/** Number of drafts that one statement of a list reads. A draft can have 60,000 bytes. */
const BATCH_SIZE = 50;

/** A draft that a rule makes. */
export type ProposedDraft = Pick<IncidentDraft, 'id' | 'title' | 'body' | 'status' | 'monitors'> & {
  monitor_id: string;
};

/** A draft in the list of some projects. `total`: number of drafts of its project. */
export type OpenDraft = Pick<
  IncidentDraft,
  'id' | 'title' | 'body' | 'status' | 'monitors' | 'created_at' | 'project_id'
> & { total: number };

/** Values of a draft, and its version. */
export type DraftValues = IncidentValues & ProjectRef & Pick<IncidentDraft, 'updated_at'>;

/** Reads and writes the table `incident_drafts`. */
@Injectable()
export class IncidentDraftsRepository extends PreparedIncidentsRepository<IncidentDraft, IncidentDraftDto> {
  constructor(
    @InjectRepository(IncidentDraft) repository: Repository<IncidentDraft>,
    runner: StatementRunner,
  ) {
    super(repository, runner, {
      output: [
        'id',
        'title',
        'body',
        'status',
        'monitors',
        'monitor_id',
        'project_id',
        'created_at',
        'updated_at',
      ],
      // A new draft is an event of webhooks.
      log: { updated: 'incident_draft.updated', deleted: 'incident_draft.deleted' },
      batchSize: BATCH_SIZE,
    });
  }

  /** Returns the newest drafts of each project. */
  async findOfProjects(
    { organization_id, project_ids }: RowAccess,
    ids: string[],
    limit: number,
  ): Promise<OpenDraft[]> {
    return this.runner.readOwn<OpenDraft>(
      `SELECT id, title, body, status, monitors, created_at, project_id, total
         FROM (
                SELECT *, row_number() OVER newest AS rank, (count(*) OVER (PARTITION BY project_id))::integer AS total
                  FROM incident_drafts
                 WHERE organization_id = $1 AND ${projectCondition('project_id', '$2')} AND project_id = ANY($3::uuid[])
                WINDOW newest AS (PARTITION BY project_id ORDER BY created_at DESC, id DESC)
              ) AS own
        WHERE rank <= $4
        ORDER BY project_id, rank`,
      [organization_id, project_ids, ids, limit],
    );
  }

  async findValues(access: RowAccess, id: string, manager: EntityManager): Promise<DraftValues | undefined> {
    const [values] = await this.runner.read<DraftValues>(
      `SELECT organization_id, project_id, title, body, status, monitors, affects_monitors, updated_at
         FROM incident_drafts
        WHERE ${this.own}`,
      ownRowParameters(access, id),
      manager,
    );
    return values;
  }

  /** Deletes a published draft without an entry in the log. Returns false if its version is not the expected one. */
  async deletePublished(
    access: RowAccess,
    id: string,
    version: Date,
    manager: EntityManager,
  ): Promise<boolean> {
    if (!(await this.lockOwn(access, id, [version], manager, 'UPDATE'))) return false;
    return this.table.delete(this.own, ownRowParameters(access, id), undefined, manager);
  }

  /** Inserts drafts of different monitors, except for monitors that have one. Returns the IDs of the inserted ones. */
  async insertProposed(
    project: ProjectRef,
    drafts: ProposedDraft[],
    manager: EntityManager,
  ): Promise<string[]> {
    // In one order, because concurrent inserts of the same monitors wait for each other.
    const rows = drafts.toSorted((a, b) => (a.monitor_id < b.monitor_id ? -1 : 1));
    const inserted = await this.runner.query<{ id: string }>(
      `INSERT INTO incident_drafts
              (id, organization_id, project_id, monitor_id, title, body, status, monitors, affects_monitors)
       SELECT id, $1, $2, monitor_id, title, body, status, monitors, true
         FROM json_to_recordset($3) AS draft
              (id uuid, monitor_id uuid, title text, body text, status text, monitors jsonb)
           ON CONFLICT (organization_id, monitor_id) WHERE monitor_id IS NOT NULL DO NOTHING
       RETURNING id`,
      [...projectParameters(project), JSON.stringify(rows)],
      manager,
    );
    return inserted.map(({ id }) => id);
  }

  /**
   * Deletes the drafts that are about monitors, and returns their IDs. Leaves out a draft that another transaction changes or
   * publishes, because the history of the monitors is locked, for which that transaction may wait.
   */
  async discard(
    { organization_id }: ProjectRef,
    monitorIds: string[],
    manager: EntityManager,
  ): Promise<string[]> {
    const locked = await this.runner.query<{ id: string }>(
      `SELECT id
         FROM incident_drafts
        WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
        ORDER BY id
          FOR UPDATE SKIP LOCKED`,
      [organization_id, monitorIds],
      manager,
    );
    const ids = locked.map(({ id }) => id);
    if (ids.length > 0)
      await this.runner.query(
        'DELETE FROM incident_drafts WHERE organization_id = $1 AND id = ANY($2::uuid[])',
        [organization_id, ids],
        manager,
      );
    return ids;
  }
}
