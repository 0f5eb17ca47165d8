import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import { OF_PROJECT, ownRowParameters, projectParameters } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { EventType } from '../events/event-types.js';
import { type PatchOf, TenantRepository } from '../platform/database/tenant-repository.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { ListWebhookEndpointsQuery } from './dto/list-webhook-endpoints.query.js';
import type { WebhookEndpointDto } from './dto/webhook-endpoint.dto.js';
import type { EndpointState } from './endpoint-health.js';
import { type DisabledReason, WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Columns that an update can change. */
export type WebhookEndpointPatch = PatchOf<WebhookEndpoint>;

/** Conditions of a list. An endpoint must meet all of them. */
export type EndpointFilter = Pick<ListWebhookEndpointsQuery, 'status' | 'status_page_id'>;

/** An endpoint without its configuration of messages. */
export type EndpointHead = ProjectRef &
  Pick<WebhookEndpoint, 'id' | 'status_page_id' | 'event_types' | 'status'>;

/** Values on which an update depends. */
export type LockedEndpoint = Pick<WebhookEndpoint, 'project_id' | 'url' | 'status' | 'secret'>;

/** An endpoint as the delivery needs it, with its encrypted secrets. */
export type StoredEndpoint = Pick<
  WebhookEndpoint,
  | 'id'
  | 'organization_id'
  | 'project_id'
  | 'status_page_id'
  | 'url'
  | 'format'
  | 'status'
  | 'failing_since'
  | 'secret'
  | 'former_secret'
>;

/** Columns of a {@link StoredEndpoint}. */
const STORED = `id, organization_id, project_id, status_page_id, url, format, status, failing_since, secret,
  CASE WHEN former_secret_until > statement_timestamp() THEN former_secret END AS former_secret`;

const LOCK = 'SELECT FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';

/** Reads and writes the table `webhook_endpoints`. */
@Injectable()
export class WebhookEndpointsRepository extends TenantRepository<
  WebhookEndpoint,
  WebhookEndpointDto,
  LockedEndpoint
> {
  constructor(
    @InjectRepository(WebhookEndpoint) repository: Repository<WebhookEndpoint>,
    runner: StatementRunner,
  ) {
    super(repository, runner, {
      log: {
        created: 'webhook_endpoint.created',
        updated: 'webhook_endpoint.updated',
        deleted: 'webhook_endpoint.deleted',
        hidden: ['url'], // the path of a chat's URL is a secret
      },
      output: [
        'id',
        'url',
        'description',
        'event_types',
        'format',
        'status',
        'disabled_reason',
        'failing_since',
        'former_secret_until',
        'status_page_id',
        'project_id',
        'created_at',
        'updated_at',
      ],
      locked: ['project_id', 'url', 'status', 'secret'],
    });
  }

  /** Returns which events an endpoint gets, and whether it gets any. Does not lock the row. */
  async findHead(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<EndpointHead | undefined> {
    const [head] = await this.runner.read<EndpointHead>(
      `SELECT id, organization_id, project_id, status_page_id, event_types, status FROM webhook_endpoints WHERE ${this.own}`,
      ownRowParameters(access, id),
      manager,
    );
    return head;
  }

  /** Returns the number of endpoints of a project. The caller has locked the project. */
  async countIn(project: ProjectRef, manager: EntityManager): Promise<number> {
    return this.runner.count(
      `SELECT FROM webhook_endpoints WHERE ${OF_PROJECT}`,
      projectParameters(project),
      manager,
    );
  }

  /** Deletes at most `limit` endpoints of a status page that can no longer be restored. Returns whether endpoints may be left. */
  async deleteOfPage(page: { organization_id: string; id: string }, limit: number): Promise<boolean> {
    const rows = await this.runner.query(
      `DELETE FROM webhook_endpoints
        WHERE organization_id = $1 AND status_page_id = $2 AND id IN (
                SELECT id FROM webhook_endpoints WHERE organization_id = $1 AND status_page_id = $2 LIMIT $3)
       RETURNING id`,
      [page.organization_id, page.id, limit],
    );
    return rows.length >= limit;
  }

  /** Returns the enabled endpoints of a project that get events of a type, by ID. Uses `webhook_endpoints_list_idx`. */
  async findMatching(
    project: ProjectRef,
    type: EventType,
    manager: EntityManager,
  ): Promise<Pick<WebhookEndpoint, 'id' | 'status_page_id'>[]> {
    return this.runner.read<Pick<WebhookEndpoint, 'id' | 'status_page_id'>>(
      `SELECT id, status_page_id
         FROM webhook_endpoints
        WHERE ${OF_PROJECT} AND status = 'enabled' AND (event_types = '{}' OR $3 = ANY(event_types))
        ORDER BY id`,
      [...projectParameters(project), type],
      manager,
    );
  }

  /** Returns the endpoints of deliveries, which identify them, so it needs no organization. */
  async findStored(ids: string[]): Promise<StoredEndpoint[]> {
    return this.runner.read<StoredEndpoint>(
      `SELECT ${STORED} FROM webhook_endpoints WHERE id = ANY($1::uuid[])`,
      [ids],
    );
  }

  async findStoredOne(organizationId: string, id: string): Promise<StoredEndpoint | undefined> {
    const [row] = await this.runner.read<StoredEndpoint>(
      `SELECT ${STORED} FROM webhook_endpoints WHERE organization_id = $1 AND id = $2`,
      [organizationId, id],
    );
    return row;
  }

  /** Stores that an endpoint is failing from now on, or no longer. No effect if it has another URL by now. */
  async setFailing({ organization_id, id, url }: EndpointState, isFailing: boolean): Promise<void> {
    const [since, was] = isFailing ? ['clock_timestamp()', 'NULL'] : ['NULL', 'NOT NULL'];
    await this.runner.queryLocked(
      { text: LOCK, values: [organization_id, id] },
      {
        text: `UPDATE webhook_endpoints SET failing_since = ${since}, updated_at = ${NEXT_VERSION}
                WHERE organization_id = $1 AND id = $2 AND url = $3 AND failing_since IS ${was}`,
        values: [organization_id, id, url],
      },
    );
  }

  /**
   * Disables an enabled endpoint, if it has the same URL.
   * @param days only if it has been failing for more days; null: in any case
   * @returns its project, or undefined if it has not changed
   */
  async disable(
    { organization_id, id, url }: EndpointState,
    reason: DisabledReason,
    days: number | null,
    manager: EntityManager,
  ): Promise<Pick<ProjectRef, 'project_id'> | undefined> {
    const [disabled] = await this.runner.queryLocked<Pick<ProjectRef, 'project_id'>>(
      { text: LOCK, values: [organization_id, id] },
      {
        text: `UPDATE webhook_endpoints
                  SET status = 'disabled', disabled_reason = $3, updated_at = ${NEXT_VERSION}
                WHERE organization_id = $1 AND id = $2 AND url = $4 AND status = 'enabled'
                  AND ($5::integer IS NULL OR failing_since < clock_timestamp() - make_interval(days => $5))
               RETURNING project_id`,
        values: [organization_id, id, reason, url, days],
      },
      manager,
    );
    return disabled;
  }
}
