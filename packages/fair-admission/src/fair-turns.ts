import { pieces } from './pieces.js';
import { TurnQueue } from './turn-queue.js';

/** Default minimum number of slots from which one tenant cannot hold all. */
const MIN_FAIR = 5;
/** Slots that a tenant may hold for each free slot: four fifths of all if the others hold none. */
const SHARE = 4;
/** Default maximum number of queued requests of all tenants. */
const MAX_WAITING = 2_000;
const CHECK_MS = 100;

/** Limits of slots and queues. */
export interface TurnLimits {
  /** Minimum number of slots from which one tenant cannot hold all. */
  minFair?: number;
  /** Maximum number of queued requests of all tenants. */
  waiting?: number;
  /** Maximum queue time in milliseconds, see {@link TurnQueue}. */
  patienceMs?: number;
}

/** Callbacks for a request that gets a slot, or is rejected. */
export interface TurnHandlers {
  /** Called when a slot is assigned. The request may finish before `take` returns. */
  start: (turn: Turn) => void;
  refuse: () => void;
}

/** A slot, or a place in the queue of a tenant. */
export interface Turn {
  state: 'waiting' | 'held' | 'over';
  readonly since: number;
  readonly tenant: Tenant;
  readonly handlers: TurnHandlers;
}

interface Tenant {
  readonly name: string;
  held: number;
  readonly queue: TurnQueue<Turn>;
}

/**
 * Limits the number of concurrent requests, and shares the slots between tenants. The next slot goes to the tenant with the fewest
 * running requests. Other requests queue for a limited time, see {@link TurnQueue}.
 *
 *     const turn = turns.take(organizationId, { start, refuse });
 *     turns.end(turn);
 */
export class FairTurns {
  private readonly tenants = new Map<string, Tenant>();
  private free: number;
  private waitingCount = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param total number of slots */
  constructor(
    private readonly total: number,
    private readonly limits: TurnLimits = {},
  ) {
    this.free = total;
  }

  /** Number of running requests. */
  get running(): number {
    return this.total - this.free;
  }

  /** Number of queued requests. */
  get waiting(): number {
    return this.waitingCount;
  }

  /**
   * Runs a task when the tenant has a slot.
   * @param createError creates the error for a task that is rejected
   */
  async run<Result>(name: string, task: () => Promise<Result>, createError: () => Error): Promise<Result> {
    const turn = await new Promise<Turn>((start, reject) => {
      this.take(name, { start, refuse: () => reject(createError()) });
    });
    try {
      return await task();
    } finally {
      this.end(turn);
    }
  }

  /** Starts a request now, or when a slot is free. Calls exactly one of the handlers, unless `end` is called before. */
  take(name: string, handlers: TurnHandlers): Turn {
    const tenant = this.tenants.get(name) ?? {
      name,
      held: 0,
      queue: new TurnQueue<Turn>(this.limits.patienceMs),
    };
    this.tenants.set(name, tenant);
    const turn: Turn = { state: 'waiting', since: performance.now(), tenant, handlers };
    if (tenant.queue.size === 0 && this.canStart(tenant)) {
      this.hold(turn);
      handlers.start(turn);
    } else {
      this.wait(turn);
    }
    return turn;
  }

  /** Releases a slot or leaves the queue. Does nothing if already released. */
  end(turn: Turn): void {
    const { state, tenant } = turn;
    turn.state = 'over';
    if (state === 'held') {
      tenant.held -= 1;
      this.free += 1;
      this.putLast(tenant);
      this.startNext();
    } else if (state === 'waiting') {
      this.waitingCount -= 1;
      tenant.queue.leave();
    }
    this.forgetIdle(tenant);
  }

  /** Returns whether a tenant may hold one more slot. The limit decreases with the number of free slots, to keep some for others. */
  private canStart({ held }: Tenant): boolean {
    if (this.free === 0) return false;
    const { minFair = MIN_FAIR } = this.limits;
    return held === 0 || this.total < minFair || held + 1 <= SHARE * (this.free - 1);
  }

  private hold(turn: Turn): void {
    turn.state = 'held';
    turn.tenant.held += 1;
    this.free -= 1;
  }

  private wait(turn: Turn): void {
    if (this.waitingCount >= (this.limits.waiting ?? MAX_WAITING)) {
      this.refuseOne();
      // Add the tenant again, because `refuseOne` removes it if this was its only request.
      this.tenants.set(turn.tenant.name, turn.tenant);
    }
    this.waitingCount += 1;
    turn.tenant.queue.add(turn);
    this.timer ??= setInterval(() => this.check(), CHECK_MS).unref();
  }

  private startNext(): void {
    for (let tenant = this.next(); tenant; tenant = this.next()) {
      const turn = tenant.queue.take();
      if (!turn) return;
      this.waitingCount -= 1;
      this.hold(turn);
      this.putLast(tenant);
      // If requests end synchronously, starting each from the end of the previous one would overflow the stack.
      pieces.run(() => {
        if (turn.state === 'held') turn.handlers.start(turn);
      });
    }
  }

  /** Serves tenants with the same number of slots round-robin. */
  private putLast(tenant: Tenant): void {
    this.tenants.delete(tenant.name);
    this.tenants.set(tenant.name, tenant);
  }

  /** Returns the eligible waiting tenant with the fewest slots. */
  private next(): Tenant | undefined {
    if (this.waitingCount === 0 || this.free === 0) return undefined;
    let found: Tenant | undefined;
    for (const tenant of this.tenants.values()) {
      if (tenant.queue.size === 0 || !this.canStart(tenant)) continue;
      if (!found || tenant.held < found.held) found = tenant;
      if (found.held === 0) break;
    }
    return found;
  }

  /** Rejects the oldest request of the tenant with the most queued requests. */
  private refuseOne(): void {
    let found: Tenant | undefined;
    for (const tenant of this.tenants.values())
      if (!found || tenant.queue.size > found.queue.size) found = tenant;
    const turn = found?.queue.takeOldest();
    if (turn) this.refuse(turn);
  }

  private check(): void {
    const now = performance.now();
    for (const tenant of this.tenants.values())
      for (const turn of tenant.queue.expire(now)) this.refuse(turn);
    if (this.waitingCount > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private refuse(turn: Turn): void {
    turn.state = 'over';
    this.waitingCount -= 1;
    turn.handlers.refuse();
    this.forgetIdle(turn.tenant);
  }

  private forgetIdle(tenant: Tenant): void {
    // The tenant of an old slot may have been removed and replaced by another object with the same name.
    const isIdle = tenant.held === 0 && tenant.queue.size === 0;
    if (isIdle && this.tenants.get(tenant.name) === tenant) this.tenants.delete(tenant.name);
  }
}
