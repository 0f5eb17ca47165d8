import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import { connectionShares } from '../../platform/database/connection-shares.js';
import { unavailable } from '../../platform/problems/problem.js';
import { FairQueue, type Place } from '../../platform/server/fair-queue.js';
import { Outage } from './outage.js';

/** Limits of waiting. `waiting` applies to each page of an organization. */
const LIMITS = { waiting: 256, waitMs: 5_000 };

/** Limits of strangers whose responses are rendered, one in each iteration of the event loop. */
const PACE = { running: 1, each: 1, waiting: 2_000, waitMs: 5_000 };

/**
 * Shares the connections for visitors between all public and private pages, previews, forms and links. Organizations take turns, and
 * so do their pages. An organization has at most half of the connections. Visitors with a session or a known token, and renderings
 * that are stored for all, go first.
 */
@Injectable()
export class VisitorTurns {
  private readonly queue: FairQueue;
  private readonly paces = new FairQueue(PACE, unavailable);

  constructor(
    env: Env,
    private readonly outage: Outage,
  ) {
    const { visitors: running, strangers: last } = connectionShares(env.DATABASE_POOL_SIZE);
    this.queue = new FairQueue({ ...LIMITS, running, last, each: Math.ceil(running / 2) }, unavailable);
  }

  /**
   * Runs statements for a visitor. They must not call `run`, because all connections could then wait for each other.
   * @throws Problem 503 `unavailable` if too many wait for this page, or for too long, or the database is unavailable
   */
  async run<Result>(place: Place, task: () => Promise<Result>): Promise<Result> {
    return this.queue.run(place, () => this.outage.guard(task));
  }

  /**
   * Waits until a response to a stranger may be rendered: one in each iteration of the event loop, in turns of organizations and
   * pages. Otherwise, hundreds of them would be rendered in one iteration, and each statement of another visitor would wait for it.
   * @throws Problem 503 `unavailable` if too many wait for this page, or for too long
   */
  async pace({ owner, lane = '' }: Place): Promise<void> {
    await this.paces.run({ owner, lane }, () => new Promise(setImmediate));
  }
}

/**
 * Joins equal readings that wait for their turn, so that any number of visitors who get the same wait for one. A visitor never gets
 * a reading that began before their request.
 *
 *     const page = await readings.run(slug, place, () => repository.findBySlug(slug));
 */
export class SharedReadings<Result> {
  private readonly waiting = new Map<string, Promise<Result>>();

  constructor(private readonly turns: VisitorTurns) {}

  /**
   * Returns the result of a reading, to strangers at the pace of {@link VisitorTurns.pace}.
   * @param key what is read, and by which rank of visitors
   * @throws Problem as {@link VisitorTurns.run}
   */
  async run(key: string, place: Place, read: () => Promise<Result>): Promise<Result> {
    const result = await this.join(key, place, read);
    if (place.rank === 'last') await this.turns.pace(place);
    return result;
  }

  private join(key: string, place: Place, read: () => Promise<Result>): Promise<Result> {
    const known = this.waiting.get(key);
    if (known) return known;
    let hasBegun = false;
    const reading = this.turns.run(place, () => {
      hasBegun = true;
      this.waiting.delete(key);
      return read();
    });
    if (hasBegun) return reading;
    this.waiting.set(key, reading);
    reading.catch(() => {
      if (!hasBegun) this.waiting.delete(key); // it did not get a turn
    });
    return reading;
  }
}
