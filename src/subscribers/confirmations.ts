import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { AddressMails } from './address-mails.js';

/** Mail about a subscription itself: to confirm it, or with the link to change it. */
export type ConfirmationKind = 'confirmation' | 'subscription';

/** A subscriber who gets a confirmation. */
export type ConfirmationRecipient = ProjectRef & { id: string; email_key: string };

/** Sends mail about subscriptions that anybody can cause by entering an address. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly mails: AddressMails,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Returns whether the address may get another confirmation, as {@link AddressMails.allowsConfirmation}. */
  async isAllowed(emailKey: string, manager: EntityManager): Promise<boolean> {
    return this.mails.allowsConfirmation(emailKey, manager);
  }

  /** Returns the addresses that may get another confirmation, as {@link AddressMails.allowingConfirmation}. */
  async allowedOf(emailKeys: string[], manager: EntityManager): Promise<Set<string>> {
    return this.mails.allowingConfirmation(emailKeys, manager);
  }

  /** Creates the delivery of a confirmation, and counts it. */
  async send(
    kind: ConfirmationKind,
    recipient: ConfirmationRecipient,
    manager: EntityManager,
  ): Promise<void> {
    await this.sendAll(kind, [recipient], manager);
  }

  /** Creates the deliveries of confirmations, and counts them. */
  async sendAll(
    kind: ConfirmationKind,
    recipients: ConfirmationRecipient[],
    manager: EntityManager,
  ): Promise<void> {
    if (recipients.length === 0) return;
    await this.mails.addConfirmations(
      recipients.map(({ email_key }) => email_key),
      manager,
    );
    const deliveries = recipients.map(({ id, organization_id, project_id }) => ({
      organization_id,
      project_id,
      channel: 'email',
      kind,
      recipient_id: id,
    }));
    await this.deliveries.enqueue(deliveries, manager);
  }
}
