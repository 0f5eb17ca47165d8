import type { DeliveryStatus } from './delivery.entity.js';

/** Counts of a channel's deliveries in this process. */
export class DeliveryCounts {
  attempts = 0;
  retries = 0;
  /** Results without an effect, because the lease had ended and another process has claimed the delivery. */
  superseded = 0;
  readonly finished: Record<Exclude<DeliveryStatus, 'pending'>, number> = {
    delivered: 0,
    failed: 0,
    cancelled: 0,
  };
}
