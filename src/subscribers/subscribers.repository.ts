import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { ownRowParameters, projectCondition } from '../projects/own-rows.js';
import type { SubscriberDto } from './dto/subscriber.dto.js';
import { Subscriber, type SubscriberStatus } from './subscriber.entity.js';
import { OF_PAGE, type ProjectPageRef } from '../status-pages/page-ref.js';

/** Columns that an update can change. */
export type SubscriberPatch = Partial<
  Pick<
    Subscriber,
    'monitor_ids' | 'detail' | 'maintenances' | 'status' | 'suppressed_reason' | 'last_bounced_at'
  >
>;

/** Conditions of a list. A subscriber must meet all of them. */
export interface SubscriberFilter {
  status?: SubscriberStatus | undefined;
  email_key?: string | undefined;
}

/** A row to insert into a page. */
export type NewRow = Pick<
  Subscriber,
  | 'id'
  | 'email'
  | 'email_key'
  | 'status'
  | 'monitor_ids'
  | 'detail'
  | 'maintenances'
  | 'source'
  | 'confirmed_at'
  | 'confirmed_by'
  | 'created_at'
>;

/** Without subscribers of deleted pages, which only a restore makes accessible again. */
const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3 AND EXISTS (
  SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id)`;

/** Reads and writes the table `subscribers` for operators. */
@Injectable()
export class SubscribersRepository extends Repository<Subscriber> {
  private readonly table: ResourceTable<Subscriber, SubscriberDto>;

  constructor(dataSource: DataSource, runner: StatementRunner) {
    super(Subscriber, dataSource.manager);
    this.table = new ResourceTable(this, runner, [
      'id',
      'email',
      'status',
      'suppressed_reason',
      'monitor_ids',
      'detail',
      'maintenances',
      'source',
      'confirmed_at',
      'last_sent_at',
      'status_page_id',
      'project_id',
      'created_at',
      'updated_at',
    ]);
  }

  /**
   * Returns the subscribers of a page, newest first. Uses `subscribers_list_idx`, `subscribers_status_idx` or the unique key of
   * addresses.
   */
  async findNewest(
    { organization_id, status_page_id }: ProjectPageRef,
    { status, email_key }: SubscriberFilter,
    range: Range,
  ): Promise<Rows<SubscriberDto>> {
    const values: unknown[] = [organization_id, status_page_id];
    let where = OF_PAGE;
    if (status !== undefined) where += ` AND status = $${values.push(status)}`;
    if (email_key !== undefined) where += ` AND email_key = $${values.push(email_key)}`;
    return this.table.list(where, values, range);
  }

  async findOwn(
    access: ActorAccess,
    id: string,
    manager?: EntityManager,
  ): Promise<RawJson<SubscriberDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id), manager);
  }

  /** Returns the page and the key of a subscriber's address. Does not lock the row. */
  async findAddress(
    access: ActorAccess,
    id: string,
    manager: EntityManager,
  ): Promise<(ProjectPageRef & Pick<Subscriber, 'email_key'>) | undefined> {
    const rows: (ProjectPageRef & Pick<Subscriber, 'email_key'>)[] = await manager.query(
      `SELECT organization_id, project_id, status_page_id, email_key FROM subscribers WHERE ${OWN}`,
      ownRowParameters(access, id),
    );
    return rows[0];
  }

  /** Locks a subscriber. Returns undefined if it does not exist or its version is not the expected one. */
  async lockOwn(
    access: ActorAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<Pick<Subscriber, 'status' | 'confirmed_at'> | undefined> {
    const columns = ['status', 'confirmed_at'] as const;
    return this.table.lock(OWN, ownRowParameters(access, id), expected, columns, manager, 'NO KEY UPDATE');
  }

  /** Updates a subscriber. Returns undefined if it does not exist or its version is not the expected one. */
  async patch(
    access: ActorAccess,
    id: string,
    patch: SubscriberPatch,
    expected: ExpectedVersions,
    manager?: EntityManager,
  ): Promise<RawJson<SubscriberDto> | undefined> {
    return this.table.patch(OWN, ownRowParameters(access, id), patch, expected, manager);
  }

  /** Deletes a subscriber. Returns false if it does not exist or its version is not the expected one. */
  async deleteOwn(
    access: ActorAccess,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<boolean> {
    const deleted = await this.table.delete(OWN, ownRowParameters(access, id), expected, ['id'], manager);
    return deleted !== undefined;
  }

  /** Returns the IDs of a page's subscribers with these addresses. */
  async findIds(
    { organization_id, status_page_id }: ProjectPageRef,
    emailKeys: string[],
    manager: EntityManager,
  ): Promise<Map<string, string>> {
    const rows: Pick<Subscriber, 'id' | 'email_key'>[] = await manager.query(
      `SELECT id, email_key FROM subscribers WHERE ${OF_PAGE} AND email_key = ANY($3::text[])`,
      [organization_id, status_page_id, emailKeys],
    );
    return new Map(rows.map(({ id, email_key }) => [email_key, id]));
  }

  /** Inserts subscribers into a page, except for addresses that it already has. Returns the new ones, in any order. */
  async insertAll(
    { organization_id, project_id, status_page_id }: ProjectPageRef,
    newRows: NewRow[],
    manager: EntityManager,
  ): Promise<(SubscriberDto & Pick<Subscriber, 'email_key'>)[]> {
    return manager.query(
      `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, monitor_ids, detail,
                                maintenances, source, confirmed_at, confirmed_by, created_at, updated_at)
       SELECT id, $1, $2, $3, email, email_key, status, monitor_ids, detail, maintenances, source, confirmed_at, confirmed_by,
              created_at, created_at
         FROM jsonb_to_recordset($4::jsonb)
              AS new (id uuid, email text, email_key text, status text, monitor_ids uuid[], detail text, maintenances boolean,
                      source text, confirmed_at timestamptz, confirmed_by uuid, created_at timestamptz)
       ON CONFLICT (status_page_id, email_key) DO NOTHING
       RETURNING ${this.table.columns}, email_key`,
      [organization_id, project_id, status_page_id, JSON.stringify(newRows)],
    );
  }
}
