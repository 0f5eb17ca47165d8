import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../database/statement-runner.js';
import type { CurrentApiKey } from './actor.js';

/** Columns of an API key that authenticates a request. `expires_at` is the end of the key by expiry or rotation. */
const COLUMNS = `'api_key' AS type, id, COALESCE(lineage, id) AS lineage, name, organization_id, scopes, project_ids,
                 LEAST(expires_at, revoked_at) AS expires_at`;

const IS_ACTIVE = `(revoked_at IS NULL OR revoked_at > now()) AND (expires_at IS NULL OR expires_at > now())`;

/** Time at which a key was used. */
export type KeyUse = Pick<CurrentApiKey, 'id' | 'organization_id'> & { at: Date };

/** Statements on `api_keys` for authentication. `ApiKeysRepository` contains the statements of the resource. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Returns the active key with this hash, by the database clock, which all processes share. Requires no organization, because
   * the key identifies it.
   */
  async findActive(keyHash: Buffer): Promise<CurrentApiKey | undefined> {
    // Not `read`, because a slow read of others on the same connection would delay it.
    const rows = await this.runner.query<CurrentApiKey>(
      `SELECT ${COLUMNS}
         FROM api_keys
        WHERE key_hash = $1
          AND ${IS_ACTIVE}`,
      [keyHash],
    );
    return rows[0];
  }

  /**
   * Reads the calling key again if it is active, and locks it until the transaction ends. Uses `clock_timestamp()` instead of
   * `now()`, because the lock can wait for a revocation.
   */
  async lockActive(
    { organization_id, id }: CurrentApiKey,
    manager: EntityManager,
  ): Promise<CurrentApiKey | undefined> {
    const rows = await this.runner.query<CurrentApiKey & { is_active: boolean }>(
      `SELECT ${COLUMNS},
              coalesce(LEAST(expires_at, revoked_at) > clock_timestamp(), true) AS is_active
         FROM api_keys
        WHERE organization_id = $1 AND id = $2
          FOR SHARE`,
      [organization_id, id],
      manager,
    );
    const [row] = rows;
    if (!row?.is_active) return undefined;
    const { is_active: _, ...key } = row;
    return key;
  }

  /**
   * Saves `last_used_at` of authenticated keys; never sets it back. Locks in ID order, like `ApiKeysRepository.lockInOrder`, to
   * avoid deadlocks.
   */
  async saveLastUsed(uses: KeyUse[]): Promise<void> {
    const ids = uses.map(({ id }) => id);
    const organizations = uses.map((use) => use.organization_id);
    await this.runner.queryLocked(
      {
        text: `SELECT FROM api_keys WHERE organization_id = ANY($1::uuid[]) AND id = ANY($2::uuid[])
                ORDER BY id FOR NO KEY UPDATE`,
        values: [organizations, ids],
      },
      {
        text: `UPDATE api_keys
                  SET last_used_at = GREATEST(api_keys.last_used_at, used.at)
                 FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (organization_id, id, at)
                WHERE api_keys.organization_id = used.organization_id AND api_keys.id = used.id`,
        values: [organizations, ids, uses.map(({ at }) => at)],
      },
    );
  }
}
