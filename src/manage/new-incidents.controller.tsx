import { Controller } from '@nestjs/common';
import { IncidentDraftsService } from '../incidents/drafts/incident-drafts.service.js';
import type { CreateIncidentDto } from '../incidents/dto/create-incident.dto.js';
import type { IncidentDto } from '../incidents/dto/incident.dto.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import type { IncidentTemplateDto } from '../incidents/templates/dto/incident-template.dto.js';
import { IncidentTemplatesService } from '../incidents/templates/incident-templates.service.js';
import { TEXT_OF_STATUS } from '../incidents/update-texts.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import { REPORTED_STATUSES } from '../monitors/monitor-status.js';
import { Problem } from '../platform/problems/problem.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import type { Errors } from './errors-of-fields.js';
import {
  INCIDENT_LABELS,
  incidentIn,
  type IncidentValues,
  newIncident,
  renderIncidentForm,
  toIncident,
} from './incident-form.js';
import { IncidentPicture, mailText, toIncidentData } from './incident-picture.js';
import { plain, ProjectContents } from './project-contents.js';
import { ProjectChoice } from './project-choice.js';
import { Publishing } from './publishing.js';
import type { Reply } from './reply.js';
import { renderReview } from './review-page.js';
import { Form, Screen } from './routes.js';
import { type Visit, Visiting } from './visit.js';
import { WORDS } from './words.js';
import { VisitorsViews } from './visitors-view.js';

const MAX_TEMPLATES = 100;

/** Reports incidents. */
@Controller('manage/incidents')
export class NewIncidentsController {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly drafts: IncidentDraftsService,
    private readonly templates: IncidentTemplatesService,
    private readonly contents: ProjectContents,
    private readonly choice: ProjectChoice,
    private readonly publishing: Publishing,
    private readonly views: VisitorsViews,
  ) {}

  @Screen('new', 'incidents:write')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    const { query } = visit;
    return this.choice.of(visit, '/manage/incidents/new', async (projectId) => {
      const templates = await this.templatesOf(visit, projectId);
      const template = templates.find(({ id }) => id === query.get('template'));
      const monitor = query.get('monitor');
      const monitors = monitor === null ? [] : await this.contents.monitors(visit.actor, projectId);
      const chosen = monitors.filter(({ id }) => id === monitor);
      const grades = new Map(chosen.map(({ id, status }) => [id, gradeOf(status)]));
      return this.form(visit, projectId, newIncident(grades, template));
    });
  }

  @Form('', 'incidents:write')
  async send(@Visiting() visit: Visit): Promise<Reply> {
    const values = incidentIn(visit.sent);
    const project = await this.contents.project(visit.actor, visit.sent.get('project_id') ?? '');
    const form = (errors?: Errors) => this.form(visit, project.id, values, errors);
    return this.publishing.run(visit, {
      labels: INCIDENT_LABELS,
      checked: toIncident(project.id, values),
      form,
      write: (value) => this.write(visit, values.draft_id, value),
      done: ({ id }) => `/manage/incidents/${id}`,
      review: async (incident, reach, key, value) => {
        const monitors = await this.contents.monitors(visit.actor, project.id);
        const view = await this.views.of(
          visit.actor,
          await this.contents.pages(visit.actor, project.id),
          reach.pages,
        );
        const { id, status, started_at: posted_at, created_at, updated_at } = incident;
        const body = value.body ?? TEXT_OF_STATUS[status];
        const update = {
          id,
          status,
          body,
          monitors: value.monitors ?? null,
          posted_at,
          incident_id: id,
          created_at,
          updated_at,
        };
        const data = toIncidentData(incident, [update], monitors);
        return renderReview(visit, {
          action: '/manage/incidents',
          reach,
          key,
          view,
          picture: <IncidentPicture incident={data} view={view} />,
          mail: mailText(view, 'incident.created', data),
        });
      },
    });
  }

  /** Creates an incident, or publishes a draft with the values of the form. */
  private async write({ actor }: Visit, draftId: string, value: CreateIncidentDto): Promise<IncidentDto> {
    if (draftId === '') return this.incidents.create(actor, value);
    const { project_id: _project, template_id: _template, ...fields } = value;
    const { body = TEXT_OF_STATUS[fields.status ?? 'investigating'] } = fields;
    return this.drafts.publish(actor, draftId, { ...fields, body }, undefined).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      throw new Problem('conflict', { detail: WORDS.drafts.gone });
    });
  }

  /** Returns the ID of a draft that still exists, or an empty text. */
  private async existing({ actor }: Visit, draftId: string): Promise<string> {
    if (!UUID_PATTERN.test(draftId)) return '';
    return this.drafts.get(actor, draftId).then(
      () => draftId,
      (error: unknown) => {
        if (!isMissing(error)) throw error;
        return '';
      },
    );
  }

  private async form(
    visit: Visit,
    projectId: string,
    values: IncidentValues,
    errors?: Errors,
  ): Promise<Reply> {
    const { actor } = visit;
    return renderIncidentForm(visit, {
      project: await this.contents.project(actor, projectId),
      monitors: await this.contents.monitors(actor, projectId),
      pages: await this.contents.pages(actor, projectId),
      templates: await this.templatesOf(visit, projectId),
      values: { ...values, draft_id: await this.existing(visit, values.draft_id) },
      errors,
    });
  }

  private async templatesOf({ actor }: Visit, project_id: string): Promise<IncidentTemplateDto[]> {
    return plain((await this.templates.list(actor, { project_id, limit: MAX_TEMPLATES })).data);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Problem && error.code === 'not_found';
}

/** Returns the status that an incident sets for a monitor, from its current one. */
function gradeOf(status: string): ReportedStatus {
  const grade = REPORTED_STATUSES.find((one) => one === status);
  return grade === undefined || grade === 'operational' ? 'major_outage' : grade;
}
