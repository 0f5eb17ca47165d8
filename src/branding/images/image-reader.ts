import { Injectable } from '@nestjs/common';
import { FairTurns } from '@status-pages/fair-admission';
import { unavailable } from '../../platform/problems/problem.js';
import type { ImageInfo } from './image-values.js';
import { SvgThreads } from './svg-threads.js';

/** Pictures that are decoded concurrently; one is reserved for other organizations. Each takes up to 35 MB and 0.1 s. */
const CONCURRENT = 2;
const LIMITS = { minFair: 2, waiting: 16, patienceMs: 4_000 };

/** Reads uploaded pictures, a few at a time, so that concurrent uploads do not use up memory. Organizations share the slots. */
@Injectable()
export class ImageReader {
  private readonly turns = new FairTurns(CONCURRENT, LIMITS);

  constructor(private readonly svgThreads: SvgThreads) {}

  /**
   * Reads a picture of an organization.
   * @throws Problem as `readImage`; 503 `unavailable` if too many pictures wait, or this one has waited too long
   */
  async read(organizationId: string, bytes: Buffer): Promise<ImageInfo> {
    const read = async () => {
      const { readImage } = await import('./read-image.js'); // only instances with uploads need it
      return readImage(bytes, (svg) => this.svgThreads.check(svg));
    };
    return this.turns.run(organizationId, read, () => unavailable('Too many pictures are being uploaded'));
  }
}
