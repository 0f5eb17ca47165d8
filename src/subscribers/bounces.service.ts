import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WriteLog } from '../platform/database/write-log.repository.js';
import type { Actor } from '../platform/auth/actor.js';
import { BouncesRepository } from './bounces.repository.js';
import { emailKey, isEmailAddress } from './email-address.js';

/**
 * `hard`: the address does not exist. `soft`: the provider has given up, for another reason. `complaint`: its owner has reported
 * the mail as spam. `delivered`: the mail has arrived. A failure that is still retried is none of them.
 */
export const BOUNCE_TYPES = ['hard', 'soft', 'complaint', 'delivered'] as const;

export type BounceType = (typeof BOUNCE_TYPES)[number];

/** A report of a mail provider about the recipients of a message. */
export interface Bounce {
  type: BounceType;
  emails: string[];
  /** Identifies the message, in the form of the provider; null: unknown. */
  message_id: string | null;
}

/** Numbers of subscribers that are suppressed now, and whose soft bounce was counted. */
export interface RecordedBounces {
  suppressed: number;
  counted: number;
}

/** Records bounces that a mail provider reports later than in the SMTP response, for all subscribers with the address. */
@Injectable()
export class BouncesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: BouncesRepository,
    private readonly log: WriteLog,
  ) {}

  /**
   * Suppresses the subscribers with these addresses that the actor can access, or counts a soft bounce, once for each message. A
   * delivery ends the effects of earlier soft bounces. Ignores invalid and unknown addresses.
   */
  async record(actor: Actor, bounces: Bounce[]): Promise<RecordedBounces> {
    const total: RecordedBounces = { suppressed: 0, counted: 0 };
    if (bounces.length === 0) return total;
    await this.dataSource.transaction(async (manager) => {
      for (const { type, emails, message_id } of bounces) {
        const keys = [...new Set(emails.filter(isEmailAddress).map(emailKey))];
        if (keys.length === 0) continue;
        if (type === 'delivered') await this.repository.lift(actor, keys, manager);
        else
          for (const { id: resource_id, project_id, is_suppressed } of await this.repository.record(
            actor,
            type,
            keys,
            message_id,
            manager,
          )) {
            total[is_suppressed ? 'suppressed' : 'counted'] += 1;
            const entry = { actor, project_id, resource_id, data: { reason: type } };
            if (is_suppressed) await this.log.record({ type: 'subscriber.suppressed', ...entry }, manager);
          }
      }
    });
    return total;
  }
}
