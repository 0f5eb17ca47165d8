import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import { OWN, ownRowParameters } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { TenantRepository } from '../platform/database/tenant-repository.js';
import type { SubscriberDto } from './dto/subscriber.dto.js';
import { Subscriber, type SubscriberStatus } from './subscriber.entity.js';
import { OF_PAGE, type PageRef, parametersOf, type ProjectPageRef } from '../status-pages/page-ref.js';

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
const OWN_OF_PAGE = `${OWN} AND EXISTS (
  SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id)`;

/** Reads and writes the table `subscribers` for operators. */
@Injectable()
export class SubscribersRepository extends TenantRepository<
  Subscriber,
  SubscriberDto,
  Pick<Subscriber, 'status' | 'confirmed_at'>
> {
  constructor(@InjectRepository(Subscriber) repository: Repository<Subscriber>, runner: StatementRunner) {
    super(repository, runner, {
      log: { updated: 'subscriber.updated', deleted: 'subscriber.deleted', hidden: ['email'] },
      output: [
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
      ],
      locked: ['status', 'confirmed_at'],
      own: OWN_OF_PAGE,
    });
  }

  /**
   * Returns the subscribers of a page, newest first. Uses `subscribers_list_idx`, `subscribers_status_idx` or the unique key of
   * addresses.
   */
  async findOfPage(
    { organization_id, status_page_id }: ProjectPageRef,
    filter: SubscriberFilter,
    range: Range,
  ): Promise<Rows<SubscriberDto>> {
    const values: unknown[] = [organization_id, status_page_id];
    return this.table.list(OF_PAGE + this.table.equals(filter, values), values, range);
  }

  /** Returns the page and the key of a subscriber's address. Does not lock the row. */
  async findAddress(
    access: ActorAccess,
    id: string,
    manager: EntityManager,
  ): Promise<(ProjectPageRef & Pick<Subscriber, 'email_key'>) | undefined> {
    const rows = await this.runner.read<ProjectPageRef & Pick<Subscriber, 'email_key'>>(
      `SELECT organization_id, project_id, status_page_id, email_key FROM subscribers WHERE ${OWN_OF_PAGE}`,
      ownRowParameters(access, id),
      manager,
    );
    return rows[0];
  }

  /** Returns the IDs of a page's subscribers with these addresses. */
  async findIds(
    { organization_id, status_page_id }: ProjectPageRef,
    emailKeys: string[],
    manager: EntityManager,
  ): Promise<Map<string, string>> {
    const rows = await this.runner.read<Pick<Subscriber, 'id' | 'email_key'>>(
      `SELECT id, email_key FROM subscribers WHERE ${OF_PAGE} AND email_key = ANY($3::text[])`,
      [organization_id, status_page_id, emailKeys],
      manager,
    );
    return new Map(rows.map(({ id, email_key }) => [email_key, id]));
  }

  /** Inserts subscribers into a page, except for addresses that it already has. Returns the new ones, in any order. */
  async insertAll(
    { organization_id, project_id, status_page_id }: ProjectPageRef,
    newRows: NewRow[],
    manager: EntityManager,
  ): Promise<(SubscriberDto & Pick<Subscriber, 'email_key'>)[]> {
    return this.runner.query<SubscriberDto & Pick<Subscriber, 'email_key'>>(
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
      manager,
    );
  }

  /** Locks a page of a project. Returns false if the project has no such page. */
  async lockPage(
    { organization_id, project_id, status_page_id }: ProjectPageRef,
    manager: EntityManager,
  ): Promise<boolean> {
    const rows = await this.runner.query(
      'SELECT FROM status_pages WHERE organization_id = $1 AND project_id = $2 AND id = $3 FOR NO KEY UPDATE',
      [organization_id, project_id, status_page_id],
      manager,
    );
    return rows.length > 0;
  }

  /** Returns the number of subscribers of a page, at most `limit`. Reads only `subscribers_list_idx`. */
  async countOf(page: PageRef, limit: number, manager: EntityManager): Promise<number> {
    return this.runner.count(
      `SELECT FROM subscribers WHERE ${OF_PAGE} LIMIT $3`,
      [...parametersOf(page), limit],
      manager,
    );
  }
}
