import type { QueueLimits } from '../../platform/server/bounded-queue.js';

/** The limits of a {@link FairQueue}. `waiting` is for each owner, and for each kind of task. */
interface FairLimits extends QueueLimits {
  /** Maximum number of tasks of one owner that run at once. */
  each: number;
}

/** The kind of a task: of all single tasks, one runs at a time. */
type Kind = 'ordinary' | 'single';

interface Owner {
  running: number;
  /** Of the task that ran last. */
  last: Kind;
  /** First in, first out. */
  readonly waiting: Record<Kind, Set<() => void>>;
}

/**
 * Runs a few tasks at once, of which one owner cannot have all: tasks of others do not wait behind all of its own. Owners take
 * turns, and so do the two kinds of tasks of an owner. A task that waits holds no place.
 *
 *     const queue = new FairQueue({ running: 2, each: 1, waiting: 256, waitMs: 5_000 }, unavailable);
 *     await queue.run(organizationId, () => expensive());
 */
export class FairQueue {
  private running = 0;
  private isSingleRunning = false;
  /** In the order of their turns. */
  private readonly owners = new Map<string, Owner>();

  /** @param createError creates the error of a task that finds the queue full, or waits too long */
  constructor(
    private readonly limits: FairLimits,
    private readonly createError: () => Error,
  ) {}

  /** Runs a task in its turn. */
  async run<Result>(name: string, task: () => Promise<Result>, kind: Kind = 'ordinary'): Promise<Result> {
    const owner = this.owners.get(name) ?? newOwner();
    this.owners.set(name, owner);
    // A task that waits cannot start, or it would have: so this one takes the place of none.
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
    if (!isIdle(owner)) this.owners.set(name, owner); // last in turn
    for (const next of this.owners.values()) this.startNext(next);
  }

  /** Starts a task of an owner that waits, if one can start. */
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
