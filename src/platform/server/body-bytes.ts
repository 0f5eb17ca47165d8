import type { Request } from 'express';
import { Problem, unavailable } from '../problems/problem.js';
import { MAX_BYTES_OF_KEY, SharedBytes } from './shared-bytes.js';

const RETRY_AFTER_SECONDS = '1';

/** Bounds the bodies in memory, from their first byte until the response, see {@link SharedBytes}. */
export class BodyBytes {
  private readonly bytes = new SharedBytes();

  /**
   * Reserves memory for a body until the response is closed.
   * @throws Problem 429 `rate_limited` if the key or its organization has too many bytes in flight; 503 `unavailable` if all
   * clients together have too many
   */
  reserve({ actor, res }: Request, bytes: number): void {
    const excess = this.bytes.excess({ actor }, bytes);
    if (excess?.of === 'key')
      throw tooMany(
        `This API key has ${excess.held} bytes of request bodies in flight; the limit is ${MAX_BYTES_OF_KEY}`,
      );
    if (excess?.of === 'organization')
      throw tooMany(`This organization has ${excess.held} bytes of request bodies in flight`);
    if (excess) throw unavailable();
    if (res?.closed) return; // the client disconnected during authentication, so no body arrives, and no event would release the memory
    this.bytes.add({ actor }, bytes);
    res?.once('close', () => this.bytes.add({ actor }, -bytes));
  }
}

function tooMany(rule: string): Problem {
  return new Problem('rate_limited', {
    detail: `${rule}. Retry after one of them completes.`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
