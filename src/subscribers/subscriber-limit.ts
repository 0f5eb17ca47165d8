import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Env } from '../platform/config/env.js';
import { SubscribersRepository } from './subscribers.repository.js';
import type { PageRef, ProjectPageRef } from '../status-pages/page-ref.js';

/** Limits the subscribers of each status page to `MAX_SUBSCRIBERS`. All subscribers count, of any status. */
@Injectable()
export class SubscriberLimit {
  constructor(
    private readonly env: Env,
    private readonly repository: SubscribersRepository,
  ) {}

  /** Maximum number of subscribers of a status page. */
  get maximum(): number {
    return this.env.MAX_SUBSCRIBERS;
  }

  /**
   * Locks a page before subscribers are added to it, so that {@link room} stays correct until the transaction ends. Blocks only
   * updates of the page. Take it after the locks of addresses and monitors, and before locks of subscribers.
   * @returns false if the project has no such page
   */
  async lockPage(page: ProjectPageRef, manager: EntityManager): Promise<boolean> {
    return this.repository.lockPage(page, manager);
  }

  /**
   * Returns the number of subscribers that can be added to a locked page. Reads only `subscribers_list_idx`, at most as many
   * entries as the limit.
   */
  async room(page: PageRef, manager: EntityManager): Promise<number> {
    return this.maximum - (await this.repository.countOf(page, this.maximum, manager));
  }
}
