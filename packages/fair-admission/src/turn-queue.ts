/** The longest wait by default, if the queue gets shorter or is new. */
const PATIENCE_MS = 4_000;
/** The longest wait in an overload. */
const OVERLOAD_MS = 500;
/**
 * An overload: in so many windows of this length, the queue has not become shorter by what was served, and its oldest request
 * has waited so long, or clients have given up.
 */
const WINDOW_MS = 500;
const WINDOWS = 2;
const LATE_MS = 1_000;
/** Entries that have left are removed when there are so many of them. */
const MAX_LEFT = 256;

interface Entry {
  readonly since: number;
  state: 'waiting' | 'held' | 'over';
}

/**
 * The waiting requests of a tenant. A burst is served in order, and each request waits up to four seconds. If the queue does
 * not become shorter for a second, more arrives than can be served: then the newest request is the next, and each waits at
 * most half a second. In order, all would be served so late that their clients have given up: at twice the capacity, with
 * clients that wait for two seconds, 13 % of the capacity was of use. The overload ends when the queue is empty.
 */
export class TurnQueue<Item extends Entry> {
  private items: Item[] = [];
  private count = 0;
  private isOverloaded = false;
  private windowStart = 0;
  private countAtStart = 0;
  /** Requests whose clients have given up in this window. */
  private left = 0;
  private grown = 0;

  /** @param patienceMs the longest wait in milliseconds, also in an overload: all are served in order. By default, as above */
  constructor(private readonly patienceMs?: number) {}

  /** The number of waiting requests. */
  get size(): number {
    return this.count;
  }

  /** Adds a request. */
  add(item: Item): void {
    if (this.count === 0) this.startWindow(item.since);
    this.items.push(item);
    this.count += 1;
  }

  /** Counts a request that has left: its `state` is no longer `waiting`. */
  leave(): void {
    this.left += 1;
    this.removed();
    if (this.items.length - this.count > MAX_LEFT + this.count)
      this.items = this.items.filter(({ state }) => state === 'waiting');
  }

  /** Takes the request that is the next. */
  take(): Item | undefined {
    return this.isOverloaded ? this.takeNewest() : this.takeOldest();
  }

  /** Takes the request that has waited for the longest time. */
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

  /** Takes the requests that have waited for too long. */
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
    const isLate = this.left > 0 || (oldest !== undefined && now - oldest.since >= LATE_MS);
    this.grown = isLate && this.count + this.left >= this.countAtStart ? this.grown + 1 : 0;
    if (this.grown >= WINDOWS && this.patienceMs === undefined) this.isOverloaded = true;
    this.startWindow(now);
  }

  private startWindow(now: number): void {
    this.windowStart = now;
    this.countAtStart = this.count;
    this.left = 0;
  }
}
