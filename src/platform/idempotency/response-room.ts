import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logging.module.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** Maximum size of a stored body, in bytes. Status pages with hundreds of monitors have longer bodies. */
const MAX_BODY_BYTES = 32 * 1024;
/** Maximum size of an organization's stored bodies after a check, in bytes. */
const CHECKED_BYTES = 8 * 1024 * 1024;
/** Number of bytes that a process stores for an organization between two checks. A check reads an index and at most 8 MiB. */
const CHECK_AFTER_BYTES = 256 * 1024;
/**
 * Maximum number of bytes that a process stores between two checks. 16 MiB are sufficient for the bodies of nine processes and
 * more.
 */
const UNCHECKED_BYTES = 2 * CHECK_AFTER_BYTES;
const BATCH = 1_000;
const MAX_ORGANIZATIONS = 10_000;

/** Bodies that this process has stored for an organization. */
interface Use {
  /** Since the last check, in bytes. */
  unchecked: number;
  isChecking: boolean;
}

/**
 * Bounds the stored bodies of an organization to 16 MiB. A counter in the database would make concurrent requests wait for each
 * other. Instead, each process counts the bytes that it stores, and deletes the oldest bodies beyond 8 MiB after every 256 KiB.
 */
@Injectable()
export class ResponseRoom {
  private readonly uses = new Map<string, Use>();

  constructor(
    private readonly repository: IdempotencyRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Reserves space for a body. Returns false if it must not be stored, because it is too long, or a check is late. */
  take(organizationId: string, body: string): boolean {
    const bytes = Buffer.byteLength(body);
    const use = this.useOf(organizationId);
    if (bytes > MAX_BODY_BYTES || use.unchecked + bytes > UNCHECKED_BYTES) return false;
    use.unchecked += bytes;
    return true;
  }

  /** Deletes the oldest bodies of an organization if a check is due. Never throws. */
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
    // An earlier process can have used the space, so the first request triggers a check.
    const use: Use = { unchecked: CHECK_AFTER_BYTES, isChecking: false };
    this.uses.set(organizationId, use);
    return use;
  }
}
