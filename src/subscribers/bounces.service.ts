import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyAccess } from '../platform/auth/current-key.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { projectCondition } from '../projects/own-rows.js';
import { emailKey, isEmailAddress } from './email-address.js';
import { BOUNCED_EARLIER } from './recipients.service.js';

/** `hard`: the address does not exist. `soft`: temporary or unknown. `complaint`: its owner has reported the mail as spam. */
export const BOUNCE_TYPES = ['hard', 'soft', 'complaint'] as const;

/** A report of a mail provider that mail has bounced, or about its recipient's complaint. */
export interface Bounce {
  email: string;
  type: (typeof BOUNCE_TYPES)[number];
}

/** Numbers of subscribers that are suppressed now, and whose soft bounce was counted. */
export interface RecordedBounces {
  suppressed: number;
  counted: number;
}

const OF_ADDRESSES = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND email_key = ANY($3::text[])`;

const isSuppressed: Record<Bounce['type'], string> = {
  hard: 'true',
  soft: BOUNCED_EARLIER,
  complaint: 'true',
};

/** Records bounces that a mail provider reports later than in the SMTP response, for all subscribers with the address. */
@Injectable()
export class BouncesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: StatementRunner,
  ) {}

  /**
   * Suppresses the subscribers with these addresses that the key can access, or counts a soft bounce. Ignores invalid and unknown
   * addresses. Repeating it has no effect on the same day.
   */
  async record(access: KeyAccess, bounces: Bounce[]): Promise<RecordedBounces> {
    const total: RecordedBounces = { suppressed: 0, counted: 0 };
    if (bounces.length === 0) return total;
    await this.dataSource.transaction(async (manager) => {
      for (const type of BOUNCE_TYPES) {
        const known = bounces.filter((bounce) => bounce.type === type && isEmailAddress(bounce.email));
        if (known.length === 0) continue;
        const keys = [...new Set(known.map(({ email }) => emailKey(email)))];
        for (const { is_suppressed } of await this.recordOf(access, type, keys, manager))
          total[is_suppressed ? 'suppressed' : 'counted'] += 1;
      }
    });
    return total;
  }

  /** Uses `subscribers_email_key_idx`. A complaint replaces the reason `bounced`. */
  private async recordOf(
    { organization_id, project_ids }: KeyAccess,
    type: Bounce['type'],
    keys: string[],
    manager: EntityManager,
  ): Promise<{ is_suppressed: boolean }[]> {
    const values = [organization_id, project_ids, keys];
    const suppresses = isSuppressed[type];
    return this.runner.queryLocked<{ is_suppressed: boolean }>(
      {
        text: `SELECT FROM subscribers WHERE ${OF_ADDRESSES} ORDER BY id FOR NO KEY UPDATE`,
        values,
      },
      {
        text: `UPDATE subscribers
                  SET status = CASE WHEN ${suppresses} THEN 'suppressed' ELSE status END,
                      suppressed_reason = CASE WHEN ${suppresses} THEN $4 END,
                      last_bounced_at = clock_timestamp(), bounce_is_reported = true, updated_at = ${NEXT_VERSION}
                WHERE ${OF_ADDRESSES} AND (status <> 'suppressed' OR (suppressed_reason = 'bounced' AND $4 = 'complained'))
            RETURNING status = 'suppressed' AS is_suppressed`,
        values: [...values, type === 'complaint' ? 'complained' : 'bounced'],
      },
      manager,
    );
  }
}
