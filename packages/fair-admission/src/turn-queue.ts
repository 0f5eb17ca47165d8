/** Default maximum queue time without overload. */
const PATIENCE_MS = 4_000;
/** Maximum queue time during overload. */
const OVERLOAD_MS = 500;
/**
 * Overload starts after `WINDOWS` windows of `WINDOW_MS` in which the queue did not become shorter through served requests, and the
 * oldest request has waited for `LATE_MS` or clients have given up.
 */
const WINDOW_MS = 500;
const WINDOWS = 2;
const LATE_MS = 1_000;
/** Number of abandoned entries above which they are removed from the array. */
const MAX_ABANDONED = 256;

interface Entry {
  readonly since: number;
  state: 'waiting' | 'held' | 'over';
}

/**
 * Queued requests of a tenant. A burst is served in order, and each request waits for up to four seconds. If the queue does not
 * become shorter for a second (overload), the newest request is served first, and each request waits for at most half a second. In
 * order, all clients would have given up before they are served. At twice the capacity, with clients that wait for two seconds, only
 * 13 % of the capacity was useful. The overload ends when the queue is empty.
 */
export class TurnQueue<Item extends Entry> {
  private items: Item[] = [];
  private count = 0;
  private isOverloaded = false;
  private windowStart = 0;
  private countAtStart = 0;
  /** Number of clients that have given up in this window. */
  private abandoned = 0;
  private grown = 0;

  /** @param patienceMs maximum queue time in milliseconds. If set, all requests are served in order, even during overload */
  constructor(private readonly patienceMs?: number) {}

  /** Number of queued requests. */
  get size(): number {
    return this.count;
  }

  add(item: Item): void {
    if (this.count === 0) this.startWindow(item.since);
    this.items.push(item);
    this.count += 1;
  }

  /** Counts an abandoned request, whose `state` is no longer `waiting`. */
  leave(): void {
    this.abandoned += 1;
    this.removed();
    if (this.items.length - this.count > MAX_ABANDONED + this.count)
      this.items = this.items.filter(({ state }) => state === 'waiting');
  }

  /** Removes and returns the next request. */
  take(): Item | undefined {
    return this.isOverloaded ? this.takeNewest() : this.takeOldest();
  }

  /** Removes and returns the oldest request. */
  takeOldest(): Item | undefined {
    const index = this.items.findIndex(({ state }) => state === 'waiting');
    const [item] = this.items.splice(0, index + 1).slice(-1);
    if (index >= 0) this.removed();
    return index >= 0 ? item : undefined;
  }

  private takeNewest(): Item | undefined {
    for (let item = this.items.pop(); item; item = this.items.pop())
      if (item.state === 'waiting') {
        this.removed();
        return item;
      }
    return undefined;
  }

  /** Removes and returns the requests that have timed out. */
  expire(now: number): Item[] {
    this.observe(now);
    const limit = now - (this.patienceMs ?? (this.isOverloaded ? OVERLOAD_MS : PATIENCE_MS));
    const index = this.items.findIndex(({ since }) => since > limit);
    const old = this.items.splice(0, index < 0 ? this.items.length : index);
    const expired = old.filter(({ state }) => state === 'waiting');
    for (const _ of expired) this.removed();
    return expired;
  }

  private removed(): void {
    this.count -= 1;
    if (this.count > 0) return;
    this.items = [];
    this.isOverloaded = false;
    this.grown = 0;
  }

  private observe(now: number): void {
    if (this.count === 0 || now - this.windowStart < WINDOW_MS) return;
    const oldest = this.items.find(({ state }) => state === 'waiting');
    const isLate = this.abandoned > 0 || (oldest !== undefined && now - oldest.since >= LATE_MS);
    this.grown = isLate && this.count + this.abandoned >= this.countAtStart ? this.grown + 1 : 0;
    if (this.grown >= WINDOWS && this.patienceMs === undefined) this.isOverloaded = true;
    this.startWindow(now);
  }

  private startWindow(now: number): void {
    this.windowStart = now;
    this.countAtStart = this.count;
    this.abandoned = 0;
  }
}
