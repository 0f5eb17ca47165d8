/** Limits of a {@link BoundedQueue}. */
export interface QueueLimits {
  /** Maximum number of concurrent tasks. */
  running: number;
  /** Maximum number of waiting tasks. */
  waiting: number;
  /** Maximum waiting time of a task, in milliseconds. */
  waitMs: number;
}

/**
 * Runs a few tasks concurrently. Others wait in order, in a bounded number and for a bounded time:
 *
 *     const queue = new BoundedQueue({ running: 2, waiting: 16, waitMs: 10_000 }, unavailable);
 *     await queue.run(() => expensive());
 */
export class BoundedQueue {
  private running = 0;
  private readonly waiting = new Set<() => void>(); // first in, first out

  /** @param createError creates the error for a task if the queue is full, or it has waited too long */
  constructor(
    private readonly limits: QueueLimits,
    private readonly createError: () => Error,
  ) {}

  /** Runs a task now, or when it reaches the head of the queue. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.running) this.running += 1;
    else await this.waitForTurn();
    try {
      return await task();
    } finally {
      const [next] = this.waiting; // takes over the slot
      if (next) next();
      else this.running -= 1;
    }
  }

  private async waitForTurn(): Promise<void> {
    if (this.waiting.size >= this.limits.waiting) throw this.createError();
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(start);
        reject(this.createError());
      }, this.limits.waitMs);
      this.waiting.add(start);
    });
  }
}
