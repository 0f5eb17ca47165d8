import cluster from 'node:cluster';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { LOGGER } from '../logging/logging.module.js';
import { Problem } from '../problems/problem.js';
import { type Counted, type LocalCounts, MemoryCounts, WINDOW_SECONDS } from './memory-counts.js';
import { RedisCounts } from './redis-counts.js';
import { WorkerCounts } from './worker-counts.js';

const MAX_EXHAUSTED = 10_000;

/** A counted subject, such as the requests of an API key, and its limit per window. */
export interface Subject {
  name: string;
  limit: number;
  /** Length of the window; default: a minute. */
  seconds?: number;
}

/** Used quota of a subject in its window. */
export interface Count {
  used: number;
  /** Seconds until the window ends, rounded up, at least 1. */
  secondsLeft: number;
}

/**
 * Counts per subject and minute, or another time. With `REDIS_URL`, all servers share the counts in Redis. Without it, or while Redis is down,
 * each server counts in its own memory. Memory use: half a KiB per subject, until its window ends.
 */
@Injectable()
export class RequestCounts implements OnModuleInit, OnApplicationShutdown {
  /** Number of counts in memory because Redis was down. */
  fallbacks = 0;
  private readonly local: LocalCounts;
  private readonly redis: RedisCounts | undefined;
  /** Counts in Redis that are over their limit. Until their window ends, Redis is not asked for them. */
  private readonly exhausted = new LRUCache<string, number>({
    max: MAX_EXHAUSTED,
    ttl: WINDOW_SECONDS * 1000,
  });

  constructor({ REDIS_URL, WEB_CONCURRENCY }: Env, @Inject(LOGGER) logger: Logger) {
    this.local = cluster.isWorker ? new WorkerCounts(WEB_CONCURRENCY) : new MemoryCounts();
    if (REDIS_URL !== undefined) this.redis = new RedisCounts(REDIS_URL, WINDOW_SECONDS, logger);
  }

  async onModuleInit(): Promise<void> {
    this.local.open?.();
    await this.redis?.open();
  }

  onApplicationShutdown(): void {
    this.local.close?.();
    this.redis?.close();
  }

  /** Returns whether Redis is connected, by host. Empty without `REDIS_URL`. */
  connected(): Record<string, number> {
    const { redis } = this;
    return redis ? { [redis.host]: redis.isConnected ? 1 : 0 } : {};
  }

  /** Adds one to the count of a subject, or does nothing if the count is already above its limit. */
  add(subject: Subject): Count | Promise<Count> {
    const { redis } = this;
    return redis ? this.addInRedis(redis, subject) : this.addHere(subject);
  }

  /**
   * Adds one to the count of a subject.
   * @param what the counted things, for the error: "At most 10 runs of a check per minute"
   * @throws Problem 429 `rate_limited` above the limit
   */
  async require(subject: Subject, what: string): Promise<void> {
    const { used, secondsLeft } = await this.add(subject);
    const { limit, seconds = WINDOW_SECONDS } = subject;
    if (used > limit)
      throw new Problem('rate_limited', {
        detail: `At most ${limit} ${what} per ${seconds > WINDOW_SECONDS ? 'hour' : 'minute'}. Retry in ${secondsLeft} seconds.`,
        headers: { 'Retry-After': String(secondsLeft) },
      });
  }

  private async addInRedis(redis: RedisCounts, { name, limit, seconds }: Subject): Promise<Count> {
    const known = this.findExhausted(name, seconds);
    if (known) return known;
    const counted = await redis.add(name, seconds);
    if (!counted) {
      this.fallbacks += 1;
      return this.addHere({ name, limit, ...(seconds !== undefined && { seconds }) });
    }
    if (counted.consumedPoints > limit) this.remember(name, counted);
    return toCount(counted, seconds);
  }

  /** Adds one to the count of a subject in this server only, without a round trip to Redis. */
  addHere({ name, limit, seconds = WINDOW_SECONDS }: Subject): Count | Promise<Count> {
    const counted = this.local.add(name, limit, seconds);
    if (!(counted instanceof Promise)) return toCount(counted, seconds);
    return counted.then((later) => toCount(later, seconds));
  }

  /** Returns the count of a subject if it has reached its limit. */
  async getExhausted({ name, limit, seconds }: Subject): Promise<Count | undefined> {
    const known = this.findExhausted(name, seconds);
    if (known) return known;
    const shared = await this.redis?.get(name);
    const isShared = shared !== undefined;
    const counted = isShared ? shared : await this.local.get(name, limit, seconds);
    if (!counted || counted.consumedPoints < limit || counted.msBeforeNext <= 0) return undefined;
    if (isShared) this.remember(name, counted);
    return toCount(counted, seconds);
  }

  private findExhausted(name: string, seconds?: number): Count | undefined {
    const used = this.exhausted.get(name);
    if (used === undefined) return undefined;
    return toCount({ consumedPoints: used, msBeforeNext: this.exhausted.getRemainingTTL(name) }, seconds);
  }

  private remember(name: string, { consumedPoints, msBeforeNext }: Counted): void {
    if (msBeforeNext > 0) this.exhausted.set(name, consumedPoints, { ttl: msBeforeNext });
  }
}

function toCount({ consumedPoints, msBeforeNext }: Counted, seconds = WINDOW_SECONDS): Count {
  // If the system clock is set back, the rest of the window can be longer than the whole window.
  const secondsLeft = Math.min(seconds, Math.max(1, Math.ceil(msBeforeNext / 1000)));
  return { used: consumedPoints, secondsLeft };
}
