import { RateLimiterMemory } from 'rate-limiter-flexible';

/** The window in which requests are counted. The first request starts it. */
export const WINDOW_SECONDS = 60;

/** The count of a subject, and the time until its window ends. */
export interface Counted {
  consumedPoints: number;
  msBeforeNext: number;
}

/** The counts of a server. */
export interface LocalCounts {
  /** Called when the server has started, and when it stops. */
  open?(): void;
  close?(): void;
  /** Adds one to a count; need not add if it has reached `limit`. */
  add(name: string, limit: number): Promise<Counted>;
  /** The count of a subject; null: nothing is counted. */
  get(name: string, limit: number): Promise<Counted | null>;
}

/** Counts in the memory of this process. */
export class MemoryCounts implements LocalCounts {
  private readonly memory = new RateLimiterMemory({
    points: 1, // each subject has a limit of its own
    duration: WINDOW_SECONDS,
  });

  async add(name: string): Promise<Counted> {
    return this.memory.penalty(name);
  }

  /** Adds to a count; 0 points only read it. */
  async addPoints(name: string, points: number): Promise<Counted | null> {
    return points > 0 ? this.memory.penalty(name, points) : this.memory.get(name);
  }

  async get(name: string): Promise<Counted | null> {
    return this.memory.get(name);
  }
}
