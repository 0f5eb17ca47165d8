import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { Problem, validationFailed } from '../http/problems.js';
import { LOGGER } from '../logging/logging.module.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import type { CurrentApiKey } from './current-key.js';
import { hashKey, hasKeyForm, newKey, PREFIX_LENGTH } from './key-format.js';
import type { Scope } from './scopes.js';

const WRITE_USES_EVERY_MS = 1_000;

/** What a new key is to be. */
export interface NewApiKey {
  organization_id: string;
  name: string;
  scopes: Scope[];
  /** The projects to narrow it to; null: all of the organization. */
  project_ids: string[] | null;
  /** Seconds from now until it expires; null: never. */
  expires_in: number | null;
}

/** API keys: made, revoked, and recognized on each request. */
@Injectable()
export class ApiKeysService implements OnApplicationShutdown {
  private lastUsed = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly projects: ProjectsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The key that a bearer token is; undefined: malformed, unknown, revoked or expired, told alike. */
  async authenticate(token: string): Promise<CurrentApiKey | undefined> {
    if (!hasKeyForm(token)) return undefined;
    const key = await this.repository.findHolding(hashKey(token));
    if (key) this.noteUse(key.id);
    return key;
  }

  /**
   * Makes a key. The answer is the only place where the key itself ever stands.
   * @throws Problem 400 `validation_failed` for a project that is not of the organization
   */
  async create(
    wanted: NewApiKey,
    manager = this.repository.manager,
  ): Promise<{ key: string; api_key: ApiKey }> {
    for (const [index, id] of (wanted.project_ids ?? []).entries()) {
      if (await this.projects.exists(wanted.organization_id, id)) continue;
      const detail = 'is not a project of the organization';
      throw validationFailed([{ code: 'invalid_format', detail, pointer: `#/project_ids/${index}` }]);
    }
    const key = newKey();
    const apiKey = this.repository.create({
      id: uuidv7(),
      organization_id: wanted.organization_id,
      name: wanted.name,
      prefix: key.slice(0, PREFIX_LENGTH),
      key_hash: hashKey(key),
      scopes: wanted.scopes,
      project_ids: wanted.project_ids,
      expires_at: wanted.expires_in === null ? null : new Date(Date.now() + wanted.expires_in * 1000),
      revoked_at: null,
      last_used_at: null,
    });
    await manager.insert(ApiKey, apiKey);
    return { key, api_key: apiKey };
  }

  /**
   * Revokes a key, from now on; one that is revoked stays as it is.
   * @throws Problem 404 `not_found`
   */
  async revoke(id: string): Promise<{ id: string; revoked_at: Date }> {
    const revoked = await this.repository.revoke(id);
    if (!revoked) throw new Problem('not_found', { detail: 'There is no API key with this id' });
    return revoked;
  }

  /** Whether any key was ever made, in whatever organization. */
  async any(): Promise<boolean> {
    return this.repository.exists();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.writeUses();
  }

  private noteUse(id: string): void {
    this.lastUsed.set(id, new Date());
    this.timer ??= setTimeout(() => void this.writeUses(), WRITE_USES_EVERY_MS).unref();
  }

  private async writeUses(): Promise<void> {
    const uses = this.lastUsed;
    this.lastUsed = new Map();
    this.timer = undefined;
    if (uses.size === 0) return;
    try {
      await this.repository.markUsed(uses);
    } catch (error) {
      // Only a note of when; the next use makes another.
      this.logger.warn({ err: error }, 'when API keys were last used could not be written');
    }
  }
}
