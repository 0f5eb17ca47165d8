import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CurrentApiKey } from './current-key.js';

const IS_ACTIVE = `(revoked_at IS NULL OR revoked_at > now()) AND (expires_at IS NULL OR expires_at > now())`;

/** The time at which a key was used. */
export type KeyUse = Pick<CurrentApiKey, 'id' | 'organization_id'> & { at: Date };

/** The statements of authentication on `api_keys`. `ApiKeysRepository` has those of the resource. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The active key with this hash, by the database's clock, which all processes share. Needs no organization: the key names
   * it. `expires_at` is the end of the key by expiry or rotation.
   */
  async findActive(keyHash: Buffer): Promise<CurrentApiKey | undefined> {
    const rows: CurrentApiKey[] = await this.dataSource.query(
      `SELECT id, name, organization_id, scopes, project_ids, LEAST(expires_at, revoked_at) AS expires_at
         FROM api_keys
        WHERE key_hash = $1
          AND ${IS_ACTIVE}`,
      [keyHash],
    );
    return rows[0];
  }

  /**
   * Reads the key in use again if it is active, and locks it until the transaction ends. Uses `clock_timestamp()` instead of
   * `now()`, because the lock can wait for a revocation.
   */
  async lockActive(
    { organization_id, id }: CurrentApiKey,
    manager: EntityManager,
  ): Promise<CurrentApiKey | undefined> {
    const rows: (CurrentApiKey & { is_active: boolean })[] = await manager.query(
      `SELECT id, name, organization_id, scopes, project_ids, LEAST(expires_at, revoked_at) AS expires_at,
              coalesce(LEAST(expires_at, revoked_at) > clock_timestamp(), true) AS is_active
         FROM api_keys
        WHERE organization_id = $1 AND id = $2
          FOR SHARE`,
      [organization_id, id],
    );
    const [row] = rows;
    if (!row?.is_active) return undefined;
    const { is_active: _, ...key } = row;
    return key;
  }

  /**
   * Saves `last_used_at` of authenticated keys in one statement; never sets it back. Locks in the order of ids, like
   * `ApiKeysRepository.lockInOrder`, to avoid deadlocks.
   */
  async saveLastUsed(uses: KeyUse[]): Promise<void> {
    await this.dataSource.query(
      `WITH used AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (organization_id, id, at)
       ), locked AS (
         SELECT FROM api_keys JOIN used USING (organization_id, id) ORDER BY id FOR NO KEY UPDATE OF api_keys
       )
       UPDATE api_keys
          SET last_used_at = GREATEST(api_keys.last_used_at, used.at)
         FROM used, (SELECT count(*) FROM locked) AS all_locked
        WHERE api_keys.organization_id = used.organization_id AND api_keys.id = used.id`,
      [uses.map((use) => use.organization_id), uses.map(({ id }) => id), uses.map(({ at }) => at)],
    );
  }
}
