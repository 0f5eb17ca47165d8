import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Channel, ClaimedDelivery } from './channel.js';
import { SlowDown } from './slow-down.js';

/** Organizations whose state is remembered. */
const MAX_ORGANIZATIONS = 10_000;

/** Channels with fewer places are not shared, because one would always stay free. */
const MIN_SHARED = 3;

/** An organization whose attempts take longer on average is slow. */
const SLOW_MS = 1_000;

/** Weight of the newest attempt in the average, so that one slow attempt on a busy machine changes little. */
const WEIGHT = 0.3;

/** Proportion of the places for slow organizations together, and for slow and new ones together. */
const OF_SLOW = 3 / 4;
const OF_SLOW_AND_NEW = 7 / 8;

/** Proportion of the places for one new organization. */
const OF_ONE_NEW = 1 / 8;

/** Time for which deliveries that are held up are postponed. */
const POSTPONED_MS = 1_000;

/** Average duration of an organization's attempts. `new`: the process has completed none. */
type Speed = 'new' | 'fast' | 'slow';

/** One organization on a channel. */
class Share {
  /** When its attempts in flight began (`performance.now()`), by the ID of the delivery, oldest first. */
  readonly inFlight = new Map<string, number>();
  /** Average duration of its attempts, in milliseconds. */
  private average: number | undefined;

  constructor(readonly slowDown: SlowDown) {}

  get speed(): Speed {
    const [oldest] = this.inFlight.values();
    // The oldest attempt takes at least as long as it has taken up to now.
    const average =
      oldest === undefined ? this.average : Math.max(this.average ?? 0, this.averageWith(oldest));
    if (average !== undefined && average > SLOW_MS) return 'slow';
    return this.average === undefined ? 'new' : 'fast';
  }

  /** Adds an attempt that has ended. */
  add(begunAt: number): void {
    this.average = this.averageWith(begunAt);
  }

  private averageWith(begunAt: number): number {
    const duration = performance.now() - begunAt;
    return this.average === undefined ? duration : this.average + (duration - this.average) * WEIGHT;
  }
}

/**
 * The places of a channel: attempts that are in flight at a time. An organization can hold two for each one that stays free, besides
 * the last: 13 of 20, the next one 4. Organizations whose recipients respond slowly cannot hold all places, however many they are:
 * the last eighth is only for organizations whose attempts are fast. An overload pauses the organization whose message has met
 * it, because its recipient can be the cause, or the channel, if it does not depend on the message.
 */
export class ChannelPlaces {
  private readonly shares: LRUCache<string, Share>;
  /** The organizations of the attempts in flight, by the ID of the delivery. */
  private readonly begun = new Map<string, Share>();
  private readonly slowDown: SlowDown;

  constructor(
    private readonly channel: Channel,
    logger: Logger,
  ) {
    this.slowDown = new SlowDown({ channel: channel.name }, logger);
    this.shares = new LRUCache({
      max: MAX_ORGANIZATIONS,
      memoMethod: (organization_id) =>
        new Share(new SlowDown({ channel: channel.name, organization_id }, logger)),
    });
  }

  /** Number of attempts in flight. */
  get inFlight(): number {
    return this.begun.size;
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
    this.begun.set(id, share);
    return true;
  }

  /**
   * Gives a place back.
   * @param isAttempt whether the other side was asked, so that the duration counts
   */
  leave({ id }: ClaimedDelivery, isAttempt: boolean): void {
    const share = this.begun.get(id);
    const begunAt = share?.inFlight.get(id);
    if (!share || begunAt === undefined) return;
    this.begun.delete(id);
    share.inFlight.delete(id);
    if (isAttempt) share.add(begunAt);
  }

  /** Whether an organization gets no place soon: it pauses, or has to wait for attempts that take long. */
  isHeldUp(organization_id: string): boolean {
    const share = this.shares.memo(organization_id);
    if (this.hasPlace(share)) return false;
    if (share.slowDown.isPaused || share.speed === 'slow') return true;
    return share.speed === 'new' && share.inFlight.size === 0;
  }

  /** Returns the organizations that get no place soon, of those with attempts before. */
  heldUp(): string[] {
    const all = [...this.shares.entries()];
    const some = all.filter(([, { slowDown, speed }]) => slowDown.isPaused || speed === 'slow');
    return some.map(([organization_id]) => organization_id).filter((one) => this.isHeldUp(one));
  }

  /** Returns for how many milliseconds to postpone deliveries of an organization that is held up. */
  postponed(organization_id: string): number {
    return this.shares.get(organization_id)?.slowDown.pausedMs || POSTPONED_MS;
  }

  /** Records a success, which ends a pause of the channel soon. */
  succeed({ organization_id }: ClaimedDelivery): void {
    this.shares.get(organization_id)?.slowDown.end();
    this.slowDown.end();
  }

  /** Records an overload that a delivery has met: of the channel, or perhaps only for its organization. */
  overload({ organization_id }: ClaimedDelivery, of: 'channel' | 'organization', reason: string): void {
    this.shares.memo(organization_id).slowDown.begin(reason);
    if (of === 'channel') this.slowDown.begin(reason);
  }

  private hasPlace({ inFlight, slowDown, speed }: Share): boolean {
    const { concurrency } = this.channel;
    if (slowDown.limit(inFlight.size + 1) <= inFlight.size) return false;
    if (concurrency < MIN_SHARED) return true;
    const [most, used] = this.roomFor(speed, concurrency);
    const free = Math.floor(most) - used - 1;
    if (free < 0) return false;
    if (inFlight.size === 0) return true;
    const own = speed === 'new' ? Math.ceil(concurrency * OF_ONE_NEW) : concurrency;
    return inFlight.size < Math.min(2 * free, own);
  }

  /** Returns how many places organizations of a speed can hold together, and hold. */
  private roomFor(speed: Speed, concurrency: number): [most: number, used: number] {
    if (speed === 'fast') return [concurrency, this.inFlight];
    if (speed === 'new') return [concurrency * OF_SLOW_AND_NEW, this.inFlightOf(['new', 'slow'])];
    return [concurrency * OF_SLOW, this.inFlightOf(['slow'])];
  }

  private inFlightOf(speeds: Speed[]): number {
    return [...this.begun.values()].filter(({ speed }) => speeds.includes(speed)).length;
  }
}
