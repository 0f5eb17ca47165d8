import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AudiencesService } from '../deliveries/audiences.service.js';
import type { NotifiedEvent } from '../events/events.service.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';

/** Finds the endpoints that get an event. */
@Injectable()
export class EndpointAudience {
  constructor(
    private readonly repository: WebhookEndpointsRepository,
    private readonly audiences: AudiencesService,
  ) {}

  /** Returns the IDs of endpoints in ascending order. */
  async of(event: NotifiedEvent, manager: EntityManager): Promise<string[]> {
    const rows = await this.repository.findMatching(event, event.type, manager);
    const pageIds = [...new Set(rows.flatMap(({ status_page_id }) => status_page_id ?? []))];
    const pages = pageIds.length > 0 ? await this.audiences.pagesOf(event, { ids: pageIds }, manager) : [];
    const shown = new Set(pages.map(({ id }) => id));
    return rows
      .filter(({ status_page_id }) => status_page_id === null || shown.has(status_page_id))
      .map(({ id }) => id);
  }
}
