import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { type ListPage, type ListQuery, readListPage } from '../platform/pagination/list-page.js';
import {
  type FieldError,
  notFound,
  pointerTo,
  Problem,
  validationFailed,
} from '../platform/problems/problem.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import {
  type Actor,
  type ActorAccess,
  canAccessProject,
  commandLine,
  endOf,
} from '../platform/auth/actor.js';
import type { ApiKeyDto, NewApiKeyDto } from './dto/api-key.dto.js';
import type { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import type { MeDto } from './dto/me.dto.js';
import type { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { generateKey, PREFIX_LENGTH } from '../platform/auth/key-format.js';
import { ApiKeyAuthenticator } from '../platform/auth/api-key-authenticator.js';
import { invalidApiKey } from '../platform/auth/invalid-api-key.js';
import { hashToken } from '../platform/auth/token-format.js';
import { keysOf, outlives, requireApiKey, requireScopes } from './calling-key.js';

/** Maximum number of keys per organization that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS = 1_000;

type NewApiKey = Pick<ApiKey, 'name' | 'scopes' | 'project_ids' | 'expires_at'> &
  Partial<Pick<ApiKey, 'id' | 'lineage'>>;

/** Creates, rotates and revokes API keys. `auth/` authenticates requests with them. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ApiKeysRepository,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly joined: JoinedTransaction,
    private readonly log: WriteLog,
  ) {}

  /**
   * Returns the calling key.
   * @throws Problem 401 `invalid_api_key` if it no longer exists; 403 `forbidden` if the actor is not a key
   */
  async describe(actor: Actor): Promise<RawJson<MeDto>> {
    const me = await this.repository.findMe(requireApiKey(actor));
    if (!me) throw invalidApiKey();
    return me;
  }

  /** Lists the keys that the calling key can access, newest first, including revoked and expired keys. */
  async list(access: ActorAccess, query: ListQuery): Promise<ListPage<ApiKeyDto>> {
    const list = { name: 'api_keys', owner_id: access.organization_id };
    return readListPage(list, query, (range) => this.repository.findNewest(access, range));
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string): Promise<RawJson<ApiKeyDto>> {
    return (await this.repository.findOwn(access, id)) ?? throwNotFound();
  }

  /**
   * Creates a key with at most the scopes, projects and lifetime of the actor. A member has no end.
   * @throws Problem 403 `insufficient_scope` for scopes that the actor lacks; 400 `validation_failed` for projects that
   * it cannot access, or a later expiry; 409 `conflict` if the organization has {@link MAX_ACTIVE_KEYS}
   */
  async create(actor: Actor, newKey: CreateApiKeyDto): Promise<NewApiKeyDto> {
    requireScopes(actor, newKey.scopes, '#/scopes');
    const { project_ids: requested } = newKey;
    // Checks only the requested projects, because a project of the actor may have been deleted.
    const accessible = requested?.filter((id) => canAccessProject(actor, id)) ?? [];
    const known = await this.projects.existing(actor.organization_id, accessible);
    return this.dataSource.transaction(async (manager) => {
      await this.organizations.lock(actor.organization_id, manager);
      await this.repository.lockInOrder(actor.organization_id, keysOf(actor), manager);
      const creator = await this.authenticator.lockActor(actor, manager);
      const end = endOf(creator);
      const project_ids = requested === undefined ? creator.project_ids : requested;
      const expires_at = newKey.expires_at === undefined ? end : newKey.expires_at;
      const errors: FieldError[] = [];
      if (project_ids === null && creator.project_ids !== null)
        errors.push({
          code: 'not_granted',
          detail: 'must not be null because the calling key is restricted to some projects',
          pointer: '#/project_ids',
        });
      if (outlives(expires_at, end))
        errors.push({
          code: 'out_of_range',
          detail: 'must not be later than the expiry of the calling key',
          pointer: '#/expires_at',
        });
      for (const [index, id] of (requested ?? []).entries()) {
        if (known.has(id)) continue;
        const detail = 'is not a project that the calling key can access';
        errors.push({ code: 'unknown_project', detail, pointer: pointerTo(['project_ids', index]) });
      }
      if (errors.length > 0) throw validationFailed(errors);
      const { name, scopes } = newKey;
      await this.requireRoom(creator.organization_id, manager, 'Revoke or rotate an unused key.');
      return this.createIn(actor, { name, scopes, project_ids, expires_at }, manager);
    });
  }

  /**
   * Creates a key for existing projects of the actor's organization, without a limit on their number. Only the return value
   * contains the secret.
   */
  async createIn(actor: Actor, newKey: NewApiKey, manager?: EntityManager): Promise<NewApiKeyDto> {
    return this.insert(actor.organization_id, newKey, actor, manager);
  }

  private async insert(
    organization_id: string,
    newKey: NewApiKey,
    actor: Actor | undefined,
    manager?: EntityManager,
  ): Promise<NewApiKeyDto> {
    const key = generateKey();
    const { id = uuidv7(), lineage = null, name, scopes, project_ids, expires_at } = newKey;
    const fields = {
      id,
      name,
      prefix: key.slice(0, PREFIX_LENGTH),
      scopes,
      project_ids,
      expires_at,
      revoked_at: null,
      last_used_at: null,
      created_at: new Date(),
    };
    const row = { ...fields, organization_id, lineage, key_hash: hashToken(key) };
    await this.repository.insert(actor, row, manager);
    return { ...fields, key };
  }

  /**
   * Replaces a key with a new one with the same fields. The old key stays valid for `overlap_seconds`.
   * @throws Problem 404 `not_found`; 403 `insufficient_scope` or `forbidden` for a key with more scopes or a later expiry than
   * the actor; 409 `conflict` for a revoked, expired or rotated key, or, with an overlap, if the organization has
   * {@link MAX_ACTIVE_KEYS}
   */
  async rotate(actor: Actor, id: string, { overlap_seconds }: RotateApiKeyDto): Promise<NewApiKeyDto> {
    const { organization_id } = actor;
    const rotated = await this.dataSource.transaction(async (manager) => {
      if (overlap_seconds > 0) await this.organizations.lock(organization_id, manager);
      await this.repository.lockInOrder(organization_id, [...keysOf(actor), id], manager);
      const end = endOf(await this.authenticator.lockActor(actor, manager));
      const old = (await this.repository.lockOwn(actor, id, manager)) ?? throwNotFound();
      if (!old.is_active)
        throw new Problem('conflict', { detail: 'The API key is revoked, expired or already rotated' });
      requireScopes(actor, old.scopes);
      if (outlives(old.expires_at, end))
        throw new Problem('forbidden', {
          detail: 'Cannot rotate a key that expires later than the calling key',
        });
      // Without an overlap, the number of active keys stays the same.
      if (overlap_seconds > 0)
        await this.requireRoom(organization_id, manager, 'Set overlap_seconds to 0, or revoke another key.');
      await this.repository.revokeOwn(actor, id, overlap_seconds, manager);
      const { lineage, name, scopes, project_ids, expires_at } = old;
      const newKey = { lineage, name, scopes, project_ids, expires_at };
      const created = await this.insert(organization_id, newKey, undefined, manager);
      const data = { rotated_id: id, overlap_seconds };
      const entry = { actor, project_id: null, resource_id: created.id, data };
      await this.log.record({ type: 'api_key.rotated', ...entry }, manager);
      return created;
    });
    this.joined.afterCommit(() => this.authenticator.clearCache());
    return rotated;
  }

  /** @throws Problem 409 `conflict` if the organization has {@link MAX_ACTIVE_KEYS}. The caller must have locked it. */
  private async requireRoom(organizationId: string, manager: EntityManager, advice: string): Promise<void> {
    const active = await this.repository.countActive(organizationId, MAX_ACTIVE_KEYS, manager);
    if (active < MAX_ACTIVE_KEYS) return;
    const detail = `The organization has ${MAX_ACTIVE_KEYS} active API keys, which is the maximum. ${advice}`;
    throw new Problem('conflict', { detail });
  }

  /**
   * Revokes a key immediately. A key that is already revoked does not change.
   * @throws Problem 404 `not_found`
   */
  async revoke(actor: Actor, id: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.repository.lockOwn(actor, id, manager);
      const revoked = (await this.repository.revokeOwn(actor, id, 0, manager)) ?? throwNotFound();
      await this.recordRevocation(actor, revoked, manager);
    });
    this.joined.afterCommit(() => this.authenticator.clearCache());
  }

  private async recordRevocation(
    actor: Actor,
    { id, name, revoked_at }: { id: string; name: string; revoked_at: Date },
    manager: EntityManager,
  ): Promise<void> {
    const entry = { actor, project_id: null, resource_id: id, data: { name, revoked_at } };
    return this.log.record({ type: 'api_key.revoked', ...entry }, manager);
  }

  /**
   * Revokes a key of any organization. Only for the administrator (the CLI).
   * @throws Problem 404 `not_found`
   */
  async revokeForAdministrator(id: string): Promise<{ id: string; revoked_at: Date }> {
    const { revoked_at } = await this.dataSource.transaction(async (manager) => {
      const row = (await this.repository.revokeAny(id, manager)) ?? throwNotFound();
      await this.recordRevocation(commandLine('api-key revoke', row.organization_id), row, manager);
      return row;
    });
    this.authenticator.clearCache();
    return { id, revoked_at };
  }

  /** Returns up to 10 unrevoked keys with this prefix, in any organization. Only for the administrator. */
  async findByPrefixForAdministrator(prefix: string): Promise<string[]> {
    return this.repository.findIdsByPrefix(prefix, 10);
  }

  /** Returns whether any organization has a key. */
  any(): Promise<boolean> {
    return this.repository.any();
  }
}

function throwNotFound(): never {
  throw notFound('API key');
}
