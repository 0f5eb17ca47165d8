import { LRUCache } from 'lru-cache';

/** Default length of the window in which requests are counted. It starts with the first request. */
export const WINDOW_SECONDS = 60;

/** Length of the longest window. */
export const MAX_WINDOW_SECONDS = 3_600;

const MAX_SUBJECTS = 20_000; // lru-cache allocates its arrays immediately: 100,000 subjects would take 4 MB and 10 ms at startup

/** Count of a subject, and the time until its window ends. */
export interface Counted {
  consumedPoints: number;
  msBeforeNext: number;
}

/**
 * Counts of a server. A count without a round trip is not a promise, because each promise costs 0.3 µs, and each request is
 * counted twice.
 */
export interface LocalCounts {
  /** Called after startup, and at shutdown. */
  open?(): void;
  close?(): void;
  /** Adds one to a count, or does nothing if it has already reached `limit`. `seconds`: length of its window. */
  add(name: string, limit: number, seconds: number): Counted | Promise<Counted>;
  /** Returns the count of a subject, or undefined if there is no count. `seconds`: length of its window. */
  get(name: string, limit: number, seconds?: number): Counted | undefined | Promise<Counted>;
}

interface Window {
  used: number;
  /** Time of `performance.now()`. */
  ends_at: number;
}

/** Counts in the memory of this process, for the 20,000 most recently used subjects. */
export class MemoryCounts implements LocalCounts {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_SUBJECTS });

  add(name: string, _limit?: number, seconds?: number): Counted {
    return this.addPoints(name, 1, seconds);
  }

  /** Adds points to a count. */
  addPoints(name: string, points: number, seconds = WINDOW_SECONDS): Counted {
    const now = performance.now();
    const window = this.running(name, now) ?? { used: 0, ends_at: now + seconds * 1000 };
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
