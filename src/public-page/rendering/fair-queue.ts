import type { QueueLimits } from '../../platform/server/bounded-queue.js';

/** Limits of a {@link FairQueue}. `waiting` applies to each owner, and to each kind of task. */
interface FairLimits extends QueueLimits {
  /** Maximum number of concurrent tasks of one owner. */
  each: number;
}

/** Kind of a task. Of all single tasks, one runs at a time. */
type Kind = 'ordinary' | 'single';

interface Owner {
  running: number;
  /** Kind of the task that ran last. */
  last: Kind;
  /** First in, first out. */
  readonly waiting: Record<Kind, Set<() => void>>;
}

/**
 * Runs a few tasks concurrently. One owner cannot use all slots, so tasks of other owners do not wait behind all of its tasks.
 * Owners are served round-robin, and so are the two kinds of tasks of an owner. A waiting task holds no slot.
 *
 *     const queue = new FairQueue({ running: 2, each: 1, waiting: 256, waitMs: 5_000 }, unavailable);
 *     await queue.run(organizationId, () => expensive());
 */
export class FairQueue {
  private running = 0;
  private isSingleRunning = false;
  /** In the order in which they are served. */
  private readonly owners = new Map<string, Owner>();

  /** @param createError creates the error for a task if the queue is full, or it has waited too long */
  constructor(
    private readonly limits: FairLimits,
    private readonly createError: () => Error,
  ) {}

  /** Runs a task when it gets a slot. */
  async run<Result>(name: string, task: () => Promise<Result>, kind: Kind = 'ordinary'): Promise<Result> {
    const owner = this.owners.get(name) ?? newOwner();
    this.owners.set(name, owner);
    // A waiting task cannot start, or it would have started. So this task does not overtake another one.
    if (this.canStart(owner, kind)) this.start(owner, kind);
    else await this.waitForTurn(name, owner, kind);
    try {
      return await task();
    } finally {
      this.end(name, owner, kind);
    }
  }

  private canStart(owner: Owner, kind: Kind): boolean {
    const { running, each } = this.limits;
    return this.running < running && owner.running < each && !(kind === 'single' && this.isSingleRunning);
  }

  private start(owner: Owner, kind: Kind): void {
    this.running += 1;
    owner.running += 1;
    owner.last = kind;
    if (kind === 'single') this.isSingleRunning = true;
  }

  private end(name: string, owner: Owner, kind: Kind): void {
    this.running -= 1;
    owner.running -= 1;
    if (kind === 'single') this.isSingleRunning = false;
    this.owners.delete(name);
    if (!isIdle(owner)) this.owners.set(name, owner); // served last in the next round
    for (const next of this.owners.values()) this.startNext(next);
  }

  /** Starts a waiting task of an owner, if one can start. */
  private startNext(owner: Owner): void {
    const kinds: Kind[] = owner.last === 'single' ? ['ordinary', 'single'] : ['single', 'ordinary'];
    for (const kind of kinds) {
      const [next] = owner.waiting[kind];
      if (!next || !this.canStart(owner, kind)) continue;
      this.start(owner, kind);
      next();
      return;
    }
  }

  private async waitForTurn(name: string, owner: Owner, kind: Kind): Promise<void> {
    const waiting = owner.waiting[kind];
    if (waiting.size >= this.limits.waiting) throw this.createError();
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        if (isIdle(owner)) this.owners.delete(name);
        reject(this.createError());
      }, this.limits.waitMs);
      waiting.add(begin);
    });
  }
}

function newOwner(): Owner {
  return { running: 0, last: 'single', waiting: { ordinary: new Set(), single: new Set() } };
}

function isIdle({ running, waiting }: Owner): boolean {
  return running === 0 && waiting.ordinary.size === 0 && waiting.single.size === 0;
}
