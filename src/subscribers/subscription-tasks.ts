import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { Confirmations } from './confirmations.js';
import { emailKey, isEmailAddress } from './email-address.js';
import { SubscriberLimit } from './subscriber-limit.js';
import { type StoredForm, SubscriptionsRepository } from './subscriptions.repository.js';

/** Number of rows that one run of a task handles. */
const BATCH_SIZE = 100;

const DAY_MS = 86_400_000;

/** Periodic work of the delivering processes: the visitors' forms, and rows that have become too old. */
@Injectable()
export class SubscriptionTasks implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: SubscriptionsRepository,
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
    let form: StoredForm | undefined;
    try {
      await this.dataSource.transaction(async (manager) => {
        form = await this.repository.takeForm(manager);
        if (form && isEmailAddress(form.email)) await this.handle(form, manager);
      });
    } catch (error) {
      if (!form) throw error;
      await this.repository.postponeForm(form);
      onFailure(error);
    }
    return form !== undefined;
  }

  private async handle(request: StoredForm, manager: EntityManager): Promise<void> {
    const email_key = emailKey(request.email);
    if (!(await this.confirmations.isAllowed(email_key, manager))) return;
    let { monitor_ids } = request;
    if (monitor_ids) {
      monitor_ids = [...(await this.monitors.lockExisting(request, monitor_ids, manager))];
      if (monitor_ids.length === 0) return; // all of them have been deleted
    }
    if (!(await this.limit.lockPage(request, manager))) return;
    const wanted = { ...request, monitor_ids, email_key };
    const existing = await this.repository.lockOfAddress(wanted, manager);
    if (existing?.status === 'suppressed') return;
    if (existing?.status === 'active')
      return this.confirmations.send('subscription', { ...wanted, id: existing.id }, manager);
    if (!existing && (await this.limit.room(wanted, manager)) <= 0) return;
    const id = existing?.id ?? (await this.repository.insertPending(wanted, manager));
    // The last form replaces the choices of a pending subscription.
    if (existing) await this.repository.choose({ ...wanted, id }, wanted, manager);
    await this.confirmations.send('confirmation', { ...wanted, id }, manager);
  }

  /**
   * Deletes addresses that have not been confirmed for 7 days, forms that have failed for a day, and the counts of confirmations
   * after a day. Of all organizations.
   */
  private async deleteOld(): Promise<boolean> {
    const before = Date.now() - DAY_MS;
    const counts = [
      await this.repository.deleteUnconfirmed(BATCH_SIZE),
      await this.repository.deleteBefore('subscription_requests', before, BATCH_SIZE),
      await this.repository.deleteBefore('confirmation_mails', before, BATCH_SIZE),
    ];
    return counts.includes(BATCH_SIZE);
  }
}
