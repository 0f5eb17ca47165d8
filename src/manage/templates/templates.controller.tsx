import { Controller, Param } from '@nestjs/common';
import { CreateIncidentTemplateDto } from '../../incidents/templates/dto/create-incident-template.dto.js';
import type { IncidentTemplateDto } from '../../incidents/templates/dto/incident-template.dto.js';
import { UpdateIncidentTemplateDto } from '../../incidents/templates/dto/update-incident-template.dto.js';
import { IncidentTemplatesService } from '../../incidents/templates/incident-templates.service.js';
import { TemplateInUse } from '../../monitors/draft-rules.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { Problem } from '../../platform/problems/problem.js';
import { Deletions } from '../deletions.js';
import { check } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { partOf, rangeIn } from '../pager.js';
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
  type TemplatePage,
  type TemplateValues,
  toTemplate,
  valuesOf,
} from './template-form.js';
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
    private readonly monitors: MonitorsService,
  ) {}

  @Screen('', 'incidents:read')
  async list(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, PATH, async (project_id) => {
      const found = await this.templates.list(visit.actor, { project_id, ...rangeIn(visit, ROWS) });
      const project = await this.contents.project(visit.actor, project_id);
      return renderTemplates(visit, { project, ...partOf(found) });
    });
  }

  @Screen('new', 'incidents:write')
  async showNew(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, `${PATH}/new`, (id) => this.form(visit, id, NEW_TEMPLATE));
  }

  @Form('', 'incidents:write')
  async create(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, sent } = visit;
    const { id: project_id } = await this.contents.project(actor, sent.get('project_id') ?? '');
    const values = templateIn(sent);
    const form = (prevented?: Prevented) => this.form(visit, project_id, values, { prevented });
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
    return this.form(visit, template.project_id, valuesOf(template), { template });
  }

  @Form(':id', 'incidents:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const template = await this.read(visit, id);
    const values = templateIn(sent);
    if (sent.get('step') === 'find') return this.form(visit, template.project_id, values, { template });
    return this.saving.run(visit, {
      id,
      labels: TEMPLATE_LABELS,
      checked: check(UpdateIncidentTemplateDto, toTemplate(values, template), TEMPLATE_LABELS),
      write: async (patch) => {
        await this.templates.update(actor, id, patch, versionIn(sent));
        return `${PATH}?project=${template.project_id}&done=saved`;
      },
      form: async (prevented) =>
        this.form(visit, template.project_id, values, { template: await this.read(visit, id), prevented }),
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
      await this.templates
        .delete(visit.actor, id, versionIn(visit.sent))
        .catch((error: unknown) => this.throwNamed(visit, error));
      return `${PATH}?project=${project_id}&done=deleted`;
    });
  }

  /** @throws Problem 409 `conflict` with the name of a monitor that uses the template, instead of its ID; the error otherwise */
  private async throwNamed({ actor }: Visit, error: unknown): Promise<never> {
    if (!(error instanceof TemplateInUse)) throw error;
    const { name } = plain(await this.monitors.get(actor, error.monitor_id));
    throw new Problem('conflict', { detail: words.in_use(name) });
  }

  private async read({ actor }: Visit, id: string): Promise<IncidentTemplateDto> {
    return plain(await this.templates.get(actor, id));
  }

  private async form(
    visit: Visit,
    project_id: string,
    values: TemplateValues,
    more: Pick<TemplatePage, 'template' | 'prevented'> = {},
  ): Promise<Reply> {
    const monitors = await this.contents.monitors(visit.actor, project_id);
    return renderTemplateForm(visit, { project_id, monitors, values, ...more });
  }
}
