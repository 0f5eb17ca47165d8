import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AudiencesService } from '../deliveries/audiences.service.js';
import type { DueEvent } from '../deliveries/channel.js';
import { StatementRunner } from '../platform/database/statement-runner.js';

/** Finds the endpoints that get an event. */
@Injectable()
export class EndpointAudience {
  constructor(
    private readonly runner: StatementRunner,
    private readonly audiences: AudiencesService,
  ) {}

  /**
   * Returns the IDs of endpoints in ascending order. Uses `webhook_endpoints_list_idx`. A project has fewer endpoints than
   * `limit`, so the ones that get other events do not have to be counted.
   * @param after the ID after which they begin; null: the first ones
   */
  async of(event: DueEvent, after: string | null, limit: number, manager: EntityManager): Promise<string[]> {
    const rows = await this.matching(event, after, limit, manager);
    if (rows.every(({ status_page_id }) => status_page_id === null)) return rows.map(({ id }) => id);
    const pages = await this.audiences.pagesOf(event, manager);
    const ids = new Set(pages.map(({ id }) => id));
    return rows
      .filter(({ status_page_id }) => status_page_id === null || ids.has(status_page_id))
      .map(({ id }) => id);
  }

  private async matching(
    { organization_id, project_id, type }: DueEvent,
    after: string | null,
    limit: number,
    manager: EntityManager,
  ) {
    return this.runner.read<{ id: string; status_page_id: string | null }>(
      `SELECT id, status_page_id
         FROM webhook_endpoints
        WHERE organization_id = $1 AND project_id = $2 AND status = 'enabled'
          AND ($3::uuid IS NULL OR id > $3) AND (event_types = '{}' OR $4 = ANY(event_types))
        ORDER BY id
        LIMIT $5`,
      [organization_id, project_id, after, type, limit],
      manager,
    );
  }
}
