import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from '../platform/auth/actor.js';
import { changesOf } from '../platform/log/changes.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { notFound, Problem } from '../platform/problems/problem.js';
import { type Reference, referencesIn } from '../platform/problems/references.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import { Confirmations } from './confirmations.js';
import type { SubscriberDto } from './dto/subscriber.dto.js';
import { emailKey } from './email-address.js';
import { ErasuresRepository } from './erasures.repository.js';
import { SubscriberLimit } from './subscriber-limit.js';
import type { Source, Subscriber } from './subscriber.entity.js';
import { type NewRow, SubscribersRepository } from './subscribers.repository.js';
import type { ProjectPageRef } from '../status-pages/page-ref.js';

/** A new subscriber. */
export type NewSubscriber = Pick<Subscriber, 'email'> &
  Partial<Pick<Subscriber, 'id' | 'monitor_ids' | 'detail' | 'maintenances'>>;

/** Origin and consent of added subscribers. */
export interface Addition {
  source: Source;
  /** Whether their owners have consented. Otherwise, they get a confirmation. */
  confirmed: boolean;
  /** ID of the API key or member that has confirmed the consent, or null. */
  confirmed_by: string | null;
  /** Path of the list of subscribers in the body, for errors; undefined: the body is the only subscriber. */
  path?: string;
  /** Whether addresses that have been erased are added. Default: false. */
  addsErased?: boolean;
}

/** Result of adding a subscriber: `erased` if its owner has unsubscribed, and `existing` if the page has the address. */
export type Added =
  | { result: 'created'; id: string; subscriber: SubscriberDto }
  | { result: 'existing'; id: string }
  | { result: 'erased'; id: null };

/** Adds subscribers to status pages. */
@Injectable()
export class SubscriberCreation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: SubscribersRepository,
    private readonly confirmations: Confirmations,
    private readonly erasures: ErasuresRepository,
    private readonly monitors: MonitorsService,
    private readonly pageLookup: PageLookupService,
    private readonly limit: SubscriberLimit,
    private readonly log: WriteLog,
  ) {}

  /**
   * Adds subscribers with different addresses to a page, all or none, in a fixed number of statements. Addresses that the page
   * has get no mail. Returns the results in the order of the subscribers.
   * @throws Problem 404 `not_found` if the actor cannot access the page; 400 `validation_failed` with `unknown_monitor`; 409
   * `conflict` if the page would have too many subscribers
   */
  async add(
    actor: Actor,
    status_page_id: string,
    subscribers: NewSubscriber[],
    addition: Addition,
  ): Promise<Added[]> {
    return this.dataSource.transaction((manager) =>
      this.addIn(actor, status_page_id, subscribers, addition, manager),
    );
  }

  /** Like {@link add}, in the transaction of `manager`. */
  async addIn(
    actor: Actor,
    status_page_id: string,
    subscribers: NewSubscriber[],
    addition: Addition,
    manager: EntityManager,
  ): Promise<Added[]> {
    const rows = subscribers.map((one) => newRow(one, addition));
    const keys = rows.map(({ email_key }) => email_key);
    const { organization_id, project_id } = await this.pageLookup.head(actor, status_page_id, manager);
    const page = { organization_id, project_id, status_page_id };
    // Before the other locks, as visitors' forms do.
    const mailable = addition.confirmed
      ? new Set<string>()
      : await this.confirmations.allowedOf(keys, manager);
    await this.monitors.lock(page, monitorsOf(subscribers, addition.path), manager);
    if (!(await this.limit.lockPage(page, manager))) throw notFound('status page');
    const erased =
      addition.addsErased === true ? new Set<string>() : await this.erasures.erasedOf(page, keys, manager);
    const existing = await this.repository.findIds(page, keys, manager);
    const wanted = rows.filter(({ email_key }) => !existing.has(email_key) && !erased.has(email_key));
    const created = await this.insert(page, wanted, manager);
    if (created.size < wanted.length)
      // A visitor's form has added the others in the meantime.
      for (const [key, id] of await this.repository.findIds(page, keys, manager)) existing.set(key, id);
    const unconfirmed = wanted.filter(({ email_key }) => created.has(email_key) && mailable.has(email_key));
    await this.confirmations.sendAll(
      'confirmation',
      unconfirmed.map(({ id, email_key }) => ({ ...page, id, email_key })),
      manager,
    );
    await this.record(actor, page, created, addition, manager);
    return keys.map((key): Added => {
      const subscriber = created.get(key);
      if (subscriber) return { result: 'created', id: subscriber.id, subscriber };
      const id = existing.get(key);
      return id === undefined ? { result: 'erased', id: null } : { result: 'existing', id };
    });
  }

  /** Records one subscriber with its fields, and several as a number. Without their addresses. */
  private async record(
    actor: Actor,
    { project_id, status_page_id }: ProjectPageRef,
    created: Map<string, SubscriberDto>,
    { path }: Addition,
    manager: EntityManager,
  ): Promise<void> {
    const [first] = created.values();
    if (!first) return;
    if (path === undefined) {
      const changes = changesOf(undefined, first, ['email']);
      const entry = { actor, project_id, resource_id: first.id, changes };
      return this.log.record({ type: 'subscriber.created', ...entry }, manager);
    }
    const entry = { actor, project_id, resource_id: status_page_id, data: { created: created.size } };
    await this.log.record({ type: 'subscriber.imported', ...entry }, manager);
  }

  /**
   * Checks whether a page has room for all new addresses of an import, before parts of it are inserted.
   * @throws Problem 409 `conflict`
   */
  async requireRoom(page: ProjectPageRef, emails: string[], manager: EntityManager): Promise<void> {
    const keys = [...new Set(emails.map(emailKey))];
    const existing = await this.repository.findIds(page, keys, manager);
    const erased = await this.erasures.erasedOf(page, keys, manager);
    await this.rejectAbove(
      page,
      keys.filter((key) => !existing.has(key) && !erased.has(key)).length,
      manager,
    );
  }

  private async rejectAbove(page: ProjectPageRef, count: number, manager: EntityManager): Promise<void> {
    const room = await this.limit.room(page, manager);
    if (room < count)
      throw new Problem('conflict', {
        detail: `A status page can have ${this.limit.maximum} subscribers, and this one has room for ${room} more`,
      });
  }

  /** Inserts subscribers, unless there would be too many. The caller has locked the page. Returns them by the key of the address. */
  private async insert(
    page: ProjectPageRef,
    rows: NewRow[],
    manager: EntityManager,
  ): Promise<Map<string, SubscriberDto>> {
    if (rows.length === 0) return new Map();
    await this.rejectAbove(page, rows.length, manager);
    const inserted = await this.repository.insertAll(page, rows, manager).catch(throwIfProjectIsMissing);
    return new Map(inserted.map(({ email_key, ...subscriber }) => [email_key, subscriber]));
  }
}

function newRow(
  { id = uuidv7(), email, monitor_ids = null, detail = 'all', maintenances = true }: NewSubscriber,
  { source, confirmed, confirmed_by }: Addition,
): NewRow {
  const now = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
  return {
    id,
    email,
    email_key: emailKey(email),
    status: confirmed ? 'active' : 'pending',
    monitor_ids,
    detail,
    maintenances,
    source,
    confirmed_at: confirmed ? now : null,
    confirmed_by,
    created_at: now,
  };
}

function monitorsOf(subscribers: NewSubscriber[], path: string | undefined): Reference[] {
  return subscribers.flatMap(({ monitor_ids }, index) =>
    referencesIn(path === undefined ? ['monitor_ids'] : [path, index, 'monitor_ids'], monitor_ids ?? []),
  );
}
