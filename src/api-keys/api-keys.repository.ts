import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { LoggedTable } from '../platform/database/logged-table.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { ownRowParameters } from '../platform/database/own-rows.js';
import { ApiKey } from './api-key.entity.js';
import type { Actor, ActorAccess, CurrentApiKey } from '../platform/auth/actor.js';
import type { ApiKeyDto } from './dto/api-key.dto.js';
import type { MeDto } from './dto/me.dto.js';

// A restricted key can access only keys whose projects are all among its own.
const OWN = `organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3`;

// Truncated, because timestamptz(3) rounds. A time that is rounded up would keep a revoked key valid for half a millisecond.
const NOW = `date_trunc('milliseconds', now())`;

/** A locked key. `is_active`: neither revoked nor expired. */
type LockedKey = Pick<CurrentApiKey, 'lineage'> &
  Pick<ApiKey, 'name' | 'scopes' | 'project_ids' | 'expires_at'> & { is_active: boolean };

type Revoked = Pick<ApiKey, 'id' | 'organization_id' | 'name'> & { revoked_at: Date };

/** Reads and writes the table `api_keys`. */
@Injectable()
export class ApiKeysRepository {
  private readonly table: LoggedTable<ApiKey, ApiKeyDto>;
  private readonly me: ResourceTable<ApiKey, MeDto>;

  constructor(
    @InjectRepository(ApiKey) repository: Repository<ApiKey>,
    private readonly runner: StatementRunner,
  ) {
    // All columns except key_hash.
    this.table = new LoggedTable(
      repository,
      runner,
      [
        'id',
        'name',
        'prefix',
        'scopes',
        'project_ids',
        'expires_at',
        'revoked_at',
        'last_used_at',
        'created_at',
      ],
      { created: 'api_key.created', project: null },
    );
    this.me = new ResourceTable(repository, runner, [
      'id',
      'name',
      'prefix',
      'scopes',
      'project_ids',
      'expires_at',
      'organization_id',
    ]);
  }

  /** Returns the keys that a key can access, newest first. */
  async findNewest({ organization_id, project_ids }: ActorAccess, range: Range): Promise<Rows<ApiKeyDto>> {
    return project_ids
      ? this.findNewestOfProjects(organization_id, project_ids, range)
      : this.table.list('organization_id = $1', [organization_id], range);
  }

  /**
   * Returns the keys whose projects are all in `projectIds`, newest first. Reads `api_keys_projects_list_idx` for each first
   * project. A page of results contains keys of at most `limit` first projects, those with the newest keys. So the cost depends
   * on `projectIds` and `limit`, not on the number of keys.
   */
  private async findNewestOfProjects(
    organizationId: string,
    projectIds: string[],
    range: Range,
  ): Promise<Rows<ApiKeyDto>> {
    const newestOf = (columns: string, limit: string) => `
      SELECT ${columns}
        FROM api_keys
       WHERE organization_id = $1 AND project_ids IS NOT NULL AND project_ids[1] = project_id
         AND (cardinality(project_ids) = 1 OR project_ids <@ $2::uuid[])
         ${range.after ? `AND (created_at, id) < ($4::timestamptz, $5::uuid)` : ''}
       ORDER BY created_at DESC, id DESC
       LIMIT ${limit}`;
    const select = `
      WITH newest AS (
        SELECT project_id
          FROM (SELECT DISTINCT unnest($2::uuid[]) AS project_id) AS visible
         CROSS JOIN LATERAL (${newestOf('created_at, id', '1')}) AS key
         ORDER BY created_at DESC, id DESC
         LIMIT $3::int + 1
      )
      SELECT key.*
        FROM newest
       CROSS JOIN LATERAL (${newestOf(this.table.columns, '$3::int + 1')}) AS key
       ORDER BY created_at DESC, id DESC
       LIMIT $3::int + 1`;
    return this.table.listBy(select, [organizationId, projectIds], range);
  }

  async findOwn(access: ActorAccess, id: string): Promise<RawJson<ApiKeyDto> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id));
  }

  /** Returns the calling key. */
  async findMe({
    organization_id,
    id,
  }: Pick<ApiKey, 'organization_id' | 'id'>): Promise<RawJson<MeDto> | undefined> {
    return this.me.find('organization_id = $1 AND id = $2', [organization_id, id]);
  }

  /** @param actor records the key in the log; undefined: the caller records it */
  async insert(
    actor: Actor | undefined,
    key: Omit<ApiKey, 'organization'>,
    manager?: EntityManager,
  ): Promise<void> {
    if (actor) await this.table.insertBy(actor, { ...key }, {}, manager);
    else await this.table.insert({ ...key }, {}, manager);
  }

  /** Returns whether any organization has a key. */
  async any(): Promise<boolean> {
    return (await this.runner.read('SELECT FROM api_keys LIMIT 1', [])).length > 0;
  }

  /** Locks keys until the transaction ends, in ID order to avoid deadlocks. */
  async lockInOrder(organizationId: string, ids: string[], manager: EntityManager): Promise<void> {
    await this.runner.query(
      `SELECT FROM api_keys WHERE organization_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE`,
      [organizationId, ids],
      manager,
    );
  }

  /** Locks a key against changes until the transaction ends, and returns it. */
  async lockOwn(access: ActorAccess, id: string, manager: EntityManager): Promise<LockedKey | undefined> {
    const rows = await this.runner.query<LockedKey>(
      `SELECT COALESCE(lineage, id) AS lineage, name, scopes, project_ids, expires_at,
              revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS is_active
         FROM api_keys
        WHERE ${OWN}
          FOR UPDATE`,
      [access.organization_id, access.project_ids, id],
      manager,
    );
    return rows[0];
  }

  /**
   * Returns the number of keys of an organization that are neither revoked nor expired, at most `limit`. Reads
   * `api_keys_active_idx`.
   */
  async countActive(organizationId: string, limit: number, manager: EntityManager): Promise<number> {
    return this.runner.count(
      `SELECT FROM api_keys
        WHERE organization_id = $1 AND COALESCE(LEAST(expires_at, revoked_at), 'infinity') > now()
        LIMIT $2`,
      [organizationId, limit],
      manager,
    );
  }

  /** Revokes a key in `seconds`, unless it is to be revoked earlier. Returns undefined if the key does not exist. */
  async revokeOwn(
    access: ActorAccess,
    id: string,
    seconds: number,
    manager?: EntityManager,
  ): Promise<Revoked | undefined> {
    const rows = await this.runner.query<Revoked>(
      `UPDATE api_keys
          SET revoked_at = LEAST(revoked_at, ${NOW} + make_interval(secs => $4))
        WHERE ${OWN}
    RETURNING id, organization_id, name, revoked_at`,
      [access.organization_id, access.project_ids, id, seconds],
      manager,
    );
    return rows[0];
  }

  /** Immediately revokes a key of any organization. Only for the administrator. */
  async revokeAny(id: string, manager: EntityManager): Promise<Revoked | undefined> {
    const rows = await this.runner.query<Revoked>(
      `UPDATE api_keys SET revoked_at = LEAST(revoked_at, ${NOW}) WHERE id = $1 RETURNING id, organization_id, name, revoked_at`,
      [id],
      manager,
    );
    return rows[0];
  }

  /** Returns the IDs of at most `count` unrevoked keys with this prefix, in any organization. Only for the administrator. */
  async findIdsByPrefix(prefix: string, count: number): Promise<string[]> {
    const rows = await this.runner.read<{ id: string }>(
      `SELECT id FROM api_keys WHERE prefix = $1 AND (revoked_at IS NULL OR revoked_at > now()) LIMIT $2`,
      [prefix, count],
    );
    return rows.map(({ id }) => id);
  }
}
