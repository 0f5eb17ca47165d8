import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { projectCondition } from '../projects/own-rows.js';
import { emailKey, isEmailAddress } from './email-address.js';
import { BOUNCED_EARLIER } from './recipients.service.js';

/**
 * `hard`: the address does not exist. `soft`: the provider has given up, for another reason. `complaint`: its owner has reported
 * the mail as spam. `delivered`: the mail has arrived. A failure that is still retried is none of them.
 */
export const BOUNCE_TYPES = ['hard', 'soft', 'complaint', 'delivered'] as const;

/** A report of a mail provider about the recipients of a message. */
export interface Bounce {
  type: (typeof BOUNCE_TYPES)[number];
  emails: string[];
  /** Identifies the message, in the form of the provider; null: unknown. */
  message_id: string | null;
}

/** Numbers of subscribers that are suppressed now, and whose soft bounce was counted. */
export interface RecordedBounces {
  suppressed: number;
  counted: number;
}

const OF_ADDRESSES = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND email_key = ANY($3::text[])`;

/** Number of messages of a subscriber whose bounce is recognized when it is reported again. */
const KNOWN_MESSAGES = 32;

const BY_SOFT_BOUNCES = `status = 'suppressed' AND suppressed_reason = 'bounced' AND is_lifted_by_delivery`;

interface Effect {
  /** SQL condition of the subscribers that it changes. */
  changes: string;
  /** SQL condition of those that it suppresses. */
  suppresses: string;
  reason: 'bounced' | 'complained';
  isLiftedByDelivery: boolean;
}

/** `$4` is the hash of the message, or null. A complaint replaces the reason `bounced`, a hard bounce the soft ones. */
const EFFECTS: Record<Exclude<Bounce['type'], 'delivered'>, Effect> = {
  hard: {
    changes: `(status <> 'suppressed' OR (${BY_SOFT_BOUNCES}))`,
    suppresses: 'true',
    reason: 'bounced',
    isLiftedByDelivery: false,
  },
  soft: {
    changes: `status <> 'suppressed' AND ($4::text IS NULL OR $4 <> ALL(bounced_messages))`,
    suppresses: BOUNCED_EARLIER,
    reason: 'bounced',
    isLiftedByDelivery: true,
  },
  complaint: {
    changes: `(status <> 'suppressed' OR suppressed_reason = 'bounced')`,
    suppresses: 'true',
    reason: 'complained',
    isLiftedByDelivery: false,
  },
};

/** Records bounces that a mail provider reports later than in the SMTP response, for all subscribers with the address. */
@Injectable()
export class BouncesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: StatementRunner,
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
        if (type === 'delivered') await this.lift(actor, keys, manager);
        else
          for (const { is_suppressed } of await this.recordOf(
            actor,
            EFFECTS[type],
            keys,
            message_id,
            manager,
          ))
            total[is_suppressed ? 'suppressed' : 'counted'] += 1;
      }
    });
    return total;
  }

  /** Uses `subscribers_email_key_idx`. */
  private async recordOf(
    { organization_id, project_ids }: ActorAccess,
    { changes, suppresses, reason, isLiftedByDelivery }: Effect,
    keys: string[],
    message_id: string | null,
    manager: EntityManager,
  ): Promise<{ is_suppressed: boolean }[]> {
    const values = [organization_id, project_ids, keys];
    const message = message_id === null ? null : createHash('sha256').update(message_id).digest('base64url');
    return this.runner.queryLocked<{ is_suppressed: boolean }>(
      {
        text: `SELECT FROM subscribers WHERE ${OF_ADDRESSES} ORDER BY id FOR NO KEY UPDATE`,
        values,
      },
      {
        text: `UPDATE subscribers
                  SET status = CASE WHEN ${suppresses} THEN 'suppressed' ELSE status END,
                      suppressed_reason = CASE WHEN ${suppresses} THEN $5 END,
                      is_lifted_by_delivery = $6,
                      bounced_messages = CASE WHEN $4::text IS NULL THEN bounced_messages
                        ELSE ($4 || bounced_messages)[1:${KNOWN_MESSAGES}] END,
                      last_bounced_at = clock_timestamp(), bounce_is_reported = true, updated_at = ${NEXT_VERSION}
                WHERE ${OF_ADDRESSES} AND ${changes}
            RETURNING status = 'suppressed' AS is_suppressed`,
        values: [...values, message, reason, isLiftedByDelivery],
      },
      manager,
    );
  }

  /** Usually finds nothing to change, because most subscribers with a delivery have no bounce. */
  private async lift(
    { organization_id, project_ids }: ActorAccess,
    keys: string[],
    manager: EntityManager,
  ): Promise<void> {
    const values = [organization_id, project_ids, keys];
    const isConcerned = `${OF_ADDRESSES} AND ((${BY_SOFT_BOUNCES}) OR (status <> 'suppressed' AND last_bounced_at IS NOT NULL))`;
    await this.runner.queryLocked(
      { text: `SELECT FROM subscribers WHERE ${isConcerned} ORDER BY id FOR NO KEY UPDATE`, values },
      {
        text: `UPDATE subscribers
                  SET status = CASE WHEN status <> 'suppressed' THEN status
                                    WHEN confirmed_at IS NULL THEN 'pending' ELSE 'active' END,
                      suppressed_reason = NULL, last_bounced_at = NULL, updated_at = ${NEXT_VERSION}
                WHERE ${isConcerned}`,
        values,
      },
      manager,
    );
  }
}
