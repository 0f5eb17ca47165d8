import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { affectedReferences } from '../incident-changes.js';
import { type IncidentValues, PreparedValues } from '../prepared-values.js';
import type { AffectedMonitor } from '../incident-status.js';
import { DraftRules } from '../../monitors/draft-rules.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import type { Actor, ActorAccess } from '../../platform/auth/actor.js';
import type { RawJson } from '../../platform/database/raw-json.js';
import type { ExpectedVersions } from '../../platform/database/versions.js';
import type { ListPage } from '../../platform/pagination/list-page.js';
import { notFound, throwNotFoundOrPreconditionFailed } from '../../platform/problems/problem.js';
import { throwIfProjectIsMissing } from '../../projects/missing-project.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import { ProjectsService } from '../../projects/projects.service.js';
import type { CreateIncidentTemplateDto } from './dto/create-incident-template.dto.js';
import type { ListIncidentTemplatesQuery } from './dto/list-incident-templates.query.js';
import type { IncidentTemplateDto } from './dto/incident-template.dto.js';
import type { UpdateIncidentTemplateDto } from './dto/update-incident-template.dto.js';
import { IncidentTemplatesRepository } from './incident-templates.repository.js';

/** Fields of a new incident template, within the limits of the DTO. */
export type NewIncidentTemplate = Omit<CreateIncidentTemplateDto, 'project_id'> & { id?: string | undefined };

/** Manages incident templates, which contain prepared values of new incidents. */
@Injectable()
export class IncidentTemplatesService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: IncidentTemplatesRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly prepared: PreparedValues,
    private readonly rules: DraftRules,
  ) {}

  onModuleInit(): void {
    this.monitors.onDelete((monitor, manager) => this.repository.removeMonitor(monitor, manager));
    this.prepared.useTemplates(async (project, id, manager) => {
      const values = await this.valuesOf(project, [id], manager);
      return values.get(id);
    });
  }

  /**
   * Lists the incident templates of a project, newest first.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(access: ActorAccess, query: ListIncidentTemplatesQuery): Promise<ListPage<IncidentTemplateDto>> {
    return this.projects.listOf(access, 'incident_templates', query, (project, range) =>
      this.repository.findNewest(project, {}, range),
    );
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string): Promise<RawJson<IncidentTemplateDto>> {
    const incidentTemplate = await this.repository.findOwn(access, id);
    if (!incidentTemplate) throw notFound('incident template');
    return incidentTemplate;
  }

  /**
   * Creates an incident template in a project.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` with `unknown_monitor`
   */
  async create(
    actor: Actor,
    { project_id, ...fields }: CreateIncidentTemplateDto,
  ): Promise<IncidentTemplateDto> {
    const project = await this.projects.require(actor, project_id);
    return this.dataSource.transaction(async (manager) => {
      await this.lockMonitors(project, fields.monitors, manager);
      return this.createIn(actor, project_id, fields, manager);
    });
  }

  /** Creates an incident template in an existing project. The transaction must have locked or created its monitors. */
  async createIn(
    actor: Actor,
    project_id: string,
    { id = uuidv7(), ...fields }: NewIncidentTemplate,
    manager: EntityManager,
  ): Promise<IncidentTemplateDto> {
    const project = this.projects.projectRef(actor, project_id);
    const row = { ...fields, ...affectsMonitors(fields), ...project, id };
    return this.repository.insertOwn(actor, row, manager).catch(throwIfProjectIsMissing);
  }

  /**
   * Updates an incident template. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor`; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateIncidentTemplateDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<IncidentTemplateDto>> {
    if (!patch.monitors) return this.patch(actor, id, patch, expected);
    return this.dataSource.transaction(async (manager) => {
      const project = await this.repository.findProject(actor, id, manager);
      if (!project) throw notFound('incident template');
      await this.lockMonitors(project, patch.monitors, manager);
      return this.patch(actor, id, patch, expected, manager);
    });
  }

  private async patch(
    actor: Actor,
    id: string,
    patch: UpdateIncidentTemplateDto,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<IncidentTemplateDto>> {
    return (
      (await this.repository.patchOwn(
        actor,
        id,
        { ...patch, ...affectsMonitors(patch) },
        expected,
        manager,
      )) ??
      throwNotFoundOrPreconditionFailed('incident template', this.repository.findOwn(actor, id, manager))
    );
  }

  private async lockMonitors(
    project: ProjectRef,
    monitors: AffectedMonitor[] = [],
    manager: EntityManager,
  ): Promise<void> {
    await this.monitors.lock(project, affectedReferences(monitors), manager);
  }

  /** @throws Problem 404 `not_found`; 409 `conflict` if a monitor makes drafts from it; 412 `precondition_failed` */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const project = await this.repository.findProject(actor, id, manager);
      if (project) await this.rules.requireUnused(project, id, manager);
      if (!(await this.repository.lockOwn(actor, id, expected, manager, 'UPDATE')))
        await throwNotFoundOrPreconditionFailed(
          'incident template',
          this.repository.findOwn(actor, id, manager),
        );
      await this.repository.deleteOwn(actor, id, undefined, manager);
    });
  }

  /** Returns the prepared values of templates of a project, by ID. */
  async valuesOf(
    project: ProjectRef,
    ids: string[],
    manager: EntityManager,
  ): Promise<ReadonlyMap<string, IncidentValues>> {
    return this.repository.findAllValues(project, ids, manager);
  }
}

function affectsMonitors({ monitors }: { monitors?: AffectedMonitor[] }): { affects_monitors?: boolean } {
  return monitors ? { affects_monitors: monitors.length > 0 } : {};
}
