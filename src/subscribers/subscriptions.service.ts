import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ErasuresRepository } from './erasures.repository.js';
import type { Recipient } from './recipients.repository.js';
import type { Subscriber } from './subscriber.entity.js';
import {
  type Choices,
  type LockedSubscription,
  SubscriptionsRepository,
} from './subscriptions.repository.js';
import { SubscriptionTokens, type TokenPurpose } from './subscription-tokens.js';

export type { Choices } from './subscriptions.repository.js';

/** A subscription as its owner sees it. */
export type Subscription = Recipient;

/** A sent form of a visitor. */
export type SubscriptionForm = Choices & Pick<Subscriber, 'email'>;

/** Subscriptions for visitors, who have a form and links in mail instead of an API key. */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: SubscriptionsRepository,
    private readonly tokens: SubscriptionTokens,
    private readonly erasures: ErasuresRepository,
    private readonly monitors: MonitorsService,
  ) {}

  /** Stores a form, whose address must be valid. A delivering process handles it. Same work for every address. */
  async request(
    { id, organization_id, project_id }: ProjectRef & { id: string },
    form: SubscriptionForm,
  ): Promise<void> {
    await this.repository.insertForm({
      ...form,
      id: uuidv7(),
      organization_id,
      project_id,
      status_page_id: id,
    });
  }

  /** Returns the subscription of a link, or undefined if the token is invalid or the subscription has ended. */
  async find(purpose: TokenPurpose, token: string): Promise<Subscription | undefined> {
    const id = this.tokens.verify(purpose, token);
    return id === undefined ? undefined : this.repository.find(id);
  }

  /** Confirms a subscription. Has no effect on one that is not pending. */
  async confirm(token: string): Promise<Subscription | undefined> {
    const id = this.tokens.verify('confirm', token);
    if (id === undefined) return undefined;
    return this.dataSource.transaction(async (manager) => {
      const found = await this.repository.lock(id, manager);
      if (!found) return undefined;
      if (found.status !== 'pending') return withoutKey(found);
      await this.repository.confirm(found, manager);
      await this.erasures.remove(found, manager);
      return withoutKey({ ...found, status: 'active' });
    });
  }

  /** Changes what a subscription is about. Ignores monitors that do not exist any more. */
  async change(token: string, choices: Choices): Promise<Subscription | undefined> {
    const found = await this.find('manage', token);
    if (!found) return undefined;
    const { id } = found;
    return this.dataSource.transaction(async (manager) => {
      const wanted = choices.monitor_ids;
      const existing = wanted && (await this.monitors.lockExisting(found, wanted, manager));
      const monitor_ids = existing && existing.size > 0 ? [...existing] : found.monitor_ids;
      const changed = { ...choices, monitor_ids: wanted === null ? null : monitor_ids };
      const locked = await this.repository.lock(id, manager);
      if (!locked) return undefined;
      await this.repository.choose(locked, changed, manager);
      return withoutKey({ ...locked, ...changed });
    });
  }

  /**
   * Ends a subscription, and erases its address. Also works while the page is deleted.
   * @returns whether the token is genuine, also if the subscription has already ended
   */
  async unsubscribe(token: string): Promise<boolean> {
    const id = this.tokens.verify('manage', token);
    if (id === undefined) return false;
    const found = await this.repository.findOfAnyPage(id);
    if (!found) return true;
    await this.dataSource
      .transaction(async (manager) => {
        await this.erasures.add(found, manager);
        await this.repository.delete(found, manager);
      })
      .catch((error: unknown) => {
        // The project has been deleted in the meantime, with its subscribers.
        if (!isSqlState(error, FOREIGN_KEY_VIOLATION)) throw error;
      });
    return true;
  }
}

function withoutKey(locked: LockedSubscription): Subscription {
  const { email_key: _, ...subscription } = locked;
  return subscription;
}
