import { Controller, Param } from '@nestjs/common';
import { CreateIncidentTemplateDto } from '../../incidents/templates/dto/create-incident-template.dto.js';
import type { IncidentTemplateDto } from '../../incidents/templates/dto/incident-template.dto.js';
import { ListIncidentTemplatesQuery } from '../../incidents/templates/dto/list-incident-templates.query.js';
import { UpdateIncidentTemplateDto } from '../../incidents/templates/dto/update-incident-template.dto.js';
import { IncidentTemplatesService } from '../../incidents/templates/incident-templates.service.js';
import { Cursor } from '../../platform/pagination/cursor.js';
import { Deletions } from '../deletions.js';
import { check } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { ProjectChoice } from '../project-choice.js';
import { plain, ProjectContents } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Prevented, Saving } from '../saving.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import {
  NEW_TEMPLATE,
  renderTemplateForm,
  TEMPLATE_LABELS,
  templateIn,
  type TemplateValues,
  toTemplate,
  valuesOf,
} from './template-form.js';
import { TemplateUsers } from './template-users.js';
import { renderTemplates } from './templates-page.js';

const { templates: words } = WORDS;

const PATH = '/manage/templates';

/** Number of templates that a screen lists. */
const ROWS = 50;

/** Lists, adds, changes and deletes incident templates, by the service of the API. */
@Controller('manage/templates')
export class TemplateScreensController {
  constructor(
    private readonly templates: IncidentTemplatesService,
    private readonly contents: ProjectContents,
    private readonly choice: ProjectChoice,
    private readonly saving: Saving,
    private readonly deletions: Deletions,
    private readonly users: TemplateUsers,
  ) {}

  @Screen('', 'incidents:read')
  async list(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, PATH, async (project_id) => {
      const after = visit.query.get('after');
      const cursor = after === null ? undefined : Cursor.parse(after);
      const query = Object.assign(new ListIncidentTemplatesQuery(), { project_id, limit: ROWS, cursor });
      const { data, pagination } = await this.templates.list(visit.actor, query);
      const project = await this.contents.project(visit.actor, project_id);
      return renderTemplates(visit, { project, templates: plain(data), next: pagination.next_cursor });
    });
  }

  @Screen('new', 'incidents:write')
  async showNew(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, `${PATH}/new`, (id) => this.newForm(visit, id, NEW_TEMPLATE));
  }

  @Form('', 'incidents:write')
  async create(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, sent } = visit;
    const { id: project_id } = await this.contents.project(actor, sent.get('project_id') ?? '');
    const values = templateIn(sent);
    const form = (prevented?: Prevented) => this.newForm(visit, project_id, values, prevented);
    if (sent.get('step') === 'find') return form();
    const fields = { project_id, ...toTemplate(values) };
    return this.saving.run(visit, {
      labels: TEMPLATE_LABELS,
      checked: check(CreateIncidentTemplateDto, fields, TEMPLATE_LABELS),
      write: async (template) => {
        await this.templates.create(actor, template);
        return `${PATH}?project=${project_id}&done=saved`;
      },
      form,
    });
  }

  @Screen(':id', 'incidents:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const template = await this.read(visit, id);
    return this.form(visit, template, valuesOf(template));
  }

  @Form(':id', 'incidents:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const template = await this.read(visit, id);
    const values = templateIn(sent);
    if (sent.get('step') === 'find') return this.form(visit, template, values);
    return this.saving.run(visit, {
      id,
      labels: TEMPLATE_LABELS,
      checked: check(UpdateIncidentTemplateDto, toTemplate(values, template), TEMPLATE_LABELS),
      write: async (patch) => {
        await this.templates.update(actor, id, patch, versionIn(sent));
        return `${PATH}?project=${template.project_id}&done=saved`;
      },
      form: async (prevented) => this.form(visit, await this.read(visit, id), values, prevented),
    });
  }

  @Screen(':id/delete', 'incidents:write')
  async askToDelete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.delete(visit, id);
  }

  @Form(':id/delete', 'incidents:write')
  async delete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { name, project_id } = await this.read(visit, id);
    const path = `${PATH}/${id}`;
    const question = async () => ({
      action: `${path}/delete`,
      back: { path, text: name },
      title: words.delete_title(name),
      text: words.delete_text,
      version: (await this.read(visit, id)).updated_at,
    });
    return this.deletions.run(visit, id, question, async () => {
      await this.users.named(visit.actor, () =>
        this.templates.delete(visit.actor, id, versionIn(visit.sent)),
      );
      return `${PATH}?project=${project_id}&done=deleted`;
    });
  }

  private async read({ actor }: Visit, id: string): Promise<IncidentTemplateDto> {
    return plain(await this.templates.get(actor, id));
  }

  private async newForm(
    visit: Visit,
    projectId: string,
    values: TemplateValues,
    prevented?: Prevented,
  ): Promise<Reply> {
    const project = await this.contents.project(visit.actor, projectId);
    const monitors = await this.contents.monitors(visit.actor, project.id);
    return renderTemplateForm(visit, {
      project_id: project.id,
      monitors,
      values,
      ...(prevented && { prevented }),
    });
  }

  private async form(
    visit: Visit,
    template: IncidentTemplateDto,
    values: TemplateValues,
    prevented?: Prevented,
  ): Promise<Reply> {
    const { project_id } = template;
    const monitors = await this.contents.monitors(visit.actor, project_id);
    return renderTemplateForm(visit, {
      project_id,
      template,
      monitors,
      values,
      ...(prevented && { prevented }),
    });
  }
}
