import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { JoinedTransaction } from '../database/joined-transaction.js';
import { primaryLink } from '../cluster/primary-link.js';
import { LOGGER } from '../logging/logging.module.js';
import { basicPasswordIn, usesBasic } from './basic-password.js';
import { CredentialsRepository, type KeyUse } from './credentials.repository.js';
import type { Actor, CurrentApiKey } from './actor.js';
import { invalidApiKey } from './invalid-api-key.js';
import { isWellFormedKey } from './key-format.js';
import { hashToken } from './token-format.js';
import { KeyLookupQueue } from './key-lookup-queue.js';

const FLUSH_INTERVAL_MS = 1_000;
const CACHE_TTL_MS = 1_500; // a revocation takes effect in other processes within two seconds
const MAX_CACHED_KEYS = 10_000;
const BEARER = 'Bearer ';

/** Authenticates bearer tokens, and records when API keys were last used. */
@Injectable()
export class ApiKeyAuthenticator implements OnModuleInit, OnApplicationShutdown {
  /** Number of requests whose key was cached, and of lookups in the database. */
  readonly counts = { hits: 0, misses: 0 };
  /** By token. The permissions of a key never change. Revocation and rotation empty the cache, see {@link clearCache}. */
  private readonly cached = new LRUCache<string, CurrentApiKey>({ max: MAX_CACHED_KEYS, ttl: CACHE_TTL_MS });
  /** Organizations of tokens that were valid at their last lookup, for the 10,000 most recently used tokens. */
  private readonly knownTokens = new LRUCache<string, string>({ max: MAX_CACHED_KEYS });
  private revocations = 0;
  private lastUsed = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: CredentialsRepository,
    private readonly lookups: KeyLookupQueue,
    private readonly joined: JoinedTransaction,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    primaryLink.on('key-ended', this.forgetKeys);
  }

  /** Returns the cached key of a token, or undefined if it must be authenticated. */
  getCached(token: string): CurrentApiKey | undefined {
    const key = this.cached.get(token);
    if (key) {
      this.counts.hits += 1;
      this.recordUse(key);
    }
    return key;
  }

  /** Returns whether a token was valid at its last lookup in this process. It may have expired or been revoked since. */
  isKnownToken(token: string): boolean {
    return this.knownTokens.has(token);
  }

  /**
   * Returns the organization of an `Authorization` header if its key was valid at its last lookup in this process. This is not
   * an authentication.
   */
  organizationOf(authorization = ''): string | undefined {
    const token = usesBasic(authorization)
      ? basicPasswordIn(authorization)
      : authorization.slice(BEARER.length);
    return this.knownTokens.peek(token);
  }

  /**
   * Looks up the key of a token. Returns undefined if it is malformed, unknown, revoked or expired.
   * @throws Problem 503 `unavailable` if too many lookups of unknown keys are waiting
   */
  async authenticate(token: string): Promise<CurrentApiKey | undefined> {
    if (!isWellFormedKey(token)) return undefined;
    const lookUp = () => this.lookUp(token);
    return this.isKnownToken(token) ? lookUp() : this.lookups.run(lookUp);
  }

  private async lookUp(token: string): Promise<CurrentApiKey | undefined> {
    this.counts.misses += 1;
    const { revocations } = this;
    const lookedUpAt = Date.now();
    // Not part of a dry run, whose transaction begins with the first statement of the write.
    const key = await this.joined.outside(() => this.repository.findActive(hashToken(token)));
    if (!key) {
      this.knownTokens.delete(token);
      return undefined;
    }
    this.knownTokens.set(token, key.organization_id);
    this.recordUse(key);
    const until = Math.min(lookedUpAt + CACHE_TTL_MS, key.expires_at?.getTime() ?? Infinity);
    const ttl = until - Date.now(); // read the clock once, because LRUCache keeps a value with the ttl 0 for ever
    // A revocation during the lookup makes the result stale.
    if (revocations === this.revocations && ttl > 0) this.cached.set(token, key, { ttl });
    return key;
  }

  /** Empties the cache in this process and in the other workers of the server. Call it after a key is revoked or rotated. */
  clearCache(): void {
    this.forgetKeys();
    void primaryLink.send({ kind: 'key-ended' });
  }

  private readonly forgetKeys = (): void => {
    this.revocations += 1;
    this.cached.clear();
  };

  /**
   * Reads the calling key again, and locks it until the transaction ends, because it may have been revoked or rotated since the
   * request began.
   * @throws Problem 401 `invalid_api_key` if the key is no longer active
   */
  async lockActive(key: CurrentApiKey, manager: EntityManager): Promise<CurrentApiKey> {
    const active = await this.repository.lockActive(key, manager);
    if (!active) throw invalidApiKey();
    return active;
  }

  /**
   * Returns an actor with its present rights. Locks it until the transaction ends if it is a key.
   * @throws Problem 401 `invalid_api_key` if the key is no longer active
   */
  async lockActor(actor: Actor, manager: EntityManager): Promise<Actor> {
    if (actor.type !== 'api_key') return actor;
    return { ...(await this.lockActive(actor, manager)), via: actor.via, request_id: actor.request_id };
  }

  async onApplicationShutdown(): Promise<void> {
    primaryLink.off('key-ended', this.forgetKeys);
    clearTimeout(this.timer);
    await this.flushUses();
  }

  private recordUse({ id, organization_id }: CurrentApiKey): void {
    this.lastUsed.set(id, { id, organization_id, at: new Date() });
    this.timer ??= setTimeout(() => void this.flushUses(), FLUSH_INTERVAL_MS).unref();
  }

  private async flushUses(): Promise<void> {
    const uses = this.lastUsed;
    this.lastUsed = new Map();
    this.timer = undefined;
    if (uses.size === 0) return;
    try {
      await this.repository.saveLastUsed([...uses.values()]);
    } catch (error) {
      // Harmless, because the next use saves it again.
      this.logger.warn({ err: error }, 'could not save last_used_at of API keys');
    }
  }
}
