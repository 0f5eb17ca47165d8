import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { OF_PROJECT, projectParameters } from '../../platform/database/own-rows.js';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import { PreparedIncidentsRepository } from '../prepared-incidents.repository.js';
import type { IncidentValues } from '../prepared-values.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import type { IncidentTemplateDto } from './dto/incident-template.dto.js';
import { IncidentTemplate } from './incident-template.entity.js';

/** Number of templates that one statement of a list reads. A template can have 60,000 bytes. */
const BATCH_SIZE = 50;

/** Reads and writes the table `incident_templates`. */
@Injectable()
export class IncidentTemplatesRepository extends PreparedIncidentsRepository<
  IncidentTemplate,
  IncidentTemplateDto
> {
  constructor(
    @InjectRepository(IncidentTemplate) repository: Repository<IncidentTemplate>,
    runner: StatementRunner,
  ) {
    super(repository, runner, {
      output: ['id', 'name', 'title', 'body', 'status', 'monitors', 'project_id', 'created_at', 'updated_at'],
      log: {
        created: 'incident_template.created',
        updated: 'incident_template.updated',
        deleted: 'incident_template.deleted',
      },
      batchSize: BATCH_SIZE,
    });
  }

  /** Returns the prepared values of templates of a project, by ID. */
  async findAllValues(
    project: ProjectRef,
    ids: string[],
    manager: EntityManager,
  ): Promise<ReadonlyMap<string, IncidentValues>> {
    const rows = await this.runner.read<IncidentValues & { id: string }>(
      `SELECT id, title, body, status, monitors, affects_monitors
         FROM incident_templates
        WHERE ${OF_PROJECT} AND id = ANY($3::uuid[])`,
      [...projectParameters(project), ids],
      manager,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
