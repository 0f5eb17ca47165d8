import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../../platform/auth/actor.js';
import type { Range, Rows } from '../../platform/database/keyset.js';
import type { RawJson } from '../../platform/database/raw-json.js';
import { ResourceTable } from '../../platform/database/resource-table.js';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../../platform/database/statements.js';
import type { ExpectedVersions } from '../../platform/database/versions.js';
import { withoutMonitor } from '../incident-updates.repository.js';
import { ownRowParameters, projectCondition, projectParameters } from '../../projects/own-rows.js';
import type { DeletedWithProject } from '../../projects/project-owned.entity.js';
import type { IncidentValues } from '../prepared-values.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import type { IncidentTemplateDto } from './dto/incident-template.dto.js';
import { IncidentTemplate } from './incident-template.entity.js';

/** Columns that an update can change. */
type IncidentTemplatePatch = Partial<Omit<IncidentTemplate, keyof DeletedWithProject>>;

/** A row to insert. Other columns have their defaults. */
type NewIncidentTemplate = ProjectRef & Pick<IncidentTemplate, 'id'> & IncidentTemplatePatch;

/** Number of templates that one statement of a list reads. A template can have 60,000 bytes. */
const BATCH_SIZE = 50;

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3`;

/** Reads and writes the table `incident_templates`. */
@Injectable()
export class IncidentTemplatesRepository extends Repository<IncidentTemplate> {
  private readonly table: ResourceTable<IncidentTemplate, IncidentTemplateDto>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(IncidentTemplate, dataSource.manager);
    this.table = new ResourceTable(this, runner, [
      'id',
      'name',
      'title',
      'body',
      'status',
      'monitors',
      'project_id',
      'created_at',
      'updated_at',
    ]);
  }

  /** Returns the incident templates of a project, newest first. Uses `incident_templates_list_idx`. */
  async findNewest(project: ProjectRef, range: Range): Promise<Rows<IncidentTemplateDto>> {
    return this.table.list(OF_PROJECT, projectParameters(project), range, BATCH_SIZE);
  }

  async findOwn(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<IncidentTemplateDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id), manager);
  }

  /** Returns the project of a template. */
  async findProject(
    access: ActorAccess,
    id: string,
    manager: EntityManager,
  ): Promise<ProjectRef | undefined> {
    const rows: ProjectRef[] = await manager.query(
      `SELECT organization_id, project_id FROM incident_templates WHERE ${OWN}`,
      ownRowParameters(access, id),
    );
    return rows[0];
  }

  /** Returns the prepared values of a project's template. */
  async findValues(
    project: ProjectRef,
    id: string,
    manager: EntityManager,
  ): Promise<IncidentValues | undefined> {
    const rows: IncidentValues[] = await manager.query(
      `SELECT title, body, status, monitors, affects_monitors FROM incident_templates WHERE ${OF_PROJECT} AND id = $3`,
      [...projectParameters(project), id],
    );
    return rows[0];
  }

  async insertOne(row: NewIncidentTemplate, manager: EntityManager): Promise<IncidentTemplateDto> {
    const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    const parameters: unknown[] = [row.id, ...projectParameters(row), now];
    const { columns, placeholders } = this.table.assignments(row, parameters);
    const rows: IncidentTemplateDto[] = await manager.query(
      `INSERT INTO incident_templates (id, organization_id, project_id, created_at, updated_at, ${columns})
       VALUES ($1, $2, $3, $4, $4, ${placeholders})
       RETURNING ${this.table.columns}`,
      parameters,
    );
    const [inserted] = rows;
    if (!inserted) throw new Error('an insert returned no row');
    return inserted;
  }

  /** Updates an incident template. Returns undefined if it does not exist or its version is not the expected one. */
  async patch(
    access: ActorAccess,
    id: string,
    patch: IncidentTemplatePatch,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<IncidentTemplateDto> | undefined> {
    return this.table.patch(OWN, ownRowParameters(access, id), patch, expected, manager);
  }

  /** Deletes an incident template. Returns false if it does not exist or its version is not the expected one. */
  async deleteOwn(access: ActorAccess, id: string, expected: ExpectedVersions): Promise<boolean> {
    return (await this.table.delete(OWN, ownRowParameters(access, id), expected, ['id'])) !== undefined;
  }

  /** Locks the templates that reference a monitor, in ID order, and removes the monitor from them. */
  async removeMonitor(monitor: ProjectRef & { id: string }, manager: EntityManager): Promise<void> {
    const naming = JSON.stringify([{ monitor_id: monitor.id }]);
    const rows: { id: string }[] = await manager.query(
      `SELECT id FROM incident_templates
        WHERE ${OF_PROJECT} AND monitors @> $3::jsonb
        ORDER BY id
          FOR NO KEY UPDATE`,
      [...projectParameters(monitor), naming],
    );
    await manager.query(
      `UPDATE incident_templates
          SET monitors = ${withoutMonitor('$3')}, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
      [monitor.organization_id, rows.map(({ id }) => id), monitor.id],
    );
  }
}
