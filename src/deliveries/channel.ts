import type { EntityManager } from 'typeorm';
import type { Event } from '../events/event.entity.js';
import type { NotifiedEvent } from '../events/events.service.js';
import type { Attempt, Delivery } from './delivery.entity.js';

/** A claimed delivery, which this process may send until its lease ends. */
export type ClaimedDelivery = Pick<
  Delivery,
  'id' | 'organization_id' | 'project_id' | 'kind' | 'event_id' | 'recipient_id' | 'attempts' | 'lease'
>;

/** Extent of a pause after an overload. */
export type SlowDownOf = 'channel' | 'organization';

/**
 * Result of an attempt. `error` must not contain the address.
 *
 * - `delivered`: the other side has accepted the message.
 * - `cancelled`: there is nothing to send any more, for example because the recipient has unsubscribed.
 * - `failed`: permanent failure.
 * - `retry`: temporary failure; the next attempt is due after `after_ms`. `slow_down`: the other side is overloaded, for all messages,
 *   which pauses the channel, or perhaps only for this one, which pauses its organization.
 * - `postponed`: the attempt has not begun, and is due after `after_ms`.
 *
 * `attempt` is added to the log of the delivery.
 */
export type Outcome =
  | { kind: 'delivered'; attempt?: Attempt }
  | { kind: 'cancelled'; error?: string }
  | { kind: 'failed'; error: string; attempt?: Attempt }
  | { kind: 'retry'; error: string; after_ms: number; slow_down?: SlowDownOf | null; attempt?: Attempt }
  | { kind: 'postponed'; after_ms: number };

/** Up to where the recipients of an event were found: status page and ID; null: none yet. */
export type Position = Pick<Event, 'page_id' | 'recipient_id'>;

export interface Recipients {
  ids: string[];
  /** Where to continue; null: there are no further recipients. */
  next: Position | null;
}

/** A way to reach recipients, such as mail. Registered with `DeliveriesService.register`. */
export interface Channel {
  /** Stored in `deliveries.channel`. */
  readonly name: string;
  /** Whether its deliveries wait for `email_due_at` of the event. Default: false. */
  readonly waits?: boolean;
  /** false: only other processes may be able to send on this channel, so its deliveries are left to them. Default: true. */
  readonly isAvailable?: boolean;
  /**
   * Whether a project gets no further deliveries on it while many have not begun. false for a channel with few recipients of an
   * event, so that one that hangs does not hold up the channels after it. Default: true.
   */
  readonly isBounded?: boolean;
  /** Maximum number of deliveries that one process sends at a time. Organizations share them, see `ChannelPlaces`. */
  readonly concurrency: number;
  /**
   * Returns the next recipients of an event, about `limit`. Must take a short time, also if few of many subscribers match.
   * @param after up to where it has returned them before
   */
  recipientsOf(
    event: NotifiedEvent,
    after: Position,
    limit: number,
    manager: EntityManager,
  ): Promise<Recipients>;
  /** Returns the number of the recipients that {@link recipientsOf} returns. Default: their number is counted in the process. */
  countRecipients?(
    event: NotifiedEvent,
    after: Position,
    limit: number,
    manager: EntityManager,
  ): Promise<{ count: number; next: Position | null }>;
  /**
   * Reads what a batch of deliveries needs. Returns a function that sends one of them, which must not throw. What has begun when the
   * process ends is sent again after its lease.
   */
  prepare(deliveries: ClaimedDelivery[]): Promise<(delivery: ClaimedDelivery) => Promise<Outcome>>;
  /**
   * Called after each batch.
   * @param isLast whether no other batch is being sent
   */
  afterBatch?(isLast: boolean): Promise<void>;
}
