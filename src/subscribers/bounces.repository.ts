import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import { projectCondition } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { BounceType } from './bounces.service.js';
import { BOUNCED_EARLIER } from './recipients.repository.js';

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
const EFFECTS: Record<Exclude<BounceType, 'delivered'>, Effect> = {
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

/** Records bounces in the rows of all subscribers with an address. */
@Injectable()
export class BouncesRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Records the bounce of a message; null: unknown. Uses `subscribers_email_key_idx`. */
  async record(
    { organization_id, project_ids }: ActorAccess,
    type: keyof typeof EFFECTS,
    keys: string[],
    message_id: string | null,
    manager: EntityManager,
  ): Promise<{ id: string; project_id: string; is_suppressed: boolean }[]> {
    const { changes, suppresses, reason, isLiftedByDelivery } = EFFECTS[type];
    const values = [organization_id, project_ids, keys];
    const message = message_id === null ? null : createHash('sha256').update(message_id).digest('base64url');
    return this.runner.queryLocked<{ id: string; project_id: string; is_suppressed: boolean }>(
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
            RETURNING id, project_id, status = 'suppressed' AS is_suppressed`,
        values: [...values, message, reason, isLiftedByDelivery],
      },
      manager,
    );
  }

  /** Ends the effects of earlier soft bounces. Usually finds nothing to change, because most subscribers with a delivery have no bounce. */
  async lift(
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
