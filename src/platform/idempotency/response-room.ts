import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** The longest body that is stored, in bytes. Pages of hundreds of monitors have longer ones. */
const MAX_BODY_BYTES = 32 * 1024;
/** The stored bodies of an organization that a check leaves, in bytes. */
const CHECKED_BYTES = 8 * 1024 * 1024;
/** A process checks an organization after it has stored this much, in bytes. A check reads an index and 8 MiB at most. */
const CHECK_AFTER_BYTES = 256 * 1024;
/** A process stores at most this much between two checks, in bytes: 16 MiB hold the bodies of nine processes and more. */
const UNCHECKED_BYTES = 2 * CHECK_AFTER_BYTES;
const BATCH = 1_000;
const MAX_ORGANIZATIONS = 10_000;

/** The bodies that this process has stored of an organization. */
interface Use {
  /** Since the last check, in bytes. */
  unchecked: number;
  isChecking: boolean;
}

/**
 * Bounds the stored bodies of an organization to 16 MiB without a counter in the database, for which concurrent requests would
 * wait: each process counts what it stores, and drops the oldest bodies beyond 8 MiB after every 256 KiB.
 */
@Injectable()
export class ResponseRoom {
  private readonly uses = new Map<string, Use>();

  constructor(
    private readonly repository: IdempotencyRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Takes room for a body. Returns false if it must not be stored: it is too long, or a check is late. */
  take(organizationId: string, body: string): boolean {
    const bytes = Buffer.byteLength(body);
    const use = this.useOf(organizationId);
    if (bytes > MAX_BODY_BYTES || use.unchecked + bytes > UNCHECKED_BYTES) return false;
    use.unchecked += bytes;
    return true;
  }

  /** Drops the oldest bodies of an organization if it is time for a check. Never throws. */
  async check(organizationId: string): Promise<void> {
    const use = this.uses.get(organizationId);
    if (!use || use.isChecking || use.unchecked < CHECK_AFTER_BYTES) return;
    use.isChecking = true;
    const { unchecked } = use;
    try {
      while ((await this.repository.dropOldest(organizationId, CHECKED_BYTES, BATCH)) === BATCH);
      use.unchecked -= unchecked;
    } catch (error) {
      this.logger.warn({ err: error }, 'could not drop old responses to idempotent requests'); // the next request tries again
    } finally {
      use.isChecking = false;
    }
  }

  private useOf(organizationId: string): Use {
    const known = this.uses.get(organizationId);
    if (known) return known;
    if (this.uses.size >= MAX_ORGANIZATIONS) this.uses.clear();
    // An earlier process can have filled the room: the first request has it checked.
    const use: Use = { unchecked: CHECK_AFTER_BYTES, isChecking: false };
    this.uses.set(organizationId, use);
    return use;
  }
}
