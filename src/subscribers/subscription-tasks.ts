import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { firstIdAt } from '../platform/database/first-id.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { Confirmations } from './confirmations.js';
import { emailKey, isEmailAddress } from './email-address.js';
import type { Subscriber } from './subscriber.entity.js';
import { SubscriberLimit } from './subscriber-limit.js';
import type { SubscriptionRequest } from './subscription-request.entity.js';

/** Number of rows that one run of a task handles. */
const BATCH_SIZE = 100;

const DAY_MS = 86_400_000;

/** Periodic work of the delivering processes: the visitors' forms, and rows that have become too old. */
@Injectable()
export class SubscriptionTasks implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tasks: PeriodicTasks,
    private readonly confirmations: Confirmations,
    private readonly monitors: MonitorsService,
    private readonly limit: SubscriberLimit,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'subscription requests',
      every_ms: 1_000,
      run: () => this.handleRequests(),
    });
    this.tasks.add({
      name: 'old subscriptions',
      every_ms: 60_000,
      run: () => this.deleteOld(),
    });
  }

  /**
   * Handles the forms that are due, each in its own transaction. A form that fails is due again after a minute. Returns whether
   * there can be more.
   * @throws Error after the other forms, if one has failed
   */
  private async handleRequests(): Promise<boolean> {
    const failures: unknown[] = [];
    let isLeft = true;
    for (let count = 0; isLeft && count < BATCH_SIZE; count++)
      isLeft = await this.handleNext((error) => failures.push(error));
    if (failures.length > 0)
      throw new Error(`${failures.length} subscription forms failed`, { cause: failures[0] });
    return isLeft;
  }

  /** Returns whether there was a form. */
  private async handleNext(onFailure: (error: unknown) => void): Promise<boolean> {
    let taken: SubscriptionRequest[] = [];
    try {
      await this.dataSource.transaction(async (manager) => {
        taken = await takeNext(manager);
        for (const request of taken) if (isEmailAddress(request.email)) await this.handle(request, manager);
      });
    } catch (error) {
      const [failed] = taken;
      if (!failed) throw error;
      await this.postpone(failed);
      onFailure(error);
    }
    return taken.length > 0;
  }

  private async postpone({ organization_id, id }: SubscriptionRequest): Promise<void> {
    await this.dataSource.query(
      `UPDATE subscription_requests
          SET due_at = clock_timestamp() + interval '1 minute'
        WHERE organization_id = $1 AND id = $2`,
      [organization_id, id],
    );
  }

  private async handle(request: SubscriptionRequest, manager: EntityManager): Promise<void> {
    const email_key = emailKey(request.email);
    if (!(await this.confirmations.isAllowed(email_key, manager))) return;
    let { monitor_ids } = request;
    if (monitor_ids) {
      monitor_ids = [...(await this.monitors.lockExisting(request, monitor_ids, manager))];
      if (monitor_ids.length === 0) return; // all of them have been deleted
    }
    if (!(await this.limit.lockPage(request, manager))) return;
    const wanted = { ...request, monitor_ids, email_key };
    const existing = await this.findExisting(wanted, manager);
    if (existing?.status === 'suppressed') return;
    if (existing?.status === 'active')
      return this.confirmations.send('subscription', { ...wanted, id: existing.id }, manager);
    if (!existing && (await this.limit.room(wanted, manager)) <= 0) return;
    const id = existing
      ? await this.choose(existing.id, wanted, manager)
      : await this.insertPending(wanted, manager);
    await this.confirmations.send('confirmation', { ...wanted, id }, manager);
  }

  private async findExisting(
    { organization_id, status_page_id, email_key }: NewSubscription,
    manager: EntityManager,
  ): Promise<Pick<Subscriber, 'id' | 'status'> | undefined> {
    const rows: Pick<Subscriber, 'id' | 'status'>[] = await manager.query(
      `SELECT id, status FROM subscribers
        WHERE organization_id = $1 AND status_page_id = $2 AND email_key = $3
          FOR NO KEY UPDATE`,
      [organization_id, status_page_id, email_key],
    );
    return rows[0];
  }

  /** Replaces the choices of a pending subscription by the choices of the last form. */
  private async choose(
    id: string,
    { organization_id, monitor_ids, detail, maintenances }: NewSubscription,
    manager: EntityManager,
  ): Promise<string> {
    await manager.query(
      `UPDATE subscribers
          SET monitor_ids = $3, detail = $4, maintenances = $5, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND id = $2`,
      [organization_id, id, monitor_ids, detail, maintenances],
    );
    return id;
  }

  /** Inserts a subscription. No other transaction can add the address, because the page is locked. */
  private async insertPending(
    { organization_id, project_id, status_page_id, email, email_key, ...choices }: NewSubscription,
    manager: EntityManager,
  ): Promise<string> {
    const { monitor_ids, detail, maintenances } = choices;
    const id = uuidv7();
    await manager.query(
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
        new Date(),
      ],
    );
    return id;
  }

  /**
   * Deletes addresses that have not been confirmed for 7 days, forms that have failed for a day, and the counts of confirmations
   * after a day. Of all organizations.
   */
  private async deleteOld(): Promise<boolean> {
    const unconfirmed = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM subscribers WHERE ${IS_UNCONFIRMED} LIMIT $1`,
      [BATCH_SIZE],
    );
    const ids = unconfirmed.map(({ id }) => id);
    await this.dataSource.query(`DELETE FROM subscribers WHERE id = ANY($1::uuid[]) AND ${IS_UNCONFIRMED}`, [
      ids,
    ]);
    const counts = [ids.length];
    for (const table of ['subscription_requests', 'confirmation_mails']) {
      // The IDs contain the time.
      const [deleted] = await this.dataSource.query<{ count: number }[]>(
        `WITH deleted AS (
           DELETE FROM ${table} WHERE id IN (
             SELECT id FROM ${table} WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
           ) RETURNING 1
         )
         SELECT count(*)::integer AS count FROM deleted`,
        [firstIdAt(Date.now() - DAY_MS), BATCH_SIZE],
      );
      counts.push(deleted?.count ?? 0);
    }
    return counts.includes(BATCH_SIZE);
  }
}

/**
 * An address whose owner has not confirmed the last form for 7 days. An address that does not exist also counts, but not one
 * whose owner has complained. The condition on `created_at` uses `subscribers_unconfirmed_idx`.
 */
const IS_UNCONFIRMED = `confirmed_at IS NULL AND (status = 'pending' OR suppressed_reason = 'bounced')
  AND created_at < clock_timestamp() - interval '7 days' AND updated_at < clock_timestamp() - interval '7 days'`;

/** Deletes the form that is due first, if there is one, until the transaction ends. */
async function takeNext(manager: EntityManager): Promise<SubscriptionRequest[]> {
  const taken: SubscriptionRequest[] = await manager.query(
    `SELECT id, organization_id, project_id, status_page_id, email, monitor_ids, detail, maintenances
       FROM subscription_requests
      WHERE due_at <= clock_timestamp()
      ORDER BY due_at, id
      LIMIT 1
        FOR UPDATE SKIP LOCKED`,
  );
  for (const { organization_id, id } of taken)
    await manager.query('DELETE FROM subscription_requests WHERE organization_id = $1 AND id = $2', [
      organization_id,
      id,
    ]);
  return taken;
}

type NewSubscription = Omit<SubscriptionRequest, 'id' | 'created_at' | 'due_at' | 'project'> &
  Pick<Subscriber, 'email_key'>;
