import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import { newest } from '../database/statements.js';
import type { Position } from '../database/keyset.js';
import { ApiKey } from './api-key.entity.js';
import type { KeyReach } from '../auth/current-key.js';
import type { ApiKeyDto } from './dto/api-key.dto.js';

// What goes out, by name: never the hash.
const COLUMNS = `id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at`;

// $1 and $2 say whose they must be: a key that is narrowed to some projects sees only keys narrowed to these.
const OWN = `organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[])`;

// As it is stored, to the millisecond, but never rounded up: the key would hold for half a millisecond yet.
const NOW = `date_trunc('milliseconds', now())`;

type Revoked = Pick<ApiKey, 'id'> & { revoked_at: Date };

/** The statements on `api_keys`. */
@Injectable()
export class ApiKeysRepository extends Repository<ApiKey> {
  constructor(dataSource: DataSource) {
    super(ApiKey, dataSource.manager);
  }

  /** At most `count` keys after `after`, newest first. */
  async findNewest(reach: KeyReach, count: number, after: Position | null): Promise<ApiKeyDto[]> {
    const { organization_id, project_ids } = reach;
    if (project_ids) return this.findNewestOfProjects(organization_id, project_ids, count, after);
    const select = `SELECT ${COLUMNS} FROM api_keys WHERE organization_id = $1`;
    return newest(this.manager, { select, parameters: [organization_id] }, count, after);
  }

  /**
   * The same, of the keys that are narrowed to `projectIds`, by their first project: each project has a stretch of
   * `api_keys_projects_list_idx`. At most `count` projects have a key among the newest `count`: those with the newest keys. So
   * the cost grows with `projectIds` and `count`, not with the number of keys.
   */
  private async findNewestOfProjects(
    organizationId: string,
    projectIds: string[],
    count: number,
    after: Position | null,
  ): Promise<ApiKeyDto[]> {
    const newestOf = (columns: string, limit: string) => `
      SELECT ${columns}
        FROM api_keys
       WHERE organization_id = $1 AND project_ids IS NOT NULL AND project_ids[1] = project_id
         AND (cardinality(project_ids) = 1 OR project_ids <@ $2::uuid[])
         ${after ? `AND (created_at, id) < ($4::timestamptz, $5::uuid)` : ''}
       ORDER BY created_at DESC, id DESC
       LIMIT ${limit}`;
    return this.query(
      `WITH newest AS (
         SELECT project_id
           FROM (SELECT DISTINCT unnest($2::uuid[]) AS project_id) AS visible
          CROSS JOIN LATERAL (${newestOf('created_at, id', '1')}) AS key
          ORDER BY created_at DESC, id DESC
          LIMIT $3
       )
       SELECT key.*
         FROM newest
        CROSS JOIN LATERAL (${newestOf(COLUMNS, '$3')}) AS key
        ORDER BY created_at DESC, id DESC
        LIMIT $3`,
      [organizationId, projectIds, count, ...(after ? [after.created_at, after.id] : [])],
    );
  }

  async findOwn(reach: KeyReach, id: string): Promise<ApiKeyDto | undefined> {
    const rows: ApiKeyDto[] = await this.query(`SELECT ${COLUMNS} FROM api_keys WHERE ${OWN} AND id = $3`, [
      reach.organization_id,
      reach.project_ids,
      id,
    ]);
    return rows[0];
  }

  /** Locks keys until the transaction ends: in the order of ids, so that no two transactions wait for each other. */
  async lockInOrder(organizationId: string, ids: string[], manager: EntityManager): Promise<void> {
    await manager.query(
      `SELECT FROM api_keys WHERE organization_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE`,
      [organizationId, ids],
    );
  }

  /** A key, held against other changes until the transaction ends, and whether it holds now. */
  async lockOwn(
    reach: KeyReach,
    id: string,
    manager: EntityManager,
  ): Promise<(ApiKeyDto & { is_active: boolean }) | undefined> {
    const rows: (ApiKeyDto & { is_active: boolean })[] = await manager.query(
      `SELECT ${COLUMNS}, revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS is_active
         FROM api_keys
        WHERE ${OWN} AND id = $3
          FOR UPDATE`,
      [reach.organization_id, reach.project_ids, id],
    );
    return rows[0];
  }

  /** Revokes a key `seconds` from now, unless it is revoked earlier. Undefined: there is no such key. */
  async revokeOwn(
    reach: KeyReach,
    id: string,
    seconds: number,
    manager: EntityManager = this.manager,
  ): Promise<Revoked | undefined> {
    const [rows]: [Revoked[], number] = await manager.query(
      `UPDATE api_keys
          SET revoked_at = LEAST(revoked_at, ${NOW} + make_interval(secs => $4))
        WHERE ${OWN} AND id = $3
    RETURNING id, revoked_at`,
      [reach.organization_id, reach.project_ids, id, seconds],
    );
    return rows[0];
  }

  /** Revokes a key from now on, whatever its organization: for the administrator. */
  async revokeAny(id: string): Promise<Revoked | undefined> {
    const [rows]: [Revoked[], number] = await this.query(
      `UPDATE api_keys SET revoked_at = LEAST(revoked_at, ${NOW}) WHERE id = $1 RETURNING id, revoked_at`,
      [id],
    );
    return rows[0];
  }

  /** At most `count` ids of keys that are not revoked and begin with `prefix`, of any organization: for the administrator. */
  async findIdsByPrefix(prefix: string, count: number): Promise<string[]> {
    const rows: { id: string }[] = await this.query(
      `SELECT id FROM api_keys WHERE prefix = $1 AND (revoked_at IS NULL OR revoked_at > now()) LIMIT $2`,
      [prefix, count],
    );
    return rows.map(({ id }) => id);
  }
}
