import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Channel, ClaimedDelivery } from './channel.js';
import { SlowDown } from './slow-down.js';

/** Organizations whose state is remembered. */
const MAX_ORGANIZATIONS = 10_000;

/** Channels with fewer places are not shared, because one would always stay free. */
const MIN_SHARED = 3;

/** After this time, an attempt holds up the deliveries that wait for its place. */
const LONG_MS = 1_000;

/** Time for which deliveries that are held up are postponed. */
const POSTPONED_MS = 1_000;

/** One organization on a channel. */
interface Share {
  /** When its attempts in flight began (`performance.now()`), by the ID of the delivery. */
  readonly inFlight: Map<string, number>;
  readonly slowDown: SlowDown;
}

/**
 * The places of a channel: attempts that are in flight at a time. An organization can hold two for each one that stays free, besides
 * the last: 10 of 15, the next one 2 or 3. So its recipients whose servers hang do not hold up others. An overload pauses the organization
 * whose message has met it, because its recipient can be the cause. If another organization meets one before any message is
 * delivered, the channel pauses.
 */
export class ChannelPlaces {
  private readonly shares: LRUCache<string, Share>;
  private readonly slowDown: SlowDown;
  /** Organizations that have met an overload since the last success. */
  private readonly overloaded = new Set<string>();
  private used = 0;

  constructor(
    private readonly channel: Channel,
    logger: Logger,
  ) {
    this.slowDown = new SlowDown({ channel: channel.name }, logger);
    this.shares = new LRUCache({
      max: MAX_ORGANIZATIONS,
      memoMethod: (organization_id) => ({
        inFlight: new Map(),
        slowDown: new SlowDown({ channel: channel.name, organization_id }, logger),
      }),
    });
  }

  /** Number of attempts in flight. */
  get inFlight(): number {
    return this.used;
  }

  /** Whether the channel pauses. */
  get isPaused(): boolean {
    return this.slowDown.isPaused;
  }

  /** Returns how many of `count` the channel allows now. */
  limit(count: number): number {
    return this.slowDown.limit(count);
  }

  /** Takes a place. Returns false if the organization has to wait. */
  take({ id, organization_id }: ClaimedDelivery): boolean {
    const share = this.shares.memo(organization_id);
    if (!this.hasPlace(share)) return false;
    share.inFlight.set(id, performance.now());
    this.used += 1;
    return true;
  }

  /** Gives a place back. */
  leave({ id, organization_id }: ClaimedDelivery): void {
    this.shares.get(organization_id)?.inFlight.delete(id);
    this.used -= 1;
  }

  /** Whether an organization gets no place soon: it pauses, or has to wait for an attempt that takes long. */
  isHeldUp(organization_id: string): boolean {
    const share = this.shares.get(organization_id);
    if (!share || this.hasPlace(share)) return false;
    const before = performance.now() - LONG_MS;
    return share.slowDown.isPaused || [...share.inFlight.values()].some((at) => at < before);
  }

  /** Returns for how many milliseconds to postpone deliveries of an organization that is held up. */
  postponed(organization_id: string): number {
    return this.shares.get(organization_id)?.slowDown.pausedMs || POSTPONED_MS;
  }

  /** Records a success, which ends a pause of the channel soon. */
  succeed({ organization_id }: ClaimedDelivery): void {
    this.overloaded.clear();
    this.shares.get(organization_id)?.slowDown.end();
    this.slowDown.end();
  }

  /** Records an overload. */
  overload({ organization_id }: ClaimedDelivery, reason: string): void {
    this.overloaded.add(organization_id);
    this.shares.memo(organization_id).slowDown.begin(reason);
    if (this.overloaded.size > 1) this.slowDown.begin(reason);
  }

  private hasPlace({ inFlight, slowDown }: Share): boolean {
    const { concurrency, isShared = true } = this.channel;
    if (slowDown.limit(inFlight.size + 1) <= inFlight.size) return false;
    if (!isShared || concurrency < MIN_SHARED || inFlight.size === 0) return true;
    return inFlight.size + 1 <= 2 * (concurrency - this.used - 1);
  }
}
