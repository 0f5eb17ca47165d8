import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { ApiKey } from './api-key.entity.js';
import type { CurrentApiKey } from './current-key.js';

/** The statements on `api_keys`. */
@Injectable()
export class ApiKeysRepository extends Repository<ApiKey> {
  constructor(dataSource: DataSource) {
    super(ApiKey, dataSource.manager);
  }

  /** The key with this hash, which says its organization, if it holds now: by the clock of the database, which all processes share. */
  async findHolding(keyHash: Buffer): Promise<CurrentApiKey | undefined> {
    const rows: CurrentApiKey[] = await this.query(
      `SELECT id, organization_id, scopes, project_ids
         FROM api_keys
        WHERE key_hash = $1
          AND (revoked_at IS NULL OR revoked_at > now())
          AND (expires_at IS NULL OR expires_at > now())`,
      [keyHash],
    );
    return rows[0];
  }

  /** Revokes a key from now on, whatever its organization: for the administrator. */
  async revoke(id: string): Promise<{ id: string; revoked_at: Date } | undefined> {
    const [rows]: [{ id: string; revoked_at: Date }[], number] = await this.query(
      `UPDATE api_keys
          SET revoked_at = LEAST(revoked_at, now())
        WHERE id = $1
    RETURNING id, revoked_at`,
      [id],
    );
    return rows[0];
  }

  /** Writes when keys, which the caller has authenticated, were last used: in one statement, never back in time. */
  async markUsed(lastUsed: ReadonlyMap<string, Date>): Promise<void> {
    await this.query(
      `UPDATE api_keys
          SET last_used_at = GREATEST(api_keys.last_used_at, used.at)
         FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)
        WHERE api_keys.id = used.id`,
      [[...lastUsed.keys()], [...lastUsed.values()]],
    );
  }
}
