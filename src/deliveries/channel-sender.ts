import type { Logger } from 'pino';
import type { Channel, ClaimedDelivery, Outcome } from './channel.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryQueue } from './delivery-queue.js';
import { ChannelPlaces } from './channel-places.js';
import { DeliveryCounts } from './delivery-counts.js';
import { ResultWriter } from './result-writer.js';

/** Claimed deliveries that have not begun after this time are given back, because their lease must outlast the attempt. */
const MAX_QUEUED_MS = 5_000;

/** Deliveries are claimed up to this multiple of the channel's concurrency, so that there are few statements, and short waits. */
const CLAIM_FACTOR = 4;

/** Attempts in flight, and results that are not written yet, are at most this multiple of the concurrency together. */
const MAX_OPEN_FACTOR = 4;

/** While the process is busy, this part of the concurrency begins together. */
const BUSY_DIVISOR = 4;

/** Time for which one free place waits for others, so that the channel gets several deliveries together. */
const GATHER_MS = 20;

/** Time before which a due delivery does not wait for the next poll of the database. */
const SOON_MS = 1_000;

/** Deliveries of an organization that stay in the queue while it is held up. */
const KEPT_HELD_UP = 5;

/** A claimed delivery that has not begun. */
interface Queued {
  delivery: ClaimedDelivery;
  claimed_at: number;
}

/** The worker to which a sender belongs. */
export interface WorkerOfSender {
  /** Makes the worker call {@link ChannelSender.fill} soon. */
  wake: () => void;
  /** Whether the process handles requests, so that deliveries begin slowly. */
  isBusy: () => boolean;
}

/** Claims the deliveries of one channel, and keeps the channel busy. */
export class ChannelSender {
  readonly counts = new DeliveryCounts();
  private queue: Queued[] = [];
  private readonly sending = new Set<Promise<void>>();
  private readonly places: ChannelPlaces;
  private readonly writer: ResultWriter;
  private readonly claimSize: number;
  private gathering: NodeJS.Timeout | undefined;

  /**
   * @param signal aborted when the process stops
   */
  constructor(
    private readonly channel: Channel,
    private readonly pending: DeliveryQueue,
    repository: DeliveriesRepository,
    private readonly logger: Logger,
    private readonly signal: AbortSignal,
    private readonly worker: WorkerOfSender,
  ) {
    this.claimSize = channel.concurrency * CLAIM_FACTOR;
    this.places = new ChannelPlaces(channel, logger);
    this.writer = new ResultWriter(repository, logger, this.counts, () => this.dispatchSoon());
  }

  /** Claims the next deliveries if there are few left, and begins those that have a place. */
  async fill(): Promise<void> {
    this.giveBackOld();
    this.postponeHeldUp();
    const limit = this.places.limit(this.claimSize);
    const { ready } = this;
    if (this.signal.aborted || limit === 0) return;
    if (ready <= limit / 2) await this.claim(limit - ready);
    if (this.signal.aborted || this.places.isPaused) this.giveBack(() => true);
    else if (this.worker.isBusy()) this.dispatchSoon();
    else this.dispatch();
  }

  private async claim(limit: number): Promise<void> {
    const claimed = await this.pending.claim(this.channel.name, limit, this.places.heldUp());
    const claimed_at = performance.now();
    this.queue.push(...claimed.map((delivery) => ({ delivery, claimed_at })));
    this.postponeHeldUp();
  }

  /** Gives back what has not begun. Resolves when all results of what has begun are written. Call it after the abort. */
  async stop(): Promise<void> {
    clearTimeout(this.gathering);
    this.giveBack(() => true);
    await Promise.all(this.sending);
    await this.writer.end();
  }

  private giveBackOld(): void {
    this.giveBack(({ claimed_at }) => claimed_at < performance.now() - MAX_QUEUED_MS);
  }

  private giveBack(isMatch: (queued: Queued) => boolean): void {
    for (const { delivery } of this.takeOut(isMatch)) this.postpone(delivery, 0);
  }

  /** Postpones deliveries of organizations that are held up, except for a few that can begin as soon as there is a place. */
  private postponeHeldUp(): void {
    const kept = new Map<string, number>();
    const isPostponed = ({ delivery: { organization_id } }: Queued): boolean => {
      if (!this.places.isHeldUp(organization_id)) return false;
      const count = kept.get(organization_id) ?? 0;
      kept.set(organization_id, count + 1);
      return count >= KEPT_HELD_UP;
    };
    for (const { delivery } of this.takeOut(isPostponed))
      this.postpone(delivery, this.places.postponed(delivery.organization_id));
  }

  /** Removes deliveries from the queue, and returns them. */
  private takeOut(isMatch: (queued: Queued) => boolean): Queued[] {
    const out: Queued[] = [];
    const rest: Queued[] = [];
    for (const queued of this.queue) (isMatch(queued) ? out : rest).push(queued);
    this.queue = rest;
    return out;
  }

  private postpone(delivery: ClaimedDelivery, after_ms: number): void {
    this.writer.write({ delivery, status: 'pending', after_ms, error: null, is_begun: false });
  }

  /** Number of deliveries in the queue that can begin soon. */
  private get ready(): number {
    return this.queue.filter(({ delivery }) => !this.places.isHeldUp(delivery.organization_id)).length;
  }

  private get free(): number {
    const { concurrency } = this.channel;
    const { inFlight } = this.places;
    const open = inFlight + this.writer.unwritten;
    return Math.min(
      this.places.limit(concurrency) - inFlight,
      concurrency * MAX_OPEN_FACTOR - open,
      this.queue.length,
    );
  }

  private dispatch(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    this.giveBackOld(); // the database may have been away longer than a lease
    const { free } = this;
    if (this.signal.aborted || free <= 0) return;
    const isBusy = this.worker.isBusy();
    const most =
      this.places.inFlight +
      (isBusy ? Math.min(free, Math.ceil(this.channel.concurrency / BUSY_DIVISOR)) : free);
    const begun = this.takeOut(({ delivery }) => this.places.inFlight < most && this.places.take(delivery));
    if (begun.length === 0) return;
    const batch = begun.map(({ delivery }) => delivery);
    const sent = this.send(batch).finally(() => this.sending.delete(sent));
    this.sending.add(sent);
    if (this.ready <= this.claimSize / 2) this.worker.wake();
    if (isBusy) this.dispatchSoon();
  }

  /** Sends immediately if half of the places are free and the process is not busy, otherwise after a short time. */
  private dispatchSoon(): void {
    if (this.signal.aborted || this.queue.length === 0) return;
    if (this.free >= this.channel.concurrency / 2 && !this.worker.isBusy()) this.dispatch();
    else this.gathering ??= setTimeout(() => this.dispatch(), GATHER_MS);
  }

  private async send(batch: ClaimedDelivery[]): Promise<void> {
    const open = new Set(batch);
    this.counts.attempts += batch.length;
    try {
      const sendOne = await this.channel.prepare(batch);
      await Promise.all(
        batch.map(async (delivery) => {
          if (this.signal.aborted) return;
          const outcome = await sendOne(delivery);
          if (open.delete(delivery)) this.finish(delivery, outcome);
        }),
      );
      await this.channel.afterBatch?.(this.sending.size === 1);
    } catch (error) {
      this.logger.warn(
        { channel: this.channel.name, err: error },
        'could not send some deliveries; retrying',
      );
    }
    // Without an outcome: it has not begun, or it is sent again after its lease.
    const left = [...open];
    open.clear();
    for (const delivery of left) this.places.leave(delivery, false);
    if (!this.signal.aborted) return;
    this.counts.attempts -= left.length;
    for (const delivery of left) this.postpone(delivery, 0);
  }

  private finish(delivery: ClaimedDelivery, outcome: Outcome): void {
    const is_begun = outcome.kind !== 'postponed';
    this.places.leave(delivery, is_begun && outcome.kind !== 'cancelled');
    const error = 'error' in outcome ? (outcome.error ?? null) : null;
    const attempt = 'attempt' in outcome ? outcome.attempt : undefined;
    const result = { delivery, error, attempt, is_begun };
    if (outcome.kind === 'retry' || outcome.kind === 'postponed') {
      this.writer.write({ ...result, status: 'pending', after_ms: outcome.after_ms });
      if (outcome.after_ms < SOON_MS) setTimeout(() => this.worker.wake(), outcome.after_ms).unref();
    } else this.writer.write({ ...result, status: outcome.kind, after_ms: 0 });
    if (!is_begun) this.counts.attempts -= 1;
    if (outcome.kind === 'delivered') this.places.succeed(delivery);
    else if (outcome.kind === 'retry' && outcome.slow_down) {
      this.places.overload(delivery, outcome.slow_down, outcome.error);
      if (this.places.isPaused) this.giveBack(() => true);
      else this.postponeHeldUp();
    }
    this.dispatchSoon();
  }
}
