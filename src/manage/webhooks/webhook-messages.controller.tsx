import { Controller, Param, Req } from '@nestjs/common';
import { withoutTurn } from '@status-pages/fair-admission';
import type { Request } from 'express';
import { Problem } from '../../platform/problems/problem.js';
import { ReplayWebhookEndpointDto } from '../../webhooks/dto/replay-webhook-endpoint.dto.js';
import { MessageLimits } from '../../webhooks/message-limits.js';
import { WebhookDeliveriesService } from '../../webhooks/webhook-deliveries.service.js';
import { WebhookTestsService } from '../../webhooks/webhook-tests.service.js';
import { check, type Errors, errorsOf } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { Publishing } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { fromLocal } from '../zoned-time.js';
import { renderDelivery } from './delivery-page.js';
import { renderReplay } from './replay-page.js';
import { WebhookReader } from './webhook-reader.js';
import { PATH } from './webhook-state.js';

const LABELS = { since: WORDS.webhooks.since };

/** Tests webhooks, shows deliveries, and sends them again, by the services of the API. */
@Controller('manage/webhooks/:id')
export class WebhookMessageScreensController {
  constructor(
    private readonly deliveries: WebhookDeliveriesService,
    private readonly tests: WebhookTestsService,
    private readonly limits: MessageLimits,
    private readonly reader: WebhookReader,
    private readonly publishing: Publishing,
  ) {}

  /** Shows the result, which is not kept. */
  @Form('test', 'webhooks:write')
  async test(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Req() request: Request,
  ): Promise<Reply> {
    try {
      const test = await this.tests.send(visit.actor, id, (work) => withoutTurn(request, work));
      return await this.reader.show(visit, id, { test });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error;
      return this.reader.show(visit, id, { errors: { form: error.detail } });
    }
  }

  /** Shows the number of events, and sends them after the button of this review. */
  @Form('replay', 'webhooks:write')
  async replay(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const endpoint = await this.reader.one(visit, id);
    const since = (sent.get('since') ?? '').trim();
    const fields = since === '' ? {} : { since: fromLocal(since, 'UTC')?.toISOString() ?? since };
    return this.publishing.run(visit, {
      labels: LABELS,
      checked: check(ReplayWebhookEndpointDto, fields, LABELS),
      write: async (wanted) => {
        await this.limits.countReplay(actor.organization_id);
        return this.deliveries.replay(actor, id, wanted.since);
      },
      form: (errors) => this.reader.show(visit, id, { since, errors }),
      review: async (number, _reach, key, wanted) =>
        renderReplay(visit, { endpoint, number, since: wanted.since, key }),
      done: (number) => `${PATH}/${id}?done=sent-${number}`,
    });
  }

  @Screen('deliveries/:delivery', 'webhooks:read')
  async show(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('delivery', OwnId) delivery: string,
  ): Promise<Reply> {
    return this.render(visit, id, delivery);
  }

  @Form('deliveries/:delivery/retry', 'webhooks:write')
  async retry(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('delivery', OwnId) delivery: string,
  ): Promise<Reply> {
    await this.reader.delivery(visit, id, delivery);
    try {
      return await this.publishing.once(visit, async () => {
        await this.deliveries.retry(visit.actor, delivery);
        return goTo(`${PATH}/${id}/deliveries/${delivery}?done=again`);
      });
    } catch (error) {
      return this.render(visit, id, delivery, errorsOf(error, {}));
    }
  }

  private async render(visit: Visit, id: string, deliveryId: string, errors?: Errors): Promise<Reply> {
    const endpoint = await this.reader.one(visit, id);
    const delivery = await this.reader.delivery(visit, id, deliveryId);
    return renderDelivery(visit, { endpoint, delivery, ...(errors && { errors }) });
  }
}
