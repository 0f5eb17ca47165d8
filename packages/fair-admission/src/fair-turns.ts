import { pieces } from './pieces.js';
import { TurnQueue } from './turn-queue.js';

/** By default, one tenant cannot have all turns if there are so many. */
const MIN_FAIR = 5;
/** A tenant may have this many turns for each that is left free: four fifths of all, if the others have none. */
const SHARE = 4;
/** Maximum number of waiting requests of all tenants, by default. */
const MAX_WAITING = 2_000;
const CHECK_MS = 100;

/** Limits of turns that differ from those of requests. */
export interface TurnLimits {
  /** From this number of turns, one tenant cannot have all of them. */
  minFair?: number;
  /** Maximum number of waiting requests of all tenants. */
  waiting?: number;
  /** The longest wait in milliseconds, see {@link TurnQueue}. */
  patienceMs?: number;
}

/** What a request does when its turn comes, or when it has waited too long. */
export interface TurnHandlers {
  /** Receives the turn, which can end before `take` returns. */
  start: (turn: Turn) => void;
  refuse: () => void;
}

/** The place of a request among those of its tenant. */
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
 * Lets a bounded number of requests run at once, and shares this number between tenants: the tenant with the fewest running
 * requests is next. Others wait, for a bounded time: see {@link TurnQueue}.
 *
 *     const turn = turns.take(organizationId, { start, refuse });
 *     turns.end(turn);
 */
export class FairTurns {
  private readonly tenants = new Map<string, Tenant>();
  private free: number;
  private waitingCount = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param total the number of requests that run at once */
  constructor(
    private readonly total: number,
    private readonly limits: TurnLimits = {},
  ) {
    this.free = total;
  }

  /** The number of requests that run. */
  get running(): number {
    return this.total - this.free;
  }

  /** The number of requests that wait. */
  get waiting(): number {
    return this.waitingCount;
  }

  /** Starts a request now, or when its turn comes. Calls exactly one of the handlers, unless the turn ends before. */
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

  /** Gives a turn back, or leaves the queue. Does nothing if the turn is over. */
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

  /** Whether a tenant may have one more turn. The limit shrinks with the free turns, so that some are left for others. */
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
      // If it was the only turn of the same tenant, the tenant is forgotten.
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
      // A request can end at once: starting the next one from its end would overflow the stack.
      pieces.run(() => {
        if (turn.state === 'held') turn.handlers.start(turn);
      });
    }
  }

  /** Tenants with equally many turns take turns. */
  private putLast(tenant: Tenant): void {
    this.tenants.delete(tenant.name);
    this.tenants.set(tenant.name, tenant);
  }

  /** The tenant with the fewest turns of those that wait and may start. */
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

  /** Refuses the oldest request of the tenant that has the most. */
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
    // A turn that ended long ago has a tenant that was forgotten: another of the same name may have taken its place.
    const isIdle = tenant.held === 0 && tenant.queue.size === 0;
    if (isIdle && this.tenants.get(tenant.name) === tenant) this.tenants.delete(tenant.name);
  }
}
