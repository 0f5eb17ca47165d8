import { Injectable } from '@nestjs/common';
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
    const ofEndpoint = { name: `webhook-test:${endpoint_id}`, limit: TESTS_OF_ENDPOINT };
    await this.counts.require(ofEndpoint, 'tests of a webhook endpoint');
    const ofOrganization = { name: `webhook-test:${organization_id}`, limit: TESTS_OF_ORGANIZATION };
    await this.counts.require(ofOrganization, 'tests of an organization');
  }

  /** @throws Problem 429 `rate_limited` */
  async countReplay(organization_id: string): Promise<void> {
    const subject = { name: `webhook-replay:${organization_id}`, limit: REPLAYS_OF_ORGANIZATION };
    await this.counts.require(subject, 'replays of an organization');
  }
}
