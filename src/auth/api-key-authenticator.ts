import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { LOGGER } from '../logging/logging.module.js';
import { CredentialsRepository, type KeyUse } from './credentials.repository.js';
import type { CurrentApiKey } from './current-key.js';
import { invalidApiKey } from './invalid-api-key.js';
import { hashKey, hasKeyForm } from './key-format.js';
import { KeyLookups } from './key-lookups.js';

const FLUSH_USES_EVERY_MS = 1_000;
const CACHED_FOR_MS = 1_500; // a revocation must hold in other processes within two seconds
const MAX_CACHED_KEYS = 10_000;

/** Authenticates bearer tokens, and records when keys were last used. */
@Injectable()
export class ApiKeyAuthenticator implements OnApplicationShutdown {
  /** By token. What a key may does not change, so only its end matters: see {@link forgetAll}. */
  private readonly cached = new LRUCache<string, CurrentApiKey>({ max: MAX_CACHED_KEYS, ttl: CACHED_FOR_MS });
  /** Tokens that were valid when they were last looked up. */
  private readonly seenValid = new LRUCache<string, true>({ max: MAX_CACHED_KEYS });
  private revocations = 0;
  private lastUsed = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: CredentialsRepository,
    private readonly lookups: KeyLookups,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The key that a bearer token is, if it was authenticated just now, see {@link CACHED_FOR_MS}; undefined: it must be. */
  getCached(token: string): CurrentApiKey | undefined {
    const key = this.cached.get(token);
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
    const until = Math.min(asked + CACHED_FOR_MS, key.expires_at?.getTime() ?? Infinity);
    // What was found before a revocation that has come meanwhile is no longer so.
    if (revocations === this.revocations && until > Date.now())
      this.cached.set(token, key, { ttl: until - Date.now() });
    return key;
  }

  /** Empties the cache: each key is looked up again. Call it when a key was revoked, or is to be. */
  forgetAll(): void {
    this.revocations += 1;
    this.cached.clear();
  }

  /**
   * The key in use as it is now, held so until the transaction ends. It may have been revoked or rotated since the request
   * began, here or in another process.
   * @throws Problem 401 `invalid_api_key` for one that is no longer active
   */
  async lockActive(key: CurrentApiKey, manager: EntityManager): Promise<CurrentApiKey> {
    const active = await this.repository.lockActive(key, manager);
    if (!active) throw invalidApiKey();
    return active;
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
      this.logger.warn({ err: error }, 'could not save last_used_at of API keys');
    }
  }
}
