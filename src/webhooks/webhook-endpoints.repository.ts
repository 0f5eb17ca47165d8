import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { ownRowParameters, projectCondition, projectParameters } from '../projects/own-rows.js';
import type { DeletedWithProject } from '../projects/project-owned.entity.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { ListWebhookEndpointsQuery } from './dto/list-webhook-endpoints.query.js';
import type { WebhookEndpointDto } from './dto/webhook-endpoint.dto.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Columns that an update can change. */
export type WebhookEndpointPatch = Partial<Omit<WebhookEndpoint, keyof DeletedWithProject>>;

/** A row to insert. Other columns have their defaults. */
type NewRow = ProjectRef & Pick<WebhookEndpoint, 'id' | 'url' | 'secret'> & WebhookEndpointPatch;

/** Conditions of a list. An endpoint must meet all of them. */
export type EndpointFilter = Pick<ListWebhookEndpointsQuery, 'status' | 'status_page_id'>;

/** An endpoint without its configuration of messages. */
export type EndpointHead = ProjectRef &
  Pick<WebhookEndpoint, 'id' | 'status_page_id' | 'event_types' | 'status'>;

/** Values on which an update depends. */
export type LockedEndpoint = Pick<WebhookEndpoint, 'url' | 'status' | 'secret'>;

const OF_PROJECT = 'organization_id = $1 AND project_id = $2';
const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3`;

/** Reads and writes the table `webhook_endpoints` for operators. */
@Injectable()
export class WebhookEndpointsRepository extends Repository<WebhookEndpoint> {
  private readonly table: ResourceTable<WebhookEndpoint, WebhookEndpointDto>;

  constructor(
    dataSource: DataSource,
    private readonly runner: StatementRunner,
  ) {
    super(WebhookEndpoint, dataSource.manager);
    this.table = new ResourceTable(this, runner, [
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
    ]);
  }

  /** Returns the endpoints of a project, newest first. Uses `webhook_endpoints_list_idx`. */
  async findNewest(
    project: ProjectRef,
    { status, status_page_id }: EndpointFilter,
    range: Range,
  ): Promise<Rows<WebhookEndpointDto>> {
    const values = projectParameters(project);
    let where = OF_PROJECT;
    if (status !== undefined) where += ` AND status = $${values.push(status)}`;
    if (status_page_id !== undefined) where += ` AND status_page_id = $${values.push(status_page_id)}`;
    return this.table.list(where, values, range);
  }

  async findOwn(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<WebhookEndpointDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id), manager);
  }

  /** Returns which events an endpoint gets, and whether it gets any. Does not lock the row. */
  async findHead(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<EndpointHead | undefined> {
    const [head] = await this.runner.read<EndpointHead>(
      `SELECT id, organization_id, project_id, status_page_id, event_types, status FROM webhook_endpoints WHERE ${OWN}`,
      ownRowParameters(access, id),
      manager,
    );
    return head;
  }

  /** Returns the number of endpoints of a project. The caller has locked the project. */
  async countIn(project: ProjectRef, manager: EntityManager): Promise<number> {
    const rows: { count: number }[] = await manager.query(
      `SELECT count(*)::integer AS count FROM webhook_endpoints WHERE ${OF_PROJECT}`,
      projectParameters(project),
    );
    return rows[0]?.count ?? 0;
  }

  async insertOne(row: NewRow, manager: EntityManager): Promise<WebhookEndpointDto> {
    const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    const parameters: unknown[] = [row.id, ...projectParameters(row), now];
    const { columns, placeholders } = this.table.assignments(row, parameters);
    const rows: WebhookEndpointDto[] = await manager.query(
      `INSERT INTO webhook_endpoints (id, organization_id, project_id, created_at, updated_at, ${columns})
       VALUES ($1, $2, $3, $4, $4, ${placeholders})
       RETURNING ${this.table.columns}`,
      parameters,
    );
    const [inserted] = rows;
    if (!inserted) throw new Error('an insert returned no row');
    return inserted;
  }

  /** Locks an endpoint. Returns undefined if it does not exist or its version is not the expected one. */
  async lockOwn(
    access: ActorAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<LockedEndpoint | undefined> {
    const columns = ['url', 'status', 'secret'] as const;
    return this.table.lock(OWN, ownRowParameters(access, id), expected, columns, manager, 'NO KEY UPDATE');
  }

  /** Updates an endpoint. Returns undefined if it does not exist or its version is not the expected one. */
  async patch(
    access: ActorAccess,
    id: string,
    patch: WebhookEndpointPatch,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<WebhookEndpointDto> | undefined> {
    return this.table.patch(OWN, ownRowParameters(access, id), patch, expected, manager);
  }

  /** Deletes an endpoint. Returns false if it does not exist or its version is not the expected one. */
  async deleteOwn(access: ActorAccess, id: string, expected: ExpectedVersions): Promise<boolean> {
    return (await this.table.delete(OWN, ownRowParameters(access, id), expected, ['id'])) !== undefined;
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
}
