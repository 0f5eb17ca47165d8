import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AudiencesService } from '../deliveries/audiences.service.js';
import type { NotifiedEvent } from '../events/events.service.js';
import { StatementRunner } from '../platform/database/statement-runner.js';

/** Finds the endpoints that get an event. */
@Injectable()
export class EndpointAudience {
  constructor(
    private readonly runner: StatementRunner,
    private readonly audiences: AudiencesService,
  ) {}

  /** Returns the IDs of endpoints in ascending order. Uses `webhook_endpoints_list_idx`. */
  async of(event: NotifiedEvent, manager: EntityManager): Promise<string[]> {
    const rows = await this.matching(event, manager);
    const pageIds = [...new Set(rows.flatMap(({ status_page_id }) => status_page_id ?? []))];
    const pages = pageIds.length > 0 ? await this.audiences.pagesOf(event, { ids: pageIds }, manager) : [];
    const shown = new Set(pages.map(({ id }) => id));
    return rows
      .filter(({ status_page_id }) => status_page_id === null || shown.has(status_page_id))
      .map(({ id }) => id);
  }

  private async matching({ organization_id, project_id, type }: NotifiedEvent, manager: EntityManager) {
    return this.runner.read<{ id: string; status_page_id: string | null }>(
      `SELECT id, status_page_id
         FROM webhook_endpoints
        WHERE organization_id = $1 AND project_id = $2 AND status = 'enabled'
          AND (event_types = '{}' OR $3 = ANY(event_types))
        ORDER BY id`,
      [organization_id, project_id, type],
      manager,
    );
  }
}
