import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { EventsService } from '../../events/events.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import type { Actor, ActorAccess } from '../../platform/auth/actor.js';
import type { RawJson } from '../../platform/database/raw-json.js';
import { isSqlState, UNIQUE_VIOLATION } from '../../platform/database/statements.js';
import type { ExpectedVersions } from '../../platform/database/versions.js';
import { WriteLog } from '../../platform/database/write-log.repository.js';
import type { ListPage } from '../../platform/pagination/list-page.js';
import { notFound, Problem, throwNotFoundOrPreconditionFailed } from '../../platform/problems/problem.js';
import { taken } from '../../platform/problems/taken.js';
import { throwIfProjectIsMissing } from '../../projects/missing-project.js';
import { ProjectsService } from '../../projects/projects.service.js';
import type { IncidentDto } from '../dto/incident.dto.js';
import { affectedReferences, requireVersion } from '../incident-changes.js';
import { IncidentsService } from '../incidents.service.js';
import { PreparedValues } from '../prepared-values.js';
import type { CreateIncidentDraftDto } from './dto/create-incident-draft.dto.js';
import type { IncidentDraftDto } from './dto/incident-draft.dto.js';
import type { ListIncidentDraftsQuery } from './dto/list-incident-drafts.query.js';
import type { PublishIncidentDraftDto } from './dto/publish-incident-draft.dto.js';
import type { UpdateIncidentDraftDto } from './dto/update-incident-draft.dto.js';
import type { IncidentDraft } from './incident-draft.entity.js';
import { IncidentDraftsRepository, type OpenDraft } from './incident-drafts.repository.js';

/** A new draft, within the limits of the DTO. */
export type NewIncidentDraft = Pick<IncidentDraft, 'title'> &
  Partial<Pick<IncidentDraft, 'id' | 'body' | 'status' | 'monitors' | 'monitor_id' | 'affects_monitors'>>;

/** Manages incident drafts, which status pages do not show before they are published. */
@Injectable()
export class IncidentDraftsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: IncidentDraftsRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly prepared: PreparedValues,
    private readonly incidents: IncidentsService,
    private readonly events: EventsService,
    private readonly log: WriteLog,
  ) {}

  onModuleInit(): void {
    this.monitors.onDelete((monitor, manager) => this.repository.removeMonitor(monitor, manager));
  }

  /**
   * Lists the incident drafts of a project, newest first.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(access: ActorAccess, query: ListIncidentDraftsQuery): Promise<ListPage<IncidentDraftDto>> {
    return this.projects.listOf(access, 'incident_drafts', query, (project, range) =>
      this.repository.findNewest(project, {}, range),
    );
  }

  /**
   * Returns the newest drafts of each project. Leaves out projects that the actor cannot access.
   * @param limit per project
   */
  async ofProjects(access: ActorAccess, projectIds: string[], limit: number): Promise<OpenDraft[]> {
    return this.repository.findOfProjects(access, projectIds, limit);
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string, manager?: EntityManager): Promise<RawJson<IncidentDraftDto>> {
    const draft = await this.repository.findOwn(access, id, manager);
    if (!draft) throw notFound('incident draft');
    return draft;
  }

  /**
   * Creates an incident draft in a project. A template provides omitted fields.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` with `unknown_monitor` or
   * `unknown_incident_template`; 409 `conflict` if the monitor has a draft
   */
  async create(
    actor: Actor,
    { project_id, template_id, monitor_id = null, ...fields }: CreateIncidentDraftDto,
  ): Promise<IncidentDraftDto> {
    const project = await this.projects.require(actor, project_id);
    return this.dataSource.transaction(async (manager) => {
      const template = await this.prepared.find(project, template_id, manager);
      const about = monitor_id === null ? [] : [{ id: monitor_id, path: ['monitor_id'] }];
      await this.monitors.lock(project, [...about, ...affectedReferences(fields.monitors ?? [])], manager);
      const { title, body, status, affects_monitors } = template;
      const monitors =
        fields.monitors ?? (await this.prepared.lockMonitors(project, template, true, manager));
      const values = { title, body, status, affects_monitors, ...fields, monitors, monitor_id };
      const draft = await this.createIn(actor, project_id, values, manager);
      const { id: resource_id } = draft;
      await this.events.record([{ type: 'incident_draft.created', ...project, resource_id, actor }], manager);
      return draft;
    });
  }

  /**
   * Creates an incident draft in an existing project. The transaction must have locked or created its monitors. No event is
   * recorded.
   */
  async createIn(
    actor: Actor,
    project_id: string,
    { id = uuidv7(), ...fields }: NewIncidentDraft,
    manager: EntityManager,
  ): Promise<IncidentDraftDto> {
    const project = this.projects.projectRef(actor, project_id);
    const row = { ...fields, ...affectsMonitors(fields), ...project, id };
    return this.repository.insertOwn(actor, row, manager).catch((error: unknown) => {
      throwIfMonitorIsTaken(error);
      return throwIfProjectIsMissing(error);
    });
  }

  /**
   * Updates an incident draft. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor`; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateIncidentDraftDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<IncidentDraftDto>> {
    if (!patch.monitors) return this.patch(actor, id, patch, expected);
    const references = affectedReferences(patch.monitors);
    return this.dataSource.transaction(async (manager) => {
      const project = await this.repository.findProject(actor, id, manager);
      if (!project) throw notFound('incident draft');
      await this.monitors.lock(project, references, manager);
      return this.patch(actor, id, { ...patch, affects_monitors: references.length > 0 }, expected, manager);
    });
  }

  private async patch(
    actor: Actor,
    id: string,
    patch: Partial<IncidentDraft>,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<IncidentDraftDto>> {
    return (
      (await this.repository.patchOwn(actor, id, patch, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('incident draft', this.repository.findOwn(actor, id, manager))
    );
  }

  /**
   * Creates an incident from a draft, and deletes the draft, in one transaction. The draft provides omitted fields.
   * @throws Problem 404 `not_found`, also if a concurrent request publishes it; 400 `validation_failed` like
   * {@link IncidentsService.create}; 409 `conflict` if it changes in the meantime; 412 `precondition_failed`
   */
  async publish(
    actor: Actor,
    id: string,
    fields: PublishIncidentDraftDto,
    expected: ExpectedVersions,
  ): Promise<IncidentDto> {
    return this.dataSource.transaction(async (manager) => {
      const draft = await this.repository.findValues(actor, id, manager);
      if (!draft) throw notFound('incident draft');
      requireVersion(draft, expected);
      const incident = await this.incidents.createWith(
        actor,
        draft,
        fields,
        { ...draft, is_draft: true },
        manager,
      );
      // Last, because the rows of drafts are locked after monitors and pages.
      if (!(await this.repository.deletePublished(actor, id, draft.updated_at, manager))) {
        if (!(await this.repository.findOwn(actor, id, manager))) throw notFound('incident draft');
        throw new Problem('conflict', { detail: 'The draft was changed while it was published. Try again.' });
      }
      const { project_id } = draft;
      const data = { incident_id: incident.id };
      await this.log.record(
        { actor, type: 'incident_draft.published', project_id, resource_id: id, data },
        manager,
      );
      return incident;
    });
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    if (!(await this.repository.deleteOwn(actor, id, expected)))
      await throwNotFoundOrPreconditionFailed('incident draft', this.repository.findOwn(actor, id));
  }
}

function affectsMonitors({ monitors = [], affects_monitors = false }: NewIncidentDraft) {
  return { affects_monitors: affects_monitors || monitors.length > 0 };
}

/** @throws Problem 409 `conflict` for a violation of `incident_drafts_monitor_idx` */
function throwIfMonitorIsTaken(error: unknown): void {
  if (isSqlState(error, UNIQUE_VIOLATION, /^incident_drafts_monitor_idx$/))
    throw taken(['monitor_id'], 'The monitor already has an incident draft');
}
