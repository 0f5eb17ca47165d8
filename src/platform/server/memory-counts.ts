import { LRUCache } from 'lru-cache';

/** The window in which requests are counted. The first request starts it. */
export const WINDOW_SECONDS = 60;

const MAX_SUBJECTS = 20_000; // lru-cache allocates its arrays at once: 100,000 take 4 MB and 10 ms of the start

/** The count of a subject, and the time until its window ends. */
export interface Counted {
  consumedPoints: number;
  msBeforeNext: number;
}

/** The counts of a server. A count without a round trip is no promise: each costs 0.3 µs, and each request is counted twice. */
export interface LocalCounts {
  /** Called when the server has started, and when it stops. */
  open?(): void;
  close?(): void;
  /** Adds one to a count; need not add if it has reached `limit`. */
  add(name: string, limit: number): Counted | Promise<Counted>;
  /** The count of a subject; undefined: nothing is counted. */
  get(name: string, limit: number): Counted | undefined | Promise<Counted>;
}

interface Window {
  used: number;
  /** By `performance.now()`. */
  ends_at: number;
}

/** Counts in the memory of this process: the 20,000 subjects used last. */
export class MemoryCounts implements LocalCounts {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_SUBJECTS });

  add(name: string): Counted {
    return this.addPoints(name, 1);
  }

  /** Adds points to a count. */
  addPoints(name: string, points: number): Counted {
    const now = performance.now();
    const window = this.running(name, now) ?? { used: 0, ends_at: now + WINDOW_SECONDS * 1000 };
    if (window.used === 0) this.windows.set(name, window);
    window.used += points;
    return { consumedPoints: window.used, msBeforeNext: window.ends_at - now };
  }

  get(name: string): Counted | undefined {
    const now = performance.now();
    const window = this.running(name, now);
    return window && { consumedPoints: window.used, msBeforeNext: window.ends_at - now };
  }

  private running(name: string, now: number): Window | undefined {
    const window = this.windows.get(name);
    return window && window.ends_at > now ? window : undefined;
  }
}
