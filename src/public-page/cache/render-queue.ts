import { unavailable } from '../../platform/problems/problem.js';
import { isGuessable, type Part } from '../documents/parts.js';
import { FairQueue } from '../rendering/fair-queue.js';

/** One of this many pool connections serves visitors. The API uses the others. */
const CONNECTIONS_PER_RENDERING = 5;

const MAX_WAITING = 256;
const WAIT_MS = 5_000;

/**
 * Limits concurrent renderings. An organization has at most half of them, so that many visits to its pages do not block the
 * pages of other organizations. Renderings of parts with an ID or a month run one at a time, because visitors can guess any
 * number of their paths. This way, such requests do not block the page itself.
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
   * Renders a part when it gets a slot.
   * @param owner the organization
   * @throws Problem `unavailable` if too many wait, or for too long
   */
  run<Result>(owner: string, part: Part, render: () => Promise<Result>): Promise<Result> {
    return this.queue.run(owner, render, isGuessable(part) ? 'single' : 'ordinary');
  }
}
