import type { Request } from 'express';
import { Problem, unavailable } from '../problems/problem.js';
import { MAX_BYTES_OF_KEY, SharedBytes } from './shared-bytes.js';

const RETRY_AFTER_SECONDS = '1';

/** Bounds the bodies that are in memory, from their first byte until the response: see {@link SharedBytes}. */
export class BodyBytes {
  private readonly bytes = new SharedBytes();

  /**
   * Reserves memory for a body until the response is closed.
   * @throws Problem 429 `rate_limited` if the key or its organization has too many bytes under way; 503 `unavailable` if all
   * together have
   */
  reserve({ user, res }: Request, bytes: number): void {
    const excess = this.bytes.excess({ user }, bytes);
    if (excess?.of === 'key')
      throw tooMany(
        `The API key has bodies of ${excess.held} bytes under way, and may have ${MAX_BYTES_OF_KEY}`,
      );
    if (excess?.of === 'organization')
      throw tooMany(`The organization has bodies of ${excess.held} bytes under way`);
    if (excess) throw unavailable();
    if (res?.closed) return; // the client left during authentication: nothing arrives, and nothing would release it
    this.bytes.add({ user }, bytes);
    res?.once('close', () => this.bytes.add({ user }, -bytes));
  }
}

function tooMany(rule: string): Problem {
  return new Problem('rate_limited', {
    detail: `${rule}; retry when one is answered`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
