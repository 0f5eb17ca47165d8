import { LRUCache } from 'lru-cache';

/** Attempts to one endpoint at a time, by one process. */
const MAX_OF_ENDPOINT = 8;

/** The same while its last attempt has failed, so that endpoints that hang leave the connections to the others. */
const MAX_OF_FAILING = 1;

/** Attempts to all endpoints of an organization at a time. Leaves a quarter of the channel's to the others. */
const MAX_OF_ORGANIZATION = 75;

/** Attempts of an organization that have been in flight for {@link SLOW_MS}. With so many, no further one begins. */
const MAX_SLOW = 25;
const SLOW_MS = 1_000;

/** Bounds of the time for which a delivery is postponed, in milliseconds. */
const MIN_POSTPONED_MS = 200;
const MAX_POSTPONED_MS = 120_000;

/** Weight of the newest attempt in the mean duration. */
const WEIGHT = 0.3;

/** Endpoints, and organizations, whose last attempts are remembered. */
const MAX_REMEMBERED = 10_000;

/** Attempts in flight of an endpoint or an organization. */
class Attempts {
  /** When they began (`performance.now()`). */
  readonly inFlight = new Set<{ at: number }>();
  isFailing = false;
  /** Mean duration of an attempt, in milliseconds. */
  private duration = 0;
  /** When the next postponed delivery is due (`performance.now()`). */
  private nextAt = 0;

  get slow(): number {
    const before = performance.now() - SLOW_MS;
    return [...this.inFlight].filter(({ at }) => at < before).length;
  }

  /** Returns for how many milliseconds to postpone a delivery: to the time at which its turn is expected. */
  postponed(limit: number): number {
    const now = performance.now();
    this.nextAt = Math.min(Math.max(this.nextAt, now) + this.duration / limit, now + MAX_POSTPONED_MS);
    return Math.max(Math.ceil(this.nextAt - now), MIN_POSTPONED_MS);
  }

  end(attempt: { at: number }, isSuccess: boolean): void {
    this.inFlight.delete(attempt);
    this.duration += (performance.now() - attempt.at - this.duration) * WEIGHT;
    if (isSuccess && this.isFailing) this.nextAt = 0; // works again
    this.isFailing = !isSuccess;
  }
}

/**
 * Limits the attempts to each endpoint and of each organization, so that endpoints that hang do not hold up the others. A
 * delivery without a slot is postponed to the time at which its turn is expected, so that a long queue is not claimed again and
 * again.
 */
export class EndpointSlots {
  private readonly endpoints = new LRUCache<string, Attempts>({ max: MAX_REMEMBERED });
  private readonly organizations = new LRUCache<string, Attempts>({ max: MAX_REMEMBERED });

  /**
   * Takes a slot.
   * @returns a function that gives it back after the attempt, or for how many milliseconds to postpone the delivery
   */
  take({
    id,
    organization_id,
  }: {
    id: string;
    organization_id: string;
  }): number | ((isSuccess: boolean) => void) {
    const endpoint = attemptsOf(this.endpoints, id);
    const limit = endpoint.isFailing ? MAX_OF_FAILING : MAX_OF_ENDPOINT;
    if (endpoint.inFlight.size >= limit) return endpoint.postponed(limit);
    const organization = attemptsOf(this.organizations, organization_id);
    if (organization.slow >= MAX_SLOW) return organization.postponed(MAX_SLOW);
    if (organization.inFlight.size >= MAX_OF_ORGANIZATION) return organization.postponed(MAX_OF_ORGANIZATION);
    const attempt = { at: performance.now() };
    endpoint.inFlight.add(attempt);
    organization.inFlight.add(attempt);
    return (isSuccess) => {
      endpoint.end(attempt, isSuccess);
      organization.end(attempt, isSuccess);
    };
  }
}

function attemptsOf(cache: LRUCache<string, Attempts>, id: string): Attempts {
  const found = cache.get(id) ?? new Attempts();
  cache.set(id, found);
  return found;
}
