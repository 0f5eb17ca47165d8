import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { FOREIGN_KEY_VIOLATION, isSqlState, NEXT_VERSION } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ErasuresRepository } from './erasures.repository.js';
import { type Recipient, RECIPIENT_COLUMNS } from './recipients.service.js';
import type { Subscriber } from './subscriber.entity.js';
import { SubscriptionTokens, type TokenPurpose } from './subscription-tokens.js';

/** A subscription as its owner sees it. */
export type Subscription = Recipient;

/** Choices of a subscriber. */
export type Choices = Pick<Subscriber, 'monitor_ids' | 'detail' | 'maintenances'>;

/** A sent form of a visitor. */
export type SubscriptionForm = Choices & Pick<Subscriber, 'email'>;

/** Only subscribers of pages that are not deleted. The token identifies the subscriber, so there is no organization. */
const OF_TOKEN = `id = $1 AND EXISTS (
  SELECT FROM status_pages AS page
   WHERE page.organization_id = subscribers.organization_id AND page.id = subscribers.status_page_id)`;

/** Subscriptions for visitors, who have a form and links in mail instead of an API key. */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: StatementRunner,
    private readonly tokens: SubscriptionTokens,
    private readonly erasures: ErasuresRepository,
    private readonly monitors: MonitorsService,
  ) {}

  /** Stores a form, whose address must be valid. A delivering process handles it. Same work for every address. */
  async request(
    { id, organization_id, project_id }: ProjectRef & { id: string },
    { email, monitor_ids, detail, maintenances }: SubscriptionForm,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO subscription_requests (id, organization_id, project_id, status_page_id, email, monitor_ids, detail,
                                          maintenances)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [uuidv7(), organization_id, project_id, id, email, monitor_ids, detail, maintenances],
    );
  }

  /** Returns the subscription of a link, or undefined if the token is invalid or the subscription has ended. */
  async find(purpose: TokenPurpose, token: string): Promise<Subscription | undefined> {
    const id = this.tokens.verify(purpose, token);
    if (id === undefined) return undefined;
    const [found] = await this.runner.read<Subscription>(
      `SELECT ${RECIPIENT_COLUMNS} FROM subscribers WHERE ${OF_TOKEN}`,
      [id],
    );
    return found;
  }

  /** Confirms a subscription. Has no effect on one that is not pending. */
  async confirm(token: string): Promise<Subscription | undefined> {
    const id = this.tokens.verify('confirm', token);
    if (id === undefined) return undefined;
    return this.dataSource.transaction(async (manager) => {
      const found = await lock(id, manager);
      if (!found) return undefined;
      if (found.status !== 'pending') return withoutKey(found);
      await manager.query(
        `UPDATE subscribers
            SET status = 'active', confirmed_at = clock_timestamp(), updated_at = ${NEXT_VERSION}
          WHERE organization_id = $1 AND id = $2`,
        [found.organization_id, id],
      );
      await this.erasures.remove(found, manager);
      return withoutKey({ ...found, status: 'active' });
    });
  }

  /** Changes what a subscription is about. Ignores monitors that do not exist any more. */
  async change(token: string, choices: Choices): Promise<Subscription | undefined> {
    const found = await this.find('manage', token);
    if (!found) return undefined;
    const { id, organization_id } = found;
    return this.dataSource.transaction(async (manager) => {
      const wanted = choices.monitor_ids;
      const existing = wanted && (await this.monitors.lockExisting(found, wanted, manager));
      const monitor_ids = existing && existing.size > 0 ? [...existing] : found.monitor_ids;
      const changed = { ...choices, monitor_ids: wanted === null ? null : monitor_ids };
      const locked = await lock(id, manager);
      if (!locked) return undefined;
      await manager.query(
        `UPDATE subscribers
            SET monitor_ids = $3, detail = $4, maintenances = $5, updated_at = ${NEXT_VERSION}
          WHERE organization_id = $1 AND id = $2`,
        [organization_id, id, changed.monitor_ids, changed.detail, changed.maintenances],
      );
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
    const [found] = await this.runner.read<Locked>(
      `SELECT ${RECIPIENT_COLUMNS}, email_key FROM subscribers WHERE id = $1`,
      [id],
    );
    if (!found) return true;
    await this.dataSource
      .transaction(async (manager) => {
        await this.erasures.add(found, manager);
        await manager.query('DELETE FROM subscribers WHERE organization_id = $1 AND id = $2', [
          found.organization_id,
          id,
        ]);
      })
      .catch((error: unknown) => {
        // The project has been deleted in the meantime, with its subscribers.
        if (!isSqlState(error, FOREIGN_KEY_VIOLATION)) throw error;
      });
    return true;
  }
}

type Locked = Subscription & Pick<Subscriber, 'email_key'>;

async function lock(id: string, manager: EntityManager): Promise<Locked | undefined> {
  const rows: Locked[] = await manager.query(
    `SELECT ${RECIPIENT_COLUMNS}, email_key FROM subscribers WHERE ${OF_TOKEN} FOR NO KEY UPDATE`,
    [id],
  );
  return rows[0];
}

function withoutKey(locked: Locked): Subscription {
  const { id, organization_id, project_id, status_page_id, email, status } = locked;
  const { monitor_ids, detail, maintenances, source } = locked;
  return {
    id,
    organization_id,
    project_id,
    status_page_id,
    email,
    status,
    monitor_ids,
    detail,
    maintenances,
    source,
  };
}
