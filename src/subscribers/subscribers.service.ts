import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { type ListPage, readListPage } from '../platform/pagination/list-page.js';
import { notFound, Problem, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import { referencesIn } from '../platform/problems/references.js';
import { taken } from '../platform/problems/taken.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import type { CreateSubscriberDto } from './dto/create-subscriber.dto.js';
import type { ListSubscribersQuery } from './dto/list-subscribers.query.js';
import type { SubscriberDto } from './dto/subscriber.dto.js';
import type { CreateSubscriberBatchDto, SubscriberBatchResultDto } from './dto/subscriber-batch.dto.js';
import type { UpdateSubscriberDto } from './dto/update-subscriber.dto.js';
import { emailKey } from './email-address.js';
import { ErasuresRepository } from './erasures.repository.js';
import { type Added, SubscriberCreation } from './subscriber-creation.js';
import type { Subscriber } from './subscriber.entity.js';
import { type SubscriberPatch, SubscribersRepository } from './subscribers.repository.js';

/** Manages subscribers for operators. {@link SubscriptionsService} does it for visitors. */
@Injectable()
export class SubscribersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: SubscribersRepository,
    private readonly creation: SubscriberCreation,
    private readonly erasures: ErasuresRepository,
    private readonly monitors: MonitorsService,
    private readonly pageLookup: PageLookupService,
  ) {}

  /**
   * Lists the subscribers of a status page, newest first.
   * @throws Problem 404 `not_found` if the actor cannot access the page; 400 `invalid_cursor`
   */
  async list(access: ActorAccess, query: ListSubscribersQuery): Promise<ListPage<SubscriberDto>> {
    const { status_page_id, status, email } = query;
    const filter = { status, email_key: email === undefined ? undefined : emailKey(email) };
    return readListPage({ name: listName(query), owner_id: status_page_id }, query, async (range) => {
      const { organization_id, project_id } = await this.pageLookup.head(access, status_page_id);
      return this.repository.findOfPage({ organization_id, project_id, status_page_id }, filter, range);
    });
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string): Promise<RawJson<SubscriberDto>> {
    const subscriber = await this.repository.findOwn(access, id);
    if (!subscriber) throw notFound('subscriber');
    return subscriber;
  }

  /**
   * Adds a subscriber, which is active if the caller has confirmed the consent. Otherwise, it gets a confirmation, unless the
   * address has got the maximum number of them today.
   * @throws Problem 404 `not_found` if the actor cannot access the page; 400 `validation_failed` with `unknown_monitor`; 409
   * `conflict` if the page has the address or too many subscribers, or if the owner of the address has unsubscribed
   */
  async create(
    actor: Actor,
    { status_page_id, confirmed = false, ...subscriber }: CreateSubscriberDto,
  ): Promise<SubscriberDto> {
    const [added] = await this.creation.add(actor, status_page_id, [subscriber], {
      source: 'api',
      confirmed,
      confirmed_by: confirmed ? actor.id : null,
      addsErased: !confirmed,
    });
    if (added?.result === 'created') return added.subscriber;
    if (added?.result === 'existing')
      throw taken(['email'], `The status page already has this address, as the subscriber ${added.id}`);
    throw new Problem('conflict', {
      detail:
        'The address was unsubscribed and erased. Send the request without `confirmed`, so that its owner can confirm the subscription.',
    });
  }

  /**
   * Adds subscribers like {@link create}, all or none. Skips existing and erased addresses.
   * @throws Problem 404 `not_found` if the actor cannot access the page; 400 `validation_failed` with `unknown_monitor`; 409
   * `conflict` if the page would have too many subscribers
   */
  async createBatch(
    actor: Actor,
    { status_page_id, confirmed = false, subscribers }: CreateSubscriberBatchDto,
  ): Promise<SubscriberBatchResultDto> {
    const added = await this.creation.add(actor, status_page_id, subscribers, {
      source: 'api',
      confirmed,
      confirmed_by: confirmed ? actor.id : null,
      path: 'subscribers',
    });
    const count = (wanted: Added['result']) => added.filter(({ result }) => result === wanted).length;
    return {
      created: count('created'),
      existing: count('existing'),
      erased: count('erased'),
      results: added.map(({ id, result }) => ({ id, result })),
    };
  }

  /**
   * Updates a subscriber. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed` with `unknown_monitor`; 409 `conflict` if the status cannot change;
   * 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateSubscriberDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<SubscriberDto>> {
    const { status, ...choices } = patch;
    if (status === undefined && !choices.monitor_ids)
      return this.patch(actor, id, choices, expected, this.dataSource.manager);
    return this.dataSource.transaction(async (manager) => {
      const page = await this.repository.findAddress(actor, id, manager);
      if (!page) throw notFound('subscriber');
      await this.monitors.lock(page, referencesIn(['monitor_ids'], choices.monitor_ids ?? []), manager);
      const locked =
        (await this.repository.lockOwn(actor, id, expected, manager, 'NO KEY UPDATE')) ??
        (await throwNotFoundOrPreconditionFailed('subscriber', this.repository.findOwn(actor, id, manager)));
      return this.patch(actor, id, { ...choices, ...statusOf(locked, status) }, undefined, manager);
    });
  }

  private async patch(
    actor: Actor,
    id: string,
    patch: SubscriberPatch,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<RawJson<SubscriberDto>> {
    return (
      (await this.repository.patchOwn(actor, id, patch, expected, manager)) ??
      throwNotFoundOrPreconditionFailed('subscriber', this.repository.findOwn(actor, id, manager))
    );
  }

  /**
   * Unsubscribes an address. Only its keyed hash remains, so that an import does not add it again.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const address = await this.repository.findAddress(actor, id, manager);
      if (!address) throw notFound('subscriber');
      await this.erasures.add(address, manager).catch(throwIfProjectIsMissing);
      if (!(await this.repository.deleteOwn(actor, id, expected, manager)))
        await throwNotFoundOrPreconditionFailed('subscriber', this.repository.findOwn(actor, id, manager));
    });
  }
}

/** Returns the columns that a new status changes. */
function statusOf(
  current: Pick<Subscriber, 'status' | 'confirmed_at'>,
  status: UpdateSubscriberDto['status'],
): SubscriberPatch {
  if (status === undefined || status === current.status) return {};
  if (current.status === 'pending')
    throw new Problem('conflict', {
      detail: 'The subscriber is pending. It becomes active when the owner of the address confirms it.',
    });
  if (status === 'suppressed') return { status, suppressed_reason: 'manual' };
  if (current.confirmed_at === null)
    throw new Problem('conflict', {
      detail:
        'The owner of the address has never confirmed the subscription. Delete it, and create another one.',
    });
  return { status, suppressed_reason: null, last_bounced_at: null };
}

/** Returns the name of the list with a filter, so that its cursors are invalid for the lists with other filters. */
function listName({ status, email }: ListSubscribersQuery): string {
  const parts = ['subscribers', status, email === undefined ? undefined : 'email'];
  return parts.filter((part) => part !== undefined).join('_');
}
