import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Maximum number of confirmations that an address gets in 24 hours, for all status pages together. */
export const MAX_CONFIRMATIONS = 5;

/** Mail about a subscription itself: to confirm it, or with the link to change it. */
export type ConfirmationKind = 'confirmation' | 'subscription';

/** Advisory lock that a transaction shares for one address, and holds alone for many. */
const ALL_ADDRESSES = 'confirmations';

const SINCE_YESTERDAY = `created_at > clock_timestamp() - interval '1 day'`;

/** A subscriber who gets a confirmation. */
export type ConfirmationRecipient = ProjectRef & { id: string; email_key: string };

/** Limits and sends mail that anybody can cause by entering an address. */
@Injectable()
export class Confirmations {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** Returns whether the address may get another confirmation. Concurrent transactions with the same address wait. */
  async isAllowed(emailKey: string, manager: EntityManager): Promise<boolean> {
    const hashes = this.erasures.hashesOf(emailKey);
    await manager.query(
      'SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0)), pg_advisory_xact_lock(hashtextextended($2, 0))',
      [ALL_ADDRESSES, hashes[0].toString('hex')],
    );
    const rows: unknown[] = await manager.query(
      `SELECT FROM confirmation_mails WHERE email_hash = ANY($1::bytea[]) AND ${SINCE_YESTERDAY} LIMIT $2`,
      [hashes, MAX_CONFIRMATIONS],
    );
    return rows.length < MAX_CONFIRMATIONS;
  }

  /**
   * Returns the addresses that may get another confirmation. For more than one, concurrent transactions wait, because a lock for
   * each of many addresses could exceed the number of locks that PostgreSQL can hold.
   */
  async allowedOf(emailKeys: string[], manager: EntityManager): Promise<Set<string>> {
    const [only] = emailKeys;
    if (only !== undefined && emailKeys.length === 1)
      return new Set((await this.isAllowed(only, manager)) ? [only] : []);
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [ALL_ADDRESSES]);
    const hashes = emailKeys.map((key) => ({ key, hashes: this.erasures.hashesOf(key) }));
    const rows: { email_hash: Buffer; count: number }[] = await manager.query(
      `SELECT email_hash, count(*)::integer AS count
         FROM confirmation_mails
        WHERE email_hash = ANY($1::bytea[]) AND ${SINCE_YESTERDAY}
        GROUP BY email_hash`,
      [hashes.flatMap(({ hashes: all }) => all)],
    );
    const counts = new Map(rows.map(({ email_hash, count }) => [email_hash.toString('hex'), count]));
    const sent = (all: Buffer[]) =>
      all.reduce((sum, hash) => sum + (counts.get(hash.toString('hex')) ?? 0), 0);
    return new Set(hashes.flatMap((one) => (sent(one.hashes) < MAX_CONFIRMATIONS ? [one.key] : [])));
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
    await manager.query(
      `INSERT INTO confirmation_mails (id, email_hash, created_at)
       SELECT id, email_hash, clock_timestamp() FROM unnest($1::uuid[], $2::bytea[]) AS new (id, email_hash)`,
      [
        recipients.map(() => uuidv7()),
        recipients.map(({ email_key }) => this.erasures.hashesOf(email_key)[0]),
      ],
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
