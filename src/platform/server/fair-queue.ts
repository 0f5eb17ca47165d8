/** Limits of a {@link FairQueue}. */
export interface FairLimits {
  /** Maximum number of concurrent tasks. */
  running: number;
  /** Maximum number of concurrent tasks of one owner. */
  each: number;
  /** Maximum number of concurrent tasks of rank `last`, of all owners. One owner has at most one. Default: `running`. */
  last?: number;
  /** Maximum number of waiting tasks in each lane. */
  waiting: number;
  /** Maximum waiting time of a task, in milliseconds. */
  waitMs: number;
}

/** `first`: before all tasks of rank `last`, which get every fourth slot while both wait. */
export type Rank = 'first' | 'last';

/** For whom a task runs. */
export interface Place {
  /** Such as an organization. */
  owner: string;
  /** Such as a page of the organization. Default: all tasks of the owner wait in one lane. */
  lane?: string;
  /** Default: `first`. */
  rank?: Rank;
}

/** Number of tasks of rank `first` that start in a row while tasks of rank `last` wait. */
const FIRST_IN_A_ROW = 3;

interface Owner {
  readonly running: Record<Rank, number>;
  /** Waiting tasks by lane, in the order in which the lanes are served. Each lane is first in, first out. */
  readonly lanes: Record<Rank, Map<string, Set<() => void>>>;
}

/**
 * Runs a few tasks concurrently. One owner cannot use all slots, so tasks of other owners do not wait behind all of its tasks.
 * Owners are served round-robin, and so are the lanes of an owner. A waiting task holds no slot.
 *
 *     const queue = new FairQueue({ running: 2, each: 1, waiting: 256, waitMs: 5_000 }, unavailable);
 *     await queue.run({ owner: organizationId }, () => expensive());
 */
export class FairQueue {
  private running = 0;
  private runningLast = 0;
  /** Number of tasks of rank `first` that have started since the latest one of rank `last`. */
  private inARow = 0;
  /** In the order in which they are served. */
  private readonly owners = new Map<string, Owner>();

  /** @param createError creates the error for a task if its lane is full, or it has waited too long */
  constructor(
    private readonly limits: FairLimits,
    private readonly createError: () => Error,
  ) {}

  /** Runs a task when it gets a slot. */
  async run<Result>(
    { owner: name, lane = '', rank = 'first' }: Place,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const owner = this.owners.get(name) ?? newOwner();
    this.owners.set(name, owner);
    // A waiting task cannot start, or it would have started. So this task does not overtake another one.
    if (this.canStart(owner, rank)) this.start(name, owner, rank);
    else await this.waitForTurn(name, owner, lane, rank);
    try {
      return await task();
    } finally {
      this.end(name, owner, rank);
    }
  }

  private canStart({ running: { first, last } }: Owner, rank: Rank): boolean {
    const { running, each, last: most = running } = this.limits;
    if (this.running >= running || first + last >= each) return false;
    return rank === 'first' || (this.runningLast < most && last === 0);
  }

  /** Takes a slot. The owner is then served last in this round. */
  private start(name: string, owner: Owner, rank: Rank): void {
    this.running += 1;
    owner.running[rank] += 1;
    if (rank === 'last') this.runningLast += 1;
    this.inARow = rank === 'last' ? 0 : this.inARow + 1;
    this.owners.delete(name);
    this.owners.set(name, owner);
  }

  private end(name: string, owner: Owner, rank: Rank): void {
    this.running -= 1;
    owner.running[rank] -= 1;
    if (rank === 'last') this.runningLast -= 1;
    this.forgetIdle(name, owner);
    while (this.startNext());
  }

  /** Starts the next waiting task. Returns false if no waiting task can start. */
  private startNext(): boolean {
    const ranks: Rank[] = this.inARow < FIRST_IN_A_ROW ? ['first', 'last'] : ['last', 'first'];
    for (const rank of ranks)
      for (const [name, owner] of this.owners) {
        const lanes = owner.lanes[rank];
        const [[lane, tasks] = []] = lanes;
        const [begin] = tasks ?? [];
        if (lane === undefined || !tasks || !begin || !this.canStart(owner, rank)) continue;
        lanes.delete(lane);
        lanes.set(lane, tasks); // served last in the next round
        this.start(name, owner, rank);
        begin();
        return true;
      }
    return false;
  }

  private async waitForTurn(name: string, owner: Owner, lane: string, rank: Rank): Promise<void> {
    const lanes = owner.lanes[rank];
    const tasks = lanes.get(lane) ?? new Set();
    if (tasks.size >= this.limits.waiting) throw this.createError();
    lanes.set(lane, tasks);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        tasks.delete(begin);
        if (tasks.size === 0) lanes.delete(lane);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const timer = setTimeout(() => {
        leave();
        this.forgetIdle(name, owner);
        reject(this.createError());
      }, this.limits.waitMs);
      tasks.add(begin);
    });
  }

  private forgetIdle(name: string, { running, lanes }: Owner): void {
    const isIdle = running.first + running.last + lanes.first.size + lanes.last.size === 0;
    if (isIdle) this.owners.delete(name);
  }
}

function newOwner(): Owner {
  return { running: { first: 0, last: 0 }, lanes: { first: new Map(), last: new Map() } };
}
