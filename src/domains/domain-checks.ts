import { setMaxListeners } from 'node:events';
import {
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { countEach } from '../platform/tasks/count-each.js';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { PublicUrl } from '../platform/config/public-url.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { Dns, isNotFound } from '../platform/network/dns.js';
import { textOfError } from '../platform/network/send-error.js';
import { type DnsResult, stateAfter } from './check-result.js';
import { type CheckedClaim, ClaimsRepository, type LockedClaim } from './claims.repository.js';
import { isAmong, recordOf, shownValues } from './domain-record.js';
import { type Routing, RoutingProbe } from './routing-probe.js';

/** Checks in flight in one process. 100,000 domains a day are 1.2 a second, and a check takes at most 35 seconds. */
const MAX_CHECKS = 50;
/** Checks in flight of one organization, whose DNS servers may never respond. */
const MAX_OF_ORGANIZATION = 10;

const POLL_MS = 1_000;
const CLEANUP_MS = 10 * 60_000;
const DELETED_AT_ONCE = 1_000;

/** Findings of a check outside of the database. */
interface Findings {
  values: string[] | null;
  error: string | null;
  /** undefined: not checked. */
  routing: Routing | undefined;
}

/** Checks the claims of domains: on request, and periodically in the delivering processes. */
@Injectable()
export class DomainChecks implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  /** The checks in flight, with their organizations. */
  private readonly running = new Map<Promise<void>, string>();
  private readonly stopped = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ClaimsRepository,
    private readonly dns: Dns,
    private readonly probe: RoutingProbe,
    private readonly publicUrl: PublicUrl,
    private readonly tasks: PeriodicTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    setMaxListeners(0, this.stopped.signal);
    this.tasks.add({ name: 'domains', every_ms: POLL_MS, run: () => this.checkDue() });
    this.tasks.add({
      name: 'old changes of domains',
      every_ms: CLEANUP_MS,
      run: async () => (await this.repository.deleteOldChanges(DELETED_AT_ONCE)) >= DELETED_AT_ONCE,
    });
  }

  /** Ends the checks that wait for others, which are due again after their lease. */
  onModuleDestroy(): void {
    this.stopped.abort();
  }

  /** Waits for the results that are being written. */
  async onApplicationShutdown(): Promise<void> {
    await this.settle();
  }

  /**
   * Begins the checks that are due, of any organization, without waiting for them, so that slow servers do not delay other tasks.
   * An organization has up to ten of the 50 places. Returns whether there is more to do now.
   */
  async checkDue(): Promise<boolean> {
    const free = MAX_CHECKS - this.running.size;
    if (this.stopped.signal.aborted || free <= 0) return false;
    const places = { limit: free, ofEach: MAX_OF_ORGANIZATION, running: countEach(this.running.values()) };
    const due = await this.dataSource.transaction((manager) => this.repository.takeDue(places, manager));
    for (const claim of due) {
      const check = this.checkInBackground(claim)
        .catch((error: unknown) => this.logFailure(claim, error))
        .finally(() => this.running.delete(check));
      this.running.set(check, claim.organization_id);
    }
    return false;
  }

  /** Waits for the checks in flight. */
  async settle(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  /**
   * Checks a claim now, and writes the result, unless the claim has changed, or a later check has finished.
   * @param wait runs the part of the check that waits for others and uses no database
   */
  async checkNow(
    claim: CheckedClaim,
    wait: <Result>(work: () => Promise<Result>) => Promise<Result>,
  ): Promise<void> {
    const [[values, error], routing] = await wait(() =>
      Promise.all([this.textsOf(claim), this.probe.probe(claim.domain)]),
    );
    await this.write(claim, { values, error, routing });
  }

  /** Like {@link checkNow}, but finds out where the domain leads only if the record is found. */
  private async checkInBackground(claim: CheckedClaim): Promise<void> {
    const { signal } = this.stopped;
    const [values, error] = await this.textsOf(claim, signal);
    const isProven = values !== null && isAmong(recordOf(claim), values);
    const routing = isProven ? await this.probe.probe(claim.domain, signal) : undefined;
    if (!signal.aborted) await this.write(claim, { values, error, routing });
  }

  private async textsOf(
    claim: CheckedClaim,
    signal?: AbortSignal,
  ): Promise<[values: string[] | null, error: string | null]> {
    try {
      return [await this.dns.textsOf(recordOf(claim).name, signal), null];
    } catch (error) {
      return isNotFound(error) ? [[], null] : [null, textOfError(error)];
    }
  }

  private async write(claim: CheckedClaim, findings: Findings): Promise<void> {
    await this.dataSource.transaction((manager) => this.writeIn(claim, findings, manager));
  }

  private async writeIn(
    claim: CheckedClaim,
    { values, error, routing }: Findings,
    manager: EntityManager,
  ): Promise<void> {
    const isProven = values !== null && this.isAllowed(claim) && isAmong(recordOf(claim), values);
    // One claim is enough if the domain cannot change hands.
    const locked = isProven
      ? await this.repository.lockAll(claim.domain, manager)
      : await this.repository.lock(claim, manager);
    const own = locked.find(({ status_page_id }) => status_page_id === claim.status_page_id);
    if (!own || !isCurrent(own, claim)) return;
    const others = locked.filter((one) => one !== own && one.status !== 'lost');
    const holder = others.find(({ status }) => status === 'verified');
    const isHeld = holder !== undefined && values !== null && isAmong(recordOf(holder), values);
    const isOutdated = holder !== undefined && isProvenSince(holder, claim.now);
    const result: DnsResult = { values, error, isProven, isHeld, isOutdated };
    const state = stateAfter(own, result, claim.now);
    if (state.status === 'verified') for (const other of others) await this.lose(other, manager);
    const found = values && shownValues(values);
    await this.repository.write(own, { ...state, found, error, routing, checked_at: claim.now }, manager);
    if (state.status !== own.status) this.log(own, state.status);
  }

  /** The instance's own host would no longer serve the API. */
  private isAllowed({ domain }: CheckedClaim): boolean {
    return domain !== this.publicUrl.host;
  }

  private async lose(other: LockedClaim, manager: EntityManager): Promise<void> {
    await this.repository.lose(other, manager);
    this.log(other, 'lost');
  }

  private log({ domain, status_page_id }: LockedClaim, status: string): void {
    this.logger.info({ domain, status_page_id, status }, 'the status of a domain has changed');
  }

  private logFailure({ domain }: CheckedClaim, error: unknown): void {
    if (!this.stopped.signal.aborted)
      this.logger.warn({ domain, err: error }, 'the check of a domain has failed; retrying');
  }
}

/** Returns whether a claim is still the one that was checked, and no later check has finished. */
function isCurrent(own: LockedClaim, claim: CheckedClaim): boolean {
  return (
    own.domain === claim.domain &&
    own.claimed_at.getTime() === claim.claimed_at.getTime() &&
    (own.checked_at === null || own.checked_at <= claim.now)
  );
}

/** Returns whether a check of a verified claim that began later, or in the same millisecond, has not missed its record. */
function isProvenSince({ checked_at, missing_since }: LockedClaim, now: Date): boolean {
  return missing_since === null && checked_at !== null && checked_at >= now;
}
