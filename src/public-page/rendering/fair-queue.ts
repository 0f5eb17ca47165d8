import { BoundedQueue, type QueueLimits } from '../../server/bounded-queue.js';

/** The limits of a {@link FairQueue}. */
interface FairLimits extends QueueLimits {
  /** Maximum number of tasks of one owner that run at once. */
  each: number;
}

/** Runs a few tasks at once, of which one owner cannot have all: tasks of others do not wait behind all of its own. */
export class FairQueue {
  private readonly all: BoundedQueue;
  private readonly owners = new Map<string, { queue: BoundedQueue; tasks: number }>();

  /** @param createError creates the error of a task that finds the queue full, or waits too long */
  constructor(
    private readonly limits: FairLimits,
    private readonly createError: () => Error,
  ) {
    this.all = new BoundedQueue(limits, createError);
  }

  /** Runs a task in its turn. */
  async run<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const owner = this.owners.get(name) ?? { queue: this.queueOfOwner(), tasks: 0 };
    this.owners.set(name, owner);
    owner.tasks += 1;
    try {
      return await owner.queue.run(() => this.all.run(task));
    } finally {
      owner.tasks -= 1;
      if (owner.tasks === 0) this.owners.delete(name);
    }
  }

  private queueOfOwner(): BoundedQueue {
    return new BoundedQueue({ ...this.limits, running: this.limits.each }, this.createError);
  }
}
