import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AudiencesService } from '../deliveries/audiences.service.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import {
  type EndpointDelivery,
  EndpointDeliveriesRepository,
} from '../deliveries/endpoint-deliveries.repository.js';
import { EventsService, type NotifiedEvent } from '../events/events.service.js';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { type ListPage, readListPage } from '../platform/pagination/list-page.js';
import { notFound, Problem } from '../platform/problems/problem.js';
import { MAX_REPLAYED } from './dto/replay-webhook-endpoint.dto.js';
import type { ListWebhookDeliveriesQuery } from './dto/webhook-delivery.dto.js';
import { type EndpointHead, WebhookEndpointsRepository } from './webhook-endpoints.repository.js';

/** Number of resources whose pages are read concurrently. */
const CONCURRENT_READS = 20;

/** Lists the deliveries of webhook endpoints, and sends events again. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly repository: EndpointDeliveriesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly audiences: AudiencesService,
    private readonly events: EventsService,
    private readonly log: WriteLog,
  ) {}

  /**
   * Lists the deliveries to an endpoint, newest first.
   * @throws Problem 404 `not_found` if the actor cannot access the endpoint; 400 `invalid_cursor`
   */
  async list(
    access: ActorAccess,
    { endpoint_id, status, ...query }: ListWebhookDeliveriesQuery,
  ): Promise<ListPage<EndpointDelivery>> {
    const name = ['deliveries', status].filter((part) => part !== undefined).join('_');
    return readListPage({ name, owner_id: endpoint_id }, query, async (range) => {
      const endpoint = await this.endpoints.findHead(access, endpoint_id);
      if (!endpoint) throw notFound('webhook endpoint');
      return this.repository.findNewest(endpoint, status, range);
    });
  }

  /**
   * Returns a delivery to an endpoint that still exists.
   * @throws Problem 404 `not_found`
   */
  async get(access: ActorAccess, id: string): Promise<RawJson<EndpointDelivery>> {
    const endpointId = await this.repository.findEndpoint(access, id);
    const endpoint = endpointId === undefined ? undefined : await this.endpoints.findHead(access, endpointId);
    const delivery = endpoint && (await this.repository.findOne(access, id));
    if (!delivery) throw notFound('delivery');
    return delivery;
  }

  /**
   * Sends a delivery again, with as many attempts as a new one.
   * @throws Problem 404 `not_found`; 409 `conflict` if it is in flight or due within a minute, or if the endpoint is disabled
   */
  async retry(actor: Actor, id: string): Promise<RawJson<EndpointDelivery>> {
    const endpointId = await this.repository.findEndpoint(actor, id);
    const endpoint = endpointId === undefined ? undefined : await this.endpoints.findHead(actor, endpointId);
    if (!endpoint) throw notFound('delivery');
    requireEnabled(endpoint);
    const { project_id } = endpoint;
    return this.dataSource.transaction(async (manager) => {
      const delivery = await this.repository.retry(actor, id, manager);
      if (!delivery)
        throw new Problem('conflict', {
          detail: 'The delivery is in flight, or its next attempt is due within a minute',
        });
      await this.log.record({ actor, type: 'delivery.retried', project_id, resource_id: id }, manager);
      return delivery;
    });
  }

  /**
   * Sends all events again that an endpoint gets and that have happened since a time, whether they were delivered or not.
   * @returns their number
   * @throws Problem 404 `not_found`; 409 `conflict` for more than {@link MAX_REPLAYED} events, or if the endpoint is disabled
   */
  async replay(actor: Actor, id: string, since: Date): Promise<number> {
    const endpoint = await this.endpoints.findHead(actor, id);
    if (!endpoint) throw notFound('webhook endpoint');
    requireEnabled(endpoint);
    if (
      (await this.events.countSince(endpoint, endpoint.event_types, since, MAX_REPLAYED + 1)) > MAX_REPLAYED
    )
      throw new Problem('conflict', {
        detail: `More than ${MAX_REPLAYED.toLocaleString('en')} events since this time. Choose a later time.`,
      });
    const events = await this.events.findSince(endpoint, endpoint.event_types, since, MAX_REPLAYED);
    const ids = (await this.shownOnPage(endpoint, events)).map((event) => event.id);
    const { organization_id, project_id } = endpoint;
    const shared = { organization_id, project_id, channel: 'webhook', kind: 'event', recipient_id: id };
    await this.dataSource.transaction(async (manager) => {
      await this.deliveries.insert(
        ids.map((event_id) => ({ ...shared, event_id })),
        manager,
      );
      await this.repository.sendAgain(endpoint, ids, manager);
      const data = { since, events: ids.length };
      await this.log.record(
        { actor, type: 'webhook_endpoint.replayed', project_id, resource_id: id, data },
        manager,
      );
    });
    return ids.length;
  }

  /** Returns the events about what the endpoint's page shows. Reads the pages of each resource once. */
  private async shownOnPage(
    { status_page_id }: EndpointHead,
    events: NotifiedEvent[],
  ): Promise<NotifiedEvent[]> {
    if (status_page_id === null) return events;
    const keyOf = ({ type, resource_id }: NotifiedEvent) => `${type} ${resource_id}`;
    const distinct = [...new Map(events.map((event) => [keyOf(event), event])).values()];
    const shown = new Set<string>();
    while (distinct.length > 0)
      await Promise.all(
        distinct.splice(0, CONCURRENT_READS).map(async (event) => {
          const page = { ids: [status_page_id] };
          const pages = await this.audiences.pagesOf(event, page, this.dataSource.manager);
          if (pages.length > 0) shown.add(keyOf(event));
        }),
      );
    return events.filter((event) => shown.has(keyOf(event)));
  }
}

/** @throws Problem 409 `conflict` */
function requireEnabled({ status }: EndpointHead): void {
  if (status === 'disabled')
    throw new Problem('conflict', { detail: 'The webhook endpoint is disabled. Enable it first.' });
}
