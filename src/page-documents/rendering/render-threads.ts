import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { threadPath } from '../../platform/config/project-files.js';
import { unavailable } from '../../platform/problems/problem.js';
import { ThreadPool } from '../../platform/server/thread-pool.js';
import { servedLinks } from '../../page-model/links.js';
import { encode, type EncodedDocument } from '../../page-model/page-document.js';
import { FairQueue } from '../../platform/server/fair-queue.js';
import { isQuick } from './render-cost.js';
import { renderPart } from './render-part.js';
import type { RenderOutcome, RenderTask } from './render.worker.js';

/** The largest page takes 0.5 s on one core, hostile Markdown up to 0.1 s per update. */
const LIMITS = {
  taskMs: 10_000,
  heapMb: 256,
  idleMs: 90_000, // longer than a minute, because pages in use are rendered each minute
};
/** Number of threads, of which an organization can use one at a time. */
const THREADS = 2;
const MAX_WAITING = 256;
const WAIT_MS = 10_000;

const ENTRY = threadPath('page-documents/rendering/render.worker.js');

/** Renders expensive parts in worker threads, so that they do not block requests (docs/decisions/worker-threads.md). */
@Injectable()
export class RenderThreads implements OnApplicationShutdown {
  private readonly threads = new ThreadPool<RenderTask, RenderOutcome>(ENTRY, LIMITS);
  private readonly queue = new FairQueue(
    { running: THREADS, each: 1, waiting: MAX_WAITING, waitMs: WAIT_MS },
    unavailable,
  );

  /**
   * Renders a part of a page.
   * @param owner the organization
   * @throws Problem `unavailable` if too many wait, or for too long; OverLimitsError
   */
  async render(owner: string, task: RenderTask): Promise<EncodedDocument> {
    if (isQuick(task.part)) return encode(await renderPart(task.part, servedLinks(...task.links)));
    const { body, ...document } = await this.queue.run({ owner }, () => this.threads.run(task));
    return { ...document, body: Buffer.from(body.buffer) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.end();
  }
}
