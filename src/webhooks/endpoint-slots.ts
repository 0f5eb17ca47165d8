import { LRUCache } from 'lru-cache';

/** Attempts to one endpoint at a time, by one process. */
const MAX_OF_ENDPOINT = 8;

/** The same while its last attempt has failed, so that endpoints that hang leave the connections to the others. */
const MAX_OF_FAILING = 1;

/** Bounds of the time for which a delivery is postponed, in milliseconds. */
const MIN_POSTPONED_MS = 200;
const MAX_POSTPONED_MS = 120_000;

/** Weight of the newest attempt in the mean duration. */
const WEIGHT = 0.3;

/** Endpoints whose last attempts are remembered. */
const MAX_REMEMBERED = 10_000;

/** Attempts in flight of an endpoint. */
class Attempts {
  inFlight = 0;
  isFailing = false;
  /** Mean duration of an attempt, in milliseconds. */
  private duration = 0;
  /** When the next postponed delivery is due (`performance.now()`). */
  private nextAt = 0;

  /** Returns for how many milliseconds to postpone a delivery: to the time at which its turn is expected. */
  postponed(limit: number): number {
    const now = performance.now();
    this.nextAt = Math.min(Math.max(this.nextAt, now) + this.duration / limit, now + MAX_POSTPONED_MS);
    return Math.max(Math.ceil(this.nextAt - now), MIN_POSTPONED_MS);
  }

  /** @param begunAt `performance.now()` */
  end(begunAt: number, isSuccess: boolean): void {
    this.inFlight -= 1;
    this.duration += (performance.now() - begunAt - this.duration) * WEIGHT;
    if (isSuccess && this.isFailing) this.nextAt = 0; // works again
    this.isFailing = !isSuccess;
  }
}

/**
 * Limits the attempts to each endpoint, so that endpoints that hang do not hold up others of their organization. `ChannelPlaces`
 * limits the attempts of each organization. A delivery without a slot is postponed to the time at which its turn is expected, so
 * that a long queue is not claimed again and again.
 */
export class EndpointSlots {
  private readonly endpoints = new LRUCache<string, Attempts>({ max: MAX_REMEMBERED });

  /**
   * Takes a slot.
   * @returns a function that gives it back after the attempt, or for how many milliseconds to postpone the delivery
   */
  take(id: string): number | ((isSuccess: boolean) => void) {
    const endpoint = this.endpoints.get(id) ?? new Attempts();
    this.endpoints.set(id, endpoint);
    const limit = endpoint.isFailing ? MAX_OF_FAILING : MAX_OF_ENDPOINT;
    if (endpoint.inFlight >= limit) return endpoint.postponed(limit);
    const begunAt = performance.now();
    endpoint.inFlight += 1;
    return (isSuccess) => endpoint.end(begunAt, isSuccess);
  }
}
