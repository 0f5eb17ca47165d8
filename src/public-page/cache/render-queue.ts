import { unavailable } from '../../problems/problem.js';
import { BoundedQueue } from '../../server/bounded-queue.js';
import { isGuessable, type Part } from '../documents/parts.js';

/** One in this many connections of the pool is for visitors. The API has the others. */
const CONNECTIONS_PER_RENDERING = 5;

const MAX_WAITING = 256;
const WAIT_MS = 5_000;

/**
 * Limits the renderings at once. Visitors can guess any number of ids and months, but not of the other parts: those with an id or
 * a month run one at a time, so that a flood of them does not keep a page from its visitors.
 */
export class RenderQueue {
  private readonly all: BoundedQueue;
  private readonly guessable = new BoundedQueue(
    { running: 1, waiting: MAX_WAITING, waitMs: WAIT_MS },
    unavailable,
  );

  /** @param poolSize the number of connections to the database */
  constructor(poolSize: number) {
    const running = Math.max(1, Math.floor(poolSize / CONNECTIONS_PER_RENDERING));
    this.all = new BoundedQueue({ running, waiting: MAX_WAITING, waitMs: WAIT_MS }, unavailable);
  }

  /** Renders a part in its turn. @throws Problem `unavailable` if too many wait, or for too long */
  async run<Result>(part: Part, render: () => Promise<Result>): Promise<Result> {
    const inTurn = () => this.all.run(render);
    return isGuessable(part) ? this.guessable.run(inTurn) : inTurn();
  }
}
