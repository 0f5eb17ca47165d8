import { unavailable } from '../../platform/problems/problem.js';
import { isGuessable, type Part } from '../documents/parts.js';
import { FairQueue } from '../rendering/fair-queue.js';

/** One in this many connections of the pool is for visitors. The API has the others. */
const CONNECTIONS_PER_RENDERING = 5;

const MAX_WAITING = 256;
const WAIT_MS = 5_000;

/**
 * Limits the renderings at once. An organization has at most half of them, so that a flood of visits of its pages does not keep the
 * pages of others from their visitors. Visitors can guess any number of ids and months, but not of the other parts: those with an id
 * or a month run one at a time, so that a flood of them does not keep a page from its visitors.
 */
export class RenderQueue {
  private readonly queue: FairQueue;

  /** @param poolSize the number of connections to the database */
  constructor(poolSize: number) {
    const running = Math.max(1, Math.floor(poolSize / CONNECTIONS_PER_RENDERING));
    const each = Math.ceil(running / 2);
    this.queue = new FairQueue({ running, each, waiting: MAX_WAITING, waitMs: WAIT_MS }, unavailable);
  }

  /**
   * Renders a part in its turn.
   * @param owner the organization
   * @throws Problem `unavailable` if too many wait, or for too long
   */
  run<Result>(owner: string, part: Part, render: () => Promise<Result>): Promise<Result> {
    return this.queue.run(owner, render, isGuessable(part) ? 'single' : 'ordinary');
  }
}
