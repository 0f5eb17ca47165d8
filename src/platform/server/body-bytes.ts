import type { Request } from 'express';
import { Problem, unavailable } from '../problems/problem.js';
import { MAX_BYTES_OF_KEY, SharedBytes } from './shared-bytes.js';

const RETRY_AFTER_SECONDS = '1';

/** Limit of the forms of one client network, without a key or a session. */
const MAX_BYTES_OF_STRANGER = 1024 * 1024;

/** Bounds the bodies in memory, from their first byte until the response, see {@link SharedBytes}. */
export class BodyBytes {
  private readonly bytes = new SharedBytes();

  /**
   * Reserves memory for a body until the response is closed.
   * @throws Problem 429 `rate_limited` if the key or its organization has too many bytes in flight; 503 `unavailable` if all
   * clients together have too many
   */
  reserve({ actor, clientNetwork, res }: Request, bytes: number): void {
    // Strangers share an organization, in which each client network has a small part.
    const holder = { actor: actor ?? { id: clientNetwork, organization_id: '' } };
    const limit = actor ? MAX_BYTES_OF_KEY : MAX_BYTES_OF_STRANGER;
    const excess = this.bytes.excess(holder, bytes, limit);
    if (excess?.of === 'key') {
      const owner = actor ? 'This API key' : 'This address';
      throw tooMany(`${owner} has ${excess.held} bytes of request bodies in flight; the limit is ${limit}`);
    }
    if (excess?.of === 'organization') {
      const owner = actor ? 'This organization has' : 'Requests without an API key have';
      throw tooMany(`${owner} ${excess.held} bytes of request bodies in flight`);
    }
    if (excess) throw unavailable();
    if (res?.closed) return; // the client disconnected during authentication, so no body arrives, and no event would release the memory
    this.bytes.add(holder, bytes);
    res?.once('close', () => this.bytes.add(holder, -bytes));
  }
}

function tooMany(rule: string): Problem {
  return new Problem('rate_limited', {
    detail: `${rule}. Retry after one of them completes.`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
