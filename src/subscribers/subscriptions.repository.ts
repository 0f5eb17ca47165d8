import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { firstIdAt } from '../platform/database/first-id.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { OF_PAGE, parametersOf } from '../status-pages/page-ref.js';
import { type Recipient, RECIPIENT_COLUMNS } from './recipients.repository.js';
import type { Subscriber } from './subscriber.entity.js';
import type { SubscriptionRequest } from './subscription-request.entity.js';

/** Choices of a subscriber. */
export type Choices = Pick<Subscriber, 'monitor_ids' | 'detail' | 'maintenances'>;

/** A form to store or to handle. */
export type StoredForm = Omit<SubscriptionRequest, 'created_at' | 'due_at' | 'project'>;

/** A subscription to insert. */
export type NewSubscription = Omit<StoredForm, 'id'> & Pick<Subscriber, 'email_key'>;

/** A subscription that is locked. */
export type LockedSubscription = Recipient & Pick<Subscriber, 'email_key'>;

/** Only subscribers of pages that are not deleted. The token identifies the subscriber, so there is no organization. */
const OF_TOKEN = `id = $1 AND EXISTS (
  SELECT FROM status_pages AS page
   WHERE page.organization_id = subscribers.organization_id AND page.id = subscribers.status_page_id)`;

/**
 * An address whose owner has not confirmed the last form for 7 days. An address that does not exist also counts, but not one
 * whose owner has complained. The condition on `created_at` uses `subscribers_unconfirmed_idx`.
 */
const IS_UNCONFIRMED = `confirmed_at IS NULL AND (status = 'pending' OR suppressed_reason = 'bounced')
  AND created_at < clock_timestamp() - interval '7 days' AND updated_at < clock_timestamp() - interval '7 days'`;

/** Reads and writes subscriptions for visitors, and their forms in `subscription_requests`. */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the subscription of a verified token. */
  async find(id: string): Promise<Recipient | undefined> {
    const [found] = await this.runner.read<Recipient>(
      `SELECT ${RECIPIENT_COLUMNS} FROM subscribers WHERE ${OF_TOKEN}`,
      [id],
    );
    return found;
  }

  /** Returns the subscription of a verified token, also while its page is deleted. */
  async findOfAnyPage(id: string): Promise<LockedSubscription | undefined> {
    const [found] = await this.runner.read<LockedSubscription>(
      `SELECT ${RECIPIENT_COLUMNS}, email_key FROM subscribers WHERE id = $1`,
      [id],
    );
    return found;
  }

  /** Locks the subscription of a verified token. */
  async lock(id: string, manager: EntityManager): Promise<LockedSubscription | undefined> {
    const [locked] = await this.runner.query<LockedSubscription>(
      `SELECT ${RECIPIENT_COLUMNS}, email_key FROM subscribers WHERE ${OF_TOKEN} FOR NO KEY UPDATE`,
      [id],
      manager,
    );
    return locked;
  }

  /** Locks the subscription of an address to a page. */
  async lockOfAddress(
    form: NewSubscription,
    manager: EntityManager,
  ): Promise<Pick<Subscriber, 'id' | 'status'> | undefined> {
    const [locked] = await this.runner.query<Pick<Subscriber, 'id' | 'status'>>(
      `SELECT id, status FROM subscribers WHERE ${OF_PAGE} AND email_key = $3 FOR NO KEY UPDATE`,
      [...parametersOf(form), form.email_key],
      manager,
    );
    return locked;
  }

  /** Inserts a subscription that is to be confirmed. The page is locked, so no other transaction can add the address. */
  async insertPending(
    { organization_id, project_id, status_page_id, email, email_key, ...choices }: NewSubscription,
    manager: EntityManager,
  ): Promise<string> {
    const { monitor_ids, detail, maintenances } = choices;
    const [id, now] = [uuidv7(), new Date()];
    await this.runner.query(
      `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, monitor_ids, detail,
                                maintenances, source, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'visitor', $10, $10)`,
      [
        id,
        organization_id,
        project_id,
        status_page_id,
        email,
        email_key,
        monitor_ids,
        detail,
        maintenances,
        now,
      ],
      manager,
    );
    return id;
  }

  /** Confirms a locked subscription. */
  async confirm(
    { organization_id, id }: Pick<Subscriber, 'organization_id' | 'id'>,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE subscribers
          SET status = 'active', confirmed_at = clock_timestamp(), updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = $2`,
      [organization_id, id],
      manager,
    );
  }

  /** Changes what a locked subscription is about. */
  async choose(
    { organization_id, id }: Pick<Subscriber, 'organization_id' | 'id'>,
    { monitor_ids, detail, maintenances }: Choices,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE subscribers
          SET monitor_ids = $3, detail = $4, maintenances = $5, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = $2`,
      [organization_id, id, monitor_ids, detail, maintenances],
      manager,
    );
  }

  async delete(
    { organization_id, id }: Pick<Subscriber, 'organization_id' | 'id'>,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      'DELETE FROM subscribers WHERE organization_id = $1 AND id = $2',
      [organization_id, id],
      manager,
    );
  }

  /** Deletes at most `limit` addresses of all organizations that have not been confirmed for 7 days. Returns their number. */
  async deleteUnconfirmed(limit: number): Promise<number> {
    const rows = await this.runner.query<{ id: string }>(
      `SELECT id FROM subscribers WHERE ${IS_UNCONFIRMED} LIMIT $1`,
      [limit],
    );
    const ids = rows.map(({ id }) => id);
    await this.runner.query(`DELETE FROM subscribers WHERE id = ANY($1::uuid[]) AND ${IS_UNCONFIRMED}`, [
      ids,
    ]);
    return ids.length;
  }

  async insertForm(form: StoredForm): Promise<void> {
    const { id, organization_id, project_id, status_page_id, email, monitor_ids, detail, maintenances } =
      form;
    await this.runner.query(
      `INSERT INTO subscription_requests (id, organization_id, project_id, status_page_id, email, monitor_ids, detail,
                                          maintenances)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, organization_id, project_id, status_page_id, email, monitor_ids, detail, maintenances],
    );
  }

  /**
   * Deletes the form of any organization that is due first, if there is one, until the transaction ends. The column rounds to
   * milliseconds, so that a new form can be due half a millisecond later.
   */
  async takeForm(manager: EntityManager): Promise<StoredForm | undefined> {
    const [form] = await this.runner.query<StoredForm>(
      `SELECT id, organization_id, project_id, status_page_id, email, monitor_ids, detail, maintenances
         FROM subscription_requests
        WHERE due_at <= clock_timestamp() + interval '1 millisecond'
        ORDER BY due_at, id
        LIMIT 1
          FOR UPDATE SKIP LOCKED`,
      [],
      manager,
    );
    if (form)
      await this.runner.query(
        'DELETE FROM subscription_requests WHERE organization_id = $1 AND id = $2',
        [form.organization_id, form.id],
        manager,
      );
    return form;
  }

  /** Makes a form due again after a minute. */
  async postponeForm({ organization_id, id }: StoredForm): Promise<void> {
    await this.runner.query(
      `UPDATE subscription_requests
          SET due_at = clock_timestamp() + interval '1 minute'
        WHERE organization_id = $1 AND id = $2`,
      [organization_id, id],
    );
  }

  /** Deletes at most `limit` rows of all organizations that were created before a time. Returns their number. */
  async deleteBefore(
    table: 'subscription_requests' | 'confirmation_mails',
    ms: number,
    limit: number,
  ): Promise<number> {
    // The IDs contain the time.
    return this.runner.count(
      `DELETE FROM ${table} WHERE id IN (
           SELECT id FROM ${table} WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
         ) RETURNING 1`,
      [firstIdAt(ms), limit],
    );
  }
}
