import { Injectable } from '@nestjs/common';
import { Problem } from '../platform/problems/problem.js';
import { RequestCounts } from '../platform/server/request-counts.js';

/** Maximum number of tests a minute. */
const TESTS_OF_ENDPOINT = 10;
const TESTS_OF_ORGANIZATION = 60;

/** Maximum number of replays a minute. Each can create 10,000 deliveries. */
const REPLAYS_OF_ORGANIZATION = 10;

/** Counts requests that send messages. */
@Injectable()
export class MessageLimits {
  constructor(private readonly counts: RequestCounts) {}

  /** @throws Problem 429 `rate_limited` */
  async countTest(organization_id: string, endpoint_id: string): Promise<void> {
    await this.count(`webhook-test:${endpoint_id}`, TESTS_OF_ENDPOINT, 'tests of a webhook endpoint');
    await this.count(`webhook-test:${organization_id}`, TESTS_OF_ORGANIZATION, 'tests of an organization');
  }

  /** @throws Problem 429 `rate_limited` */
  async countReplay(organization_id: string): Promise<void> {
    await this.count(
      `webhook-replay:${organization_id}`,
      REPLAYS_OF_ORGANIZATION,
      'replays of an organization',
    );
  }

  private async count(name: string, limit: number, what: string): Promise<void> {
    const { used, secondsLeft } = await this.counts.add({ name, limit });
    if (used > limit)
      throw new Problem('rate_limited', {
        detail: `At most ${limit} ${what} per minute. Retry in ${secondsLeft} seconds.`,
        headers: { 'Retry-After': String(secondsLeft) },
      });
  }
}
