import { Controller, Param } from '@nestjs/common';
import { CreateWebhookEndpointDto } from '../../webhooks/dto/create-webhook-endpoint.dto.js';
import { UpdateWebhookEndpointDto } from '../../webhooks/dto/update-webhook-endpoint.dto.js';
import { WebhookEndpointsService } from '../../webhooks/webhook-endpoints.service.js';
import { Deletions } from '../deletions.js';
import { check, errorsOf } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { partOf, rangeIn } from '../pager.js';
import { ProjectChoice } from '../project-choice.js';
import { ProjectContents } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { Saving } from '../saving.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import {
  checkWebhook,
  NEW_WEBHOOK,
  renderWebhookForm,
  replacedBy,
  valuesOf,
  WEBHOOK_LABELS,
  webhookIn,
  type WebhookPage,
  type WebhookValues,
} from './webhook-form.js';
import { WebhookReader } from './webhook-reader.js';
import { PATH, urlOf } from './webhook-state.js';
import { renderWebhooks } from './webhooks-page.js';

const { webhooks: words } = WORDS;

/** Number of webhooks that a screen lists. */
const ROWS = 25;

/** Lists, adds, changes and deletes webhooks, by the service of the API. */
@Controller('manage/webhooks')
export class WebhookScreensController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly reader: WebhookReader,
    private readonly contents: ProjectContents,
    private readonly choice: ProjectChoice,
    private readonly saving: Saving,
    private readonly deletions: Deletions,
  ) {}

  @Screen('', 'webhooks:read')
  async list(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, PATH, async (project_id) => {
      const found = await this.endpoints.list(visit.actor, { project_id, ...rangeIn(visit, ROWS) });
      const project = await this.contents.project(visit.actor, project_id);
      return renderWebhooks(visit, { project, ...partOf(found) });
    });
  }

  @Screen('new', 'webhooks:write')
  async showNew(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, `${PATH}/new`, (id) => this.form(visit, id, NEW_WEBHOOK));
  }

  @Form('', 'webhooks:write')
  async create(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, sent } = visit;
    const { id: project_id } = await this.contents.project(actor, sent.get('project_id') ?? '');
    const values = webhookIn(sent);
    const { value, errors } = checkWebhook(CreateWebhookEndpointDto, values, { project_id });
    if (!value) return this.form(visit, project_id, values, { prevented: { errors } });
    try {
      return await this.reader.secretOnce(visit, 'added', () => this.endpoints.create(actor, value));
    } catch (error) {
      const prevented = { errors: errorsOf(error, WEBHOOK_LABELS) };
      return this.form(visit, project_id, values, { prevented });
    }
  }

  @Screen(':id', 'webhooks:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.reader.show(visit, id);
  }

  @Screen(':id/edit', 'webhooks:write')
  async edit(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const endpoint = await this.reader.one(visit, id);
    return this.form(visit, endpoint.project_id, valuesOf(endpoint), { endpoint });
  }

  @Form(':id/edit', 'webhooks:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const endpoint = await this.reader.one(visit, id);
    const values = webhookIn(sent);
    return this.saving.run(visit, {
      id,
      labels: WEBHOOK_LABELS,
      checked: checkWebhook(UpdateWebhookEndpointDto, values),
      write: async (patch) => {
        await this.endpoints.update(actor, id, patch, replacedBy(sent, endpoint));
        return `${PATH}/${id}?done=saved`;
      },
      form: async (prevented) => {
        const changed = await this.reader.one(visit, id);
        return this.form(visit, endpoint.project_id, values, { endpoint: changed, prevented });
      },
    });
  }

  /** Enables or disables a webhook. Needs no version, because the button names the state. */
  @Form(':id/status', 'webhooks:write')
  async setStatus(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    await this.reader.one(visit, id);
    const { value, errors } = check(UpdateWebhookEndpointDto, { status: visit.sent.get('status') }, {});
    if (!value) return this.reader.show(visit, id, { errors });
    await this.endpoints.update(visit.actor, id, value, undefined);
    return goTo(`${PATH}/${id}?done=${value.status}`);
  }

  @Form(':id/secret', 'webhooks:write')
  async rotate(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    await this.reader.one(visit, id);
    return this.reader.secretOnce(visit, 'saved', () =>
      this.endpoints.rotateSecret(visit.actor, id, undefined),
    );
  }

  @Screen(':id/delete', 'webhooks:write')
  async askToDelete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.delete(visit, id);
  }

  @Form(':id/delete', 'webhooks:write')
  async delete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const endpoint = await this.reader.one(visit, id);
    const path = `${PATH}/${id}`;
    const question = async () => ({
      action: `${path}/delete`,
      back: { path, text: urlOf(endpoint) },
      title: words.delete_title,
      text: words.delete_text(urlOf(endpoint)),
      version: (await this.reader.one(visit, id)).updated_at,
    });
    return this.deletions.run(visit, id, question, async () => {
      await this.endpoints.delete(visit.actor, id, versionIn(visit.sent));
      return `${PATH}?project=${endpoint.project_id}&done=deleted`;
    });
  }

  private async form(
    visit: Visit,
    project_id: string,
    values: WebhookValues,
    more: Pick<WebhookPage, 'endpoint' | 'prevented'> = {},
  ): Promise<Reply> {
    const pages = await this.contents.pages(visit.actor, project_id);
    return renderWebhookForm(visit, { project_id, pages, values, ...more });
  }
}
