import type { Request } from 'express';
import { Problem, unavailable } from '../problems/problem.js';

const MIB = 1024 * 1024;
/** The bodies of one API key: three files of 5 MiB. */
const MAX_BYTES_OF_KEY = 16 * MIB;
const MAX_BYTES = 64 * MIB;
const RETRY_AFTER_SECONDS = '1';

/**
 * Bounds the bodies that are in memory, from their first byte until the response. An organization may have as many bytes as are
 * left free: half of all if the others have none. So its keys together cannot keep the bodies of others out.
 */
export class BodyBytes {
  private total = 0;
  /** By the ids of API keys and of organizations. */
  private readonly held = new Map<string, number>();

  /**
   * Reserves memory for a body until the response is closed.
   * @throws Problem 429 `rate_limited` if the key or its organization has too many bytes under way; 503 `unavailable` if all
   * together have
   */
  reserve({ user, res }: Request, bytes: number): void {
    const key = user?.id ?? '';
    const organization = user?.organization_id ?? '';
    const ofKey = this.of(key);
    if (ofKey + bytes > MAX_BYTES_OF_KEY)
      throw tooMany(`The API key has bodies of ${ofKey} bytes under way, and may have ${MAX_BYTES_OF_KEY}`);
    const left = MAX_BYTES - this.total - bytes;
    if (left < 0) throw unavailable();
    const ofOrganization = this.of(organization);
    if (ofOrganization > 0 && ofOrganization + bytes > left)
      throw tooMany(`The organization has bodies of ${ofOrganization} bytes under way`);
    if (res?.closed) return; // the client left during authentication: nothing arrives, and nothing would release it
    const holders = new Set([key, organization]);
    this.add(holders, bytes);
    res?.once('close', () => this.add(holders, -bytes));
  }

  private of(holder: string): number {
    return this.held.get(holder) ?? 0;
  }

  private add(holders: Set<string>, bytes: number): void {
    this.total += bytes;
    for (const holder of holders) {
      const held = this.of(holder) + bytes;
      if (held > 0) this.held.set(holder, held);
      else this.held.delete(holder);
    }
  }
}

function tooMany(rule: string): Problem {
  return new Problem('rate_limited', {
    detail: `${rule}; retry when one is answered`,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
