import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../../platform/problems/problem.js';
import { encode, type EncodedDocument } from '../documents/page-document.js';
import { asPng } from '../picture/png.js';
import { FairQueue } from './fair-queue.js';
import { RenderThreads } from './render-threads.js';
import type { RenderTask } from './render.worker.js';

/** Encoding a picture takes 60 ms of one core, in threads that also compress pages and read files. */
const LIMITS = { running: 1, each: 1, waiting: 256, waitMs: 10_000 };
/** About 400 pictures. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Draws pictures for link previews. Draws a picture again only if its content has changed, not each minute. */
@Injectable()
export class Pictures {
  /** By content. */
  private readonly drawn = new LRUCache<string, EncodedDocument>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });
  private readonly queue = new FairQueue(LIMITS, unavailable);

  constructor(private readonly threads: RenderThreads) {}

  /**
   * Returns a picture as PNG.
   * @param owner the organization
   * @throws Problem `unavailable` if too many wait, or for too long; OverLimitsError
   */
  async render(owner: string, task: RenderTask): Promise<EncodedDocument> {
    const key = JSON.stringify(task.part.data);
    return (
      this.drawn.get(key) ??
      this.queue.run(owner, async () => {
        const picture = this.drawn.get(key) ?? encode(await asPng(await this.threads.render(owner, task)));
        this.drawn.set(key, picture);
        return picture;
      })
    );
  }
}
