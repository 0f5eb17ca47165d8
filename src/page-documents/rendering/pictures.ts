import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../../platform/problems/problem.js';
import type { CurrentPart } from '../../page-model/page-data.js';
import { servedLinks } from '../../page-model/links.js';
import { encode, type EncodedDocument } from '../../page-model/page-document.js';
import { viewOf } from '../../page-model/view.js';
import { pictureOf } from '../picture/picture-data.js';
import { asPng, type LogoFile } from '../picture/png.js';
import { FairQueue } from '../../platform/server/fair-queue.js';
import { RenderThreads } from './render-threads.js';
import type { RenderTask } from './render.worker.js';

/** One conversion to PNG at a time. It takes 30 ms of one core, in threads that also compress pages and read files. */
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
   * Returns the picture of a page as PNG.
   * @param owner the organization
   * @throws Problem `unavailable` if too many wait, or for too long; OverLimitsError
   */
  async render(
    owner: string,
    { data, logo }: { data: CurrentPart; logo?: LogoFile | undefined },
    links: RenderTask['links'],
  ): Promise<EncodedDocument> {
    const key = JSON.stringify(pictureOf(data, viewOf(servedLinks(...links), data.page)));
    const known = this.drawn.get(key);
    if (known) return known;
    const svg = await this.threads.render(owner, { part: { kind: 'og-image', data }, links });
    const picture = encode(await this.queue.run({ owner }, () => asPng(svg, logo)));
    this.drawn.set(key, picture);
    return picture;
  }
}
