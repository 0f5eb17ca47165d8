/** How much a {@link BoundedQueue} takes. */
interface QueueLimits {
  /** Tasks that run at once. */
  running: number;
  /** Further tasks that may wait. */
  waiting: number;
  /** Milliseconds that a task may wait. */
  waitMs: number;
}

/**
 * Runs a few tasks at once. Others wait in their order, for a bounded time and in a bounded number:
 *
 *     const queue = new BoundedQueue({ running: 2, waiting: 16, waitMs: 10_000 }, unavailable);
 *     await queue.run(() => expensive());
 */
export class BoundedQueue {
  private running = 0;
  private readonly waiting = new Set<() => void>(); // first in, first out

  /** @param refusal the error for a task that finds the queue full, or waits too long */
  constructor(
    private readonly limits: QueueLimits,
    private readonly refusal: () => Error,
  ) {}

  /** Runs a task as soon as it is its turn. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.running) this.running += 1;
    else await this.turn();
    try {
      return await task();
    } finally {
      const [next] = this.waiting; // it takes the place
      if (next) next();
      else this.running -= 1;
    }
  }

  private async turn(): Promise<void> {
    if (this.waiting.size >= this.limits.waiting) throw this.refusal();
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(start);
        reject(this.refusal());
      }, this.limits.waitMs);
      this.waiting.add(start);
    });
  }
}
