import { Injectable } from '@nestjs/common';
import type { EndpointDelivery } from '../../deliveries/endpoint-deliveries.repository.js';
import { notFound, Problem } from '../../platform/problems/problem.js';
import type { NewWebhookEndpointDto, WebhookEndpointDto } from '../../webhooks/dto/webhook-endpoint.dto.js';
import { WebhookDeliveriesService } from '../../webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../../webhooks/webhook-endpoints.service.js';
import { type Part, partOf, rangeIn } from '../pager.js';
import { plain, ProjectContents } from '../project-contents.js';
import { Publishing } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import type { Visit } from '../visit.js';
import { toLocal } from '../zoned-time.js';
import { statusIn } from './delivery-list.js';
import { type Happened, renderWebhook } from './webhook-page.js';
import { PATH } from './webhook-state.js';
import { renderNewSecret } from './webhooks-page.js';

/** Number of deliveries that a screen lists. */
const ROWS = 10;

const DAY_MS = 86_400_000;

/** Reads webhooks and their deliveries by the services of the API, for the screens that show them. */
@Injectable()
export class WebhookReader {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly contents: ProjectContents,
    private readonly publishing: Publishing,
  ) {}

  /** @throws Problem 404 `not_found` */
  async one({ actor }: Visit, id: string): Promise<WebhookEndpointDto> {
    return plain(await this.endpoints.get(actor, id));
  }

  /** Returns a delivery to a webhook. @throws Problem 404 `not_found` */
  async delivery({ actor }: Visit, endpointId: string, id: string): Promise<EndpointDelivery> {
    const delivery = plain(await this.deliveries.get(actor, id));
    if (delivery.endpoint_id !== endpointId) throw notFound('delivery');
    return delivery;
  }

  /** Shows a webhook, and what has just happened. @throws Problem 404 `not_found` */
  async show(visit: Visit, id: string, happened: Happened = {}): Promise<Reply> {
    const endpoint = await this.one(visit, id);
    const read = {
      endpoint,
      pageName: await this.pageName(visit, endpoint),
      deliveries: await this.part(visit, id),
    };
    const since = toLocal(new Date(Date.now() - DAY_MS), 'UTC');
    return renderWebhook(visit, read, { since, ...happened });
  }

  /**
   * Creates or rotates a secret, and shows it once. A form that is sent again leads to the webhook without the secret. Chats verify no
   * signature, so their secret is not shown.
   * @param done what has happened, if no secret is shown
   */
  async secretOnce(
    visit: Visit,
    done: 'added' | 'saved',
    create: () => Promise<NewWebhookEndpointDto>,
  ): Promise<Reply> {
    let path = PATH;
    return this.publishing.once(
      visit,
      async () => {
        const created = await create();
        const isSigned = created.format === 'standard';
        path = `${PATH}/${created.id}?done=${isSigned ? 'repeated' : done}`;
        return isSigned ? renderNewSecret(visit, created) : goTo(path);
      },
      () => goTo(path),
    );
  }

  private async part(visit: Visit, endpoint_id: string): Promise<Part<EndpointDelivery>> {
    const status = statusIn(visit.query);
    const list = { endpoint_id, ...rangeIn(visit, ROWS), ...(status && { status }) };
    return partOf(await this.deliveries.list(visit.actor, list));
  }

  private async pageName(
    { actor }: Visit,
    { status_page_id }: WebhookEndpointDto,
  ): Promise<string | undefined> {
    if (status_page_id === null) return undefined;
    try {
      return (await this.contents.page(actor, status_page_id)).name;
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}
