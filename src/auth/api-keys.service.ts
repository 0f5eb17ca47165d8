import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Page, type PageQuery, positionOf, toPage } from '../http/page.js';
import { type FieldError, pointerTo, Problem, validationFailed } from '../http/problems.js';
import { LOGGER } from '../logging/logging.module.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository, type KeyUse } from './api-keys.repository.js';
import { coversProject, type CurrentApiKey, type KeyReach } from './current-key.js';
import type { ApiKeyDto, NewApiKeyDto } from './dto/api-key.dto.js';
import type { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import type { MeDto } from './dto/me.dto.js';
import type { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { invalidApiKey } from './invalid-api-key.js';
import { hashKey, hasKeyForm, newKey, PREFIX_LENGTH } from './key-format.js';
import { KeyLookups } from './key-lookups.js';
import { insufficientScope } from './scope.guard.js';
import type { Scope } from './scopes.js';

const FLUSH_USES_EVERY_MS = 1_000;
const KNOWN_FOR_MS = 1_500; // a revocation must hold in other processes within two seconds
const MOST_KNOWN = 10_000;

/** What a new key is to be. */
type WantedApiKey = Pick<ApiKey, 'organization_id' | 'name' | 'scopes' | 'project_ids' | 'expires_at'> &
  Partial<Pick<ApiKey, 'id'>>;

/** API keys: made, revoked, and recognized on each request. */
@Injectable()
export class ApiKeysService implements OnApplicationShutdown {
  /** By token. What a key may does not change, so only its end matters: see {@link forgetKeys}. */
  private readonly known = new LRUCache<string, CurrentApiKey>({ max: MOST_KNOWN, ttl: KNOWN_FOR_MS });
  /** Tokens that were valid when they were last looked up. */
  private readonly seenValid = new LRUCache<string, true>({ max: MOST_KNOWN });
  private revocations = 0;
  private lastUsed = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly projects: ProjectsService,
    private readonly lookups: KeyLookups,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The key that a bearer token is, if it was authenticated just now, see {@link KNOWN_FOR_MS}; undefined: it must be. */
  recall(token: string): CurrentApiKey | undefined {
    const key = this.known.get(token);
    if (key) this.recordUse(key);
    return key;
  }

  /** Whether a token was valid when this process last looked it up; of the 10,000 used last. It may have ended since. */
  wasValid(token: string): boolean {
    return this.seenValid.has(token);
  }

  /**
   * The key that a bearer token is; undefined: malformed, unknown, revoked or expired, told alike.
   * @throws Problem 503 `unavailable` when too many unknown keys are looked up already
   */
  async authenticate(token: string): Promise<CurrentApiKey | undefined> {
    if (!hasKeyForm(token)) return undefined;
    const lookUp = () => this.lookUp(token);
    return this.wasValid(token) ? lookUp() : this.lookups.run(lookUp);
  }

  private async lookUp(token: string): Promise<CurrentApiKey | undefined> {
    const { revocations } = this;
    const asked = Date.now();
    const key = await this.repository.findActive(hashKey(token));
    if (!key) {
      this.seenValid.delete(token);
      return undefined;
    }
    this.seenValid.set(token, true);
    this.recordUse(key);
    const until = Math.min(asked + KNOWN_FOR_MS, key.expires_at?.getTime() ?? Infinity);
    // What was found before a revocation that has come meanwhile is no longer so.
    if (revocations === this.revocations && until > Date.now())
      this.known.set(token, key, { ttl: until - Date.now() });
    return key;
  }

  /** Has every key looked at anew: one was revoked, or is to be. */
  private forgetKeys(): void {
    this.revocations += 1;
    this.known.clear();
  }

  /** What the key in use is. */
  async describe(key: CurrentApiKey): Promise<MeDto> {
    const { id, name, prefix, scopes, project_ids, expires_at } = await this.get(key, key.id);
    return { id, name, prefix, scopes, project_ids, expires_at, organization_id: key.organization_id };
  }

  /** The keys that the key in use can see, newest first: revoked and expired ones, too. */
  async list(key: KeyReach, { limit, cursor }: PageQuery): Promise<Page<ApiKeyDto>> {
    const list = { name: 'api_keys', owner_id: key.organization_id };
    const after = positionOf(list, cursor);
    return toPage(list, await this.repository.findNewest(key, limit + 1, after), limit);
  }

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<ApiKeyDto> {
    const apiKey = await this.repository.findOwn(key, id);
    if (!apiKey) throw notFound();
    return apiKey;
  }

  /**
   * Makes a key that may and sees no more than the key in use, and holds no longer.
   * @throws Problem 403 `insufficient_scope` for scopes that the key in use lacks; 400 `validation_failed` for projects
   * and a time that are not within its own
   */
  async create(key: CurrentApiKey, wanted: CreateApiKeyDto): Promise<NewApiKeyDto> {
    refuseLackingScopes(key, wanted.scopes, '#/scopes');
    const { project_ids: asked } = wanted;
    // Only what was sent: a project that the key in use is narrowed to may be gone.
    const covered = asked?.filter((id) => coversProject(key, id)) ?? [];
    const known = await this.projects.existing(key.organization_id, covered);
    return this.repository.manager.transaction(async (manager) => {
      const creator = await this.requireActive(key, manager);
      const project_ids = asked === undefined ? creator.project_ids : asked;
      const expires_at = wanted.expires_at === undefined ? creator.expires_at : toDate(wanted.expires_at);
      const errors: FieldError[] = [];
      if (project_ids === null && creator.project_ids !== null)
        errors.push({
          code: 'not_granted',
          detail: 'may not be null: the key in use is narrowed to some projects',
          pointer: '#/project_ids',
        });
      if (outlives(expires_at, creator.expires_at))
        errors.push({
          code: 'out_of_range',
          detail: 'must not be later than the expiry of the key in use',
          pointer: '#/expires_at',
        });
      for (const [index, id] of (asked ?? []).entries()) {
        if (known.has(id)) continue;
        const detail = 'is not a project that the key in use covers';
        errors.push({ code: 'unknown_project', detail, pointer: pointerTo(['project_ids', index]) });
      }
      if (errors.length > 0) throw validationFailed(errors);
      const { name, scopes } = wanted;
      const { organization_id } = creator;
      return this.createIn({ organization_id, name, scopes, project_ids, expires_at }, manager);
    });
  }

  /**
   * The key in use as it is now, held so until the transaction ends. It may have been revoked or rotated since the request
   * began, here or in another process.
   * @throws Problem 401 `invalid_api_key` for one that is no longer active
   */
  private async requireActive(key: CurrentApiKey, manager: EntityManager): Promise<CurrentApiKey> {
    const active = await this.repository.lockActive(key, manager);
    if (!active) throw invalidApiKey();
    return active;
  }

  /**
   * Makes a key in an organization, of projects of it. The answer is the only place where the key itself ever stands.
   */
  async createIn(wanted: WantedApiKey, manager = this.repository.manager): Promise<NewApiKeyDto> {
    const key = newKey();
    const { id = uuidv7(), organization_id, name, scopes, project_ids, expires_at } = wanted;
    const shown = {
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
    await manager.insert(ApiKey, { ...shown, organization_id, key_hash: hashKey(key) });
    return { ...shown, key };
  }

  /**
   * Makes a key that is as another, which holds for `overlap_seconds` yet.
   * @throws Problem 404 `not_found`; 403 `insufficient_scope` or `forbidden` for a key that may more, or holds longer, than
   * the key in use; 409 `conflict` for one that holds no longer, or was rotated
   */
  async rotate(key: CurrentApiKey, id: string, { overlap_seconds }: RotateApiKeyDto): Promise<NewApiKeyDto> {
    const rotated = await this.repository.manager.transaction(async (manager) => {
      await this.repository.lockInOrder(key.organization_id, [key.id, id], manager);
      const { expires_at: end } = await this.requireActive(key, manager);
      const old = await this.repository.lockOwn(key, id, manager);
      if (!old) throw notFound();
      if (!old.is_active)
        throw new Problem('conflict', { detail: 'The key is revoked, expired, or was rotated before' });
      refuseLackingScopes(key, old.scopes);
      if (outlives(old.expires_at, end))
        throw new Problem('forbidden', {
          detail: 'The key to rotate is valid for longer than the key in use',
        });
      await this.repository.revokeOwn(key, id, overlap_seconds, manager);
      const { name, scopes, project_ids, expires_at } = old;
      return this.createIn(
        { organization_id: key.organization_id, name, scopes, project_ids, expires_at },
        manager,
      );
    });
    this.forgetKeys();
    return rotated;
  }

  /**
   * Revokes a key, from now on; one that is revoked stays as it is.
   * @throws Problem 404 `not_found`
   */
  async revoke(key: CurrentApiKey, id: string): Promise<void> {
    if (!(await this.repository.revokeOwn(key, id, 0))) throw notFound();
    this.forgetKeys();
  }

  /**
   * The same, whatever the organization of the key: for the administrator (the CLI) only.
   * @throws Problem 404 `not_found`
   */
  async revokeForAdministrator(id: string): Promise<{ id: string; revoked_at: Date }> {
    const revoked = await this.repository.revokeAny(id);
    if (!revoked) throw notFound();
    this.forgetKeys();
    return revoked;
  }

  /** The ids of a few keys that are not revoked and begin with `prefix`, of any organization: for the administrator only. */
  async findByPrefixForAdministrator(prefix: string): Promise<string[]> {
    return this.repository.findIdsByPrefix(prefix, 10);
  }

  /** Whether any key was ever made, in whatever organization. */
  async any(): Promise<boolean> {
    return this.repository.exists();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flushUses();
  }

  private recordUse({ id, organization_id }: CurrentApiKey): void {
    this.lastUsed.set(id, { id, organization_id, at: new Date() });
    this.timer ??= setTimeout(() => void this.flushUses(), FLUSH_USES_EVERY_MS).unref();
  }

  private async flushUses(): Promise<void> {
    const uses = this.lastUsed;
    this.lastUsed = new Map();
    this.timer = undefined;
    if (uses.size === 0) return;
    try {
      await this.repository.saveLastUsed([...uses.values()]);
    } catch (error) {
      // Only a note of when; the next use makes another.
      this.logger.warn({ err: error }, 'when API keys were last used could not be written');
    }
  }
}

// Without the id: what a key may not see is answered byte for byte as what never existed.
function notFound(): Problem {
  return new Problem('not_found', { detail: 'There is no such API key' });
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

/** Whether something ends after a limit; null: never. */
function outlives(end: Date | null, limit: Date | null): boolean {
  return limit !== null && (end === null || end > limit);
}

/** @throws Problem 403 `insufficient_scope` for scopes that the key in use lacks; `pointer` is where they were sent */
function refuseLackingScopes(key: CurrentApiKey, scopes: Scope[], pointer?: '#/scopes'): void {
  const lacking = scopes.filter((scope) => !key.scopes.includes(scope));
  if (lacking.length === 0) return;
  const detail = `The key in use lacks ${lacking.join(' and ')}, so it cannot give it`;
  const errors =
    pointer &&
    lacking.map((scope): FieldError => ({
      code: 'not_granted',
      detail: `is not a scope of the key in use: ${scope}`,
      pointer: `${pointer}/${scopes.indexOf(scope)}`,
    }));
  throw insufficientScope(lacking, detail, errors);
}
