import type { Logger } from 'pino';
import type { Channel, ClaimedDelivery, Outcome } from './channel.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryQueue } from './delivery-queue.js';
import { DeliveryCounts } from './delivery-counts.js';
import { ResultWriter } from './result-writer.js';
import { SlowDown } from './slow-down.js';

/** Claimed deliveries that have not begun after this time are given back, because their lease must outlast the attempt. */
const MAX_QUEUED_MS = 5_000;

/** Deliveries are claimed up to this multiple of the channel's concurrency, so that there are few statements, and short waits. */
const CLAIM_FACTOR = 4;

/** Attempts in flight, and results that are not written yet, are at most this multiple of the concurrency together. */
const MAX_OPEN_FACTOR = 4;

/** Time for which one free place waits for others, so that the channel gets several deliveries together. */
const GATHER_MS = 20;

/** Time before which a due delivery does not wait for the next poll of the database. */
const SOON_MS = 1_000;

/** A claimed delivery that has not begun. */
interface Queued {
  delivery: ClaimedDelivery;
  claimed_at: number;
}

/** Claims the deliveries of one channel, and keeps the channel busy. */
export class ChannelSender {
  readonly counts = new DeliveryCounts();
  private queue: Queued[] = [];
  private inFlight = 0;
  private readonly sending = new Set<Promise<void>>();
  private readonly slowDown: SlowDown;
  private readonly writer: ResultWriter;
  private readonly claimSize: number;
  private gathering: NodeJS.Timeout | undefined;

  /**
   * @param signal aborted when the process stops
   * @param wake makes the worker call {@link fill} soon
   */
  constructor(
    private readonly channel: Channel,
    private readonly pending: DeliveryQueue,
    repository: DeliveriesRepository,
    private readonly logger: Logger,
    private readonly signal: AbortSignal,
    private readonly wake: () => void,
  ) {
    this.claimSize = channel.concurrency * CLAIM_FACTOR;
    this.slowDown = new SlowDown(channel.name, logger);
    this.writer = new ResultWriter(repository, logger, this.counts, () => this.dispatchSoon());
  }

  /** Claims the next deliveries if there are few left. */
  async fill(): Promise<void> {
    this.giveBackOld();
    const limit = this.slowDown.limit(this.claimSize);
    if (this.signal.aborted || limit === 0 || this.queue.length > limit / 2) return;
    const wanted = limit - this.queue.length;
    const claimed = await this.pending.claim(this.channel.name, wanted);
    const claimed_at = performance.now();
    this.queue.push(...claimed.map((delivery) => ({ delivery, claimed_at })));
    if (this.signal.aborted || this.slowDown.isPaused) this.giveBack(() => true);
    else this.dispatch();
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
    const back = this.queue.filter(isMatch);
    this.queue = this.queue.filter((queued) => !isMatch(queued));
    for (const { delivery } of back)
      this.writer.write({ delivery, status: 'pending', after_ms: 0, error: null, is_begun: false });
  }

  private get free(): number {
    const { concurrency } = this.channel;
    const open = this.inFlight + this.writer.unwritten;
    return Math.min(
      this.slowDown.limit(concurrency) - this.inFlight,
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
    const batch = this.queue.splice(0, free).map(({ delivery }) => delivery);
    this.inFlight += batch.length;
    const sent = this.send(batch).finally(() => this.sending.delete(sent));
    this.sending.add(sent);
    if (this.queue.length <= this.claimSize / 2) this.wake();
  }

  /** Sends immediately if half of the places are free, otherwise after a short time. */
  private dispatchSoon(): void {
    if (this.signal.aborted || this.queue.length === 0) return;
    if (this.free >= this.channel.concurrency / 2) this.dispatch();
    else this.gathering ??= setTimeout(() => this.dispatch(), GATHER_MS);
  }

  private async send(batch: ClaimedDelivery[]): Promise<void> {
    const open = new Map(batch.map((delivery) => [delivery.id, delivery]));
    this.counts.attempts += batch.length;
    const finish = ({ id }: ClaimedDelivery, outcome: Outcome) => {
      const delivery = open.get(id);
      if (delivery && open.delete(id)) this.finish(delivery, outcome);
    };
    try {
      await this.channel.send(batch, finish, this.signal);
    } catch (error) {
      this.logger.warn(
        { channel: this.channel.name, err: error },
        'could not send some deliveries; retrying',
      );
    }
    // Without an outcome: it has not begun, or it is sent again after its lease.
    const left = [...open.values()];
    open.clear();
    this.inFlight -= left.length;
    if (!this.signal.aborted) return;
    this.counts.attempts -= left.length;
    for (const delivery of left)
      this.writer.write({ delivery, status: 'pending', after_ms: 0, error: null, is_begun: false });
  }

  private finish(delivery: ClaimedDelivery, outcome: Outcome): void {
    this.inFlight -= 1;
    const error = 'error' in outcome ? (outcome.error ?? null) : null;
    const attempt = 'attempt' in outcome ? outcome.attempt : undefined;
    const is_begun = outcome.kind !== 'postponed';
    const result = { delivery, error, attempt, is_begun };
    if (outcome.kind === 'retry' || outcome.kind === 'postponed') {
      this.writer.write({ ...result, status: 'pending', after_ms: outcome.after_ms });
      if (outcome.after_ms < SOON_MS) setTimeout(this.wake, outcome.after_ms).unref();
    } else this.writer.write({ ...result, status: outcome.kind, after_ms: 0 });
    if (!is_begun) this.counts.attempts -= 1;
    if (outcome.kind === 'delivered') this.slowDown.end();
    else if (outcome.kind === 'retry' && outcome.slow_down === true && this.slowDown.begin(outcome.error))
      this.giveBack(() => true);
    this.dispatchSoon();
  }
}
