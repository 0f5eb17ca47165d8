import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import {
  type ListPage,
  type ListQuery,
  resolveCursor,
  toListPage,
} from '../platform/pagination/list-page.js';
import {
  type FieldError,
  notFound,
  pointerTo,
  Problem,
  validationFailed,
} from '../platform/problems/problem.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { type ActorAccess, canAccessProject, type CurrentApiKey } from '../platform/auth/actor.js';
import type { ApiKeyDto, NewApiKeyDto } from './dto/api-key.dto.js';
import type { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import type { MeDto } from './dto/me.dto.js';
import type { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { generateKey, PREFIX_LENGTH } from '../platform/auth/key-format.js';
import { ApiKeyAuthenticator } from '../platform/auth/api-key-authenticator.js';
import { invalidApiKey } from '../platform/auth/invalid-api-key.js';
import { hashToken } from '../platform/auth/token-format.js';
import { insufficientScope } from '../platform/auth/scope.guard.js';
import type { Scope } from '../platform/auth/scopes.js';

/** Maximum number of keys per organization that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS = 1_000;

type NewApiKey = Pick<ApiKey, 'organization_id' | 'name' | 'scopes' | 'project_ids' | 'expires_at'> &
  Partial<Pick<ApiKey, 'id' | 'lineage'>>;

/** Creates, rotates and revokes API keys. `auth/` authenticates requests with them. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly joined: JoinedTransaction,
  ) {}

  /**
   * Returns the calling key.
   * @throws Problem 401 `invalid_api_key` if it no longer exists
   */
  async describe(key: CurrentApiKey): Promise<RawJson<MeDto>> {
    const me = await this.repository.findMe(key);
    if (!me) throw invalidApiKey();
    return me;
  }

  /** Lists the keys that the calling key can access, newest first, including revoked and expired keys. */
  async list(access: ActorAccess, { limit, cursor }: ListQuery): Promise<ListPage<ApiKeyDto>> {
    const list = { name: 'api_keys', owner_id: access.organization_id };
    const after = resolveCursor(list, cursor);
    return toListPage(list, await this.repository.findNewest(access, { limit, after }));
  }

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<RawJson<ApiKeyDto>> {
    const apiKey = await this.repository.findOwn(key, id);
    if (!apiKey) throw notFound('API key');
    return apiKey;
  }

  /**
   * Creates a key with at most the scopes, projects and lifetime of the calling key.
   * @throws Problem 403 `insufficient_scope` for scopes that the calling key lacks; 400 `validation_failed` for projects that
   * it cannot access, or a later expiry; 409 `conflict` if the organization has {@link MAX_ACTIVE_KEYS}
   */
  async create(key: CurrentApiKey, newKey: CreateApiKeyDto): Promise<NewApiKeyDto> {
    requireScopes(key, newKey.scopes, '#/scopes');
    const { project_ids: requested } = newKey;
    // Checks only the requested projects, because a project of the calling key may have been deleted.
    const accessible = requested?.filter((id) => canAccessProject(key, id)) ?? [];
    const known = await this.projects.existing(key.organization_id, accessible);
    return this.repository.manager.transaction(async (manager) => {
      await this.organizations.lock(key.organization_id, manager);
      // The response to an idempotent request references the first key of the rotations.
      await this.repository.lockInOrder(key.organization_id, [key.lineage, key.id], manager);
      const creator = await this.authenticator.lockActive(key, manager);
      const project_ids = requested === undefined ? creator.project_ids : requested;
      const expires_at = newKey.expires_at === undefined ? creator.expires_at : newKey.expires_at;
      const errors: FieldError[] = [];
      if (project_ids === null && creator.project_ids !== null)
        errors.push({
          code: 'not_granted',
          detail: 'must not be null because the calling key is restricted to some projects',
          pointer: '#/project_ids',
        });
      if (outlives(expires_at, creator.expires_at))
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
      const { organization_id } = creator;
      await this.requireRoom(organization_id, manager, 'Revoke or rotate an unused key.');
      return this.createIn({ organization_id, name, scopes, project_ids, expires_at }, manager);
    });
  }

  /**
   * Creates a key for existing projects of an organization, without a limit on their number. Only the return value contains the
   * secret.
   */
  async createIn(newKey: NewApiKey, manager = this.repository.manager): Promise<NewApiKeyDto> {
    const key = generateKey();
    const { id = uuidv7(), lineage = null, organization_id, name, scopes, project_ids, expires_at } = newKey;
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
    await manager.insert(ApiKey, { ...fields, organization_id, lineage, key_hash: hashToken(key) });
    return { ...fields, key };
  }

  /**
   * Replaces a key with a new one with the same fields. The old key stays valid for `overlap_seconds`.
   * @throws Problem 404 `not_found`; 403 `insufficient_scope` or `forbidden` for a key with more scopes or a later expiry than
   * the calling key; 409 `conflict` for a revoked, expired or rotated key, or, with an overlap, if the organization has
   * {@link MAX_ACTIVE_KEYS}
   */
  async rotate(key: CurrentApiKey, id: string, { overlap_seconds }: RotateApiKeyDto): Promise<NewApiKeyDto> {
    const rotated = await this.repository.manager.transaction(async (manager) => {
      if (overlap_seconds > 0) await this.organizations.lock(key.organization_id, manager);
      await this.repository.lockInOrder(key.organization_id, [key.lineage, key.id, id], manager);
      const { expires_at: end } = await this.authenticator.lockActive(key, manager);
      const old = await this.repository.lockOwn(key, id, manager);
      if (!old) throw notFound('API key');
      if (!old.is_active)
        throw new Problem('conflict', { detail: 'The API key is revoked, expired or already rotated' });
      requireScopes(key, old.scopes);
      if (outlives(old.expires_at, end))
        throw new Problem('forbidden', {
          detail: 'Cannot rotate a key that expires later than the calling key',
        });
      // Without an overlap, the number of active keys stays the same.
      if (overlap_seconds > 0)
        await this.requireRoom(
          key.organization_id,
          manager,
          'Set overlap_seconds to 0, or revoke another key.',
        );
      await this.repository.revokeOwn(key, id, overlap_seconds, manager);
      const { lineage, name, scopes, project_ids, expires_at } = old;
      return this.createIn(
        { organization_id: key.organization_id, lineage, name, scopes, project_ids, expires_at },
        manager,
      );
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
  async revoke(key: CurrentApiKey, id: string): Promise<void> {
    if (!(await this.repository.revokeOwn(key, id, 0))) throw notFound('API key');
    this.authenticator.clearCache();
  }

  /**
   * Revokes a key of any organization. Only for the administrator (the CLI).
   * @throws Problem 404 `not_found`
   */
  async revokeForAdministrator(id: string): Promise<{ id: string; revoked_at: Date }> {
    const revoked = await this.repository.revokeAny(id);
    if (!revoked) throw notFound('API key');
    this.authenticator.clearCache();
    return revoked;
  }

  /** Returns up to 10 unrevoked keys with this prefix, in any organization. Only for the administrator. */
  async findByPrefixForAdministrator(prefix: string): Promise<string[]> {
    return this.repository.findIdsByPrefix(prefix, 10);
  }

  /** Returns whether any organization has a key. */
  async any(): Promise<boolean> {
    return this.repository.exists();
  }
}

/** Returns whether one expiry is later than another; null: never. */
function outlives(end: Date | null, limit: Date | null): boolean {
  return limit !== null && (end === null || end > limit);
}

/**
 * @param pointer the location of the scopes in the body
 * @throws Problem 403 `insufficient_scope` for scopes that the calling key lacks
 */
function requireScopes(key: CurrentApiKey, scopes: Scope[], pointer?: '#/scopes'): void {
  const missing = scopes.filter((scope) => !key.scopes.includes(scope));
  if (missing.length === 0) return;
  const detail = `The calling key cannot grant scopes that it lacks: ${missing.join(', ')}`;
  const errors =
    pointer &&
    missing.map((scope): FieldError => ({
      code: 'not_granted',
      detail: `is not a scope of the calling key: ${scope}`,
      pointer: `${pointer}/${scopes.indexOf(scope)}`,
    }));
  throw insufficientScope(missing, detail, errors);
}
