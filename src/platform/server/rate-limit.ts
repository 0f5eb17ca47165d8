import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Env } from '../config/env.js';
import { Problem } from '../problems/problem.js';
import { ClientAddress, clientNetworkOf } from './client-address.js';
import { WINDOW_SECONDS } from './memory-counts.js';
import { type Count, RequestCounts, type Subject } from './request-counts.js';

/** Limit of an organization, as a multiple of the limit of one API key. */
export const KEYS_PER_ORGANIZATION_LIMIT = 10;

/** A limit per minute, as in the headers of draft-ietf-httpapi-ratelimit-headers-10. */
interface Policy {
  name: 'default' | 'organization' | 'authentication';
  quota: number;
  /** Rule in words, for the error message. */
  rule: string;
}

/**
 * Limits requests per minute: `RATE_LIMIT` for each API key and each member, ten times as many for each organization, and `AUTH_RATE_LIMIT`
 * failed authentications for each client address. Public operations are not limited, because many visitors can share one
 * address.
 */
@Injectable()
export class RateLimit {
  /** Rejected requests by policy name. */
  readonly rejected: Record<Policy['name'], number> = { default: 0, organization: 0, authentication: 0 };
  private readonly perKey: Policy;
  private readonly perMember: Policy;
  private readonly perOrganization: Policy;
  private readonly failures: Policy;

  constructor(
    { RATE_LIMIT, AUTH_RATE_LIMIT }: Env,
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
  ) {
    const all = RATE_LIMIT * KEYS_PER_ORGANIZATION_LIMIT;
    this.perKey = {
      name: 'default',
      quota: RATE_LIMIT,
      rule: `This API key has exceeded its limit of ${RATE_LIMIT} requests per minute`,
    };
    this.perMember = {
      ...this.perKey,
      rule: `This member has exceeded the limit of ${RATE_LIMIT} requests per minute`,
    };
    this.perOrganization = {
      name: 'organization',
      quota: all,
      rule: `The API keys of this organization have exceeded their shared limit of ${all} requests per minute`,
    };
    this.failures = {
      name: 'authentication',
      quota: AUTH_RATE_LIMIT,
      rule: `This address has exceeded its limit of ${AUTH_RATE_LIMIT} failed authentications per minute`,
    };
  }

  /**
   * Counts an authenticated request, and sets the headers of the limit that will be reached first.
   * @throws Problem 429 `rate_limited`
   */
  async countRequest(context: ExecutionContext): Promise<void> {
    const { actor } = context.switchToHttp().getRequest<Request>();
    if (this.perKey.quota === 0 || !actor) return;
    const response = context.switchToHttp().getResponse<Response>();
    const policy = actor.type === 'member' ? this.perMember : this.perKey;
    const own = await this.counts.add({ name: `key:${actor.id}`, limit: policy.quota });
    // A key above its limit does not use the quota of its organization.
    if (own.used > policy.quota) return this.apply(policy, own, response);
    const { quota } = this.perOrganization;
    const shared = await this.counts.addHere({ name: `organization:${actor.organization_id}`, limit: quota });
    const isSharedFirst = quota - shared.used < policy.quota - own.used;
    if (isSharedFirst) this.apply(this.perOrganization, shared, response);
    else this.apply(policy, own, response);
  }

  /**
   * Rejects a request from an address that has exhausted its failed authentications, before the key lookup.
   * @throws Problem 429 `rate_limited`
   */
  async rejectIfFailuresExhausted(context: ExecutionContext): Promise<void> {
    if (this.failures.quota === 0) return;
    const count = await this.counts.getExhausted(this.failuresOf(context));
    // Includes the current request.
    if (count) this.applyToFailure({ ...count, used: this.failures.quota + 1 }, context);
  }

  /**
   * Counts a failed authentication.
   * @throws Problem 429 `rate_limited`
   */
  async countFailedAuthentication(context: ExecutionContext): Promise<void> {
    if (this.failures.quota === 0) return;
    this.applyToFailure(await this.counts.add(this.failuresOf(context)), context);
  }

  private failuresOf(context: ExecutionContext): Subject {
    const address = this.clientAddress.of(context.switchToHttp().getRequest<Request>());
    return { name: `address:${clientNetworkOf(address)}`, limit: this.failures.quota };
  }

  private applyToFailure(count: Count, context: ExecutionContext): void {
    this.apply(this.failures, count, context.switchToHttp().getResponse<Response>());
  }

  /** Sets the headers of a policy. @throws Problem 429 `rate_limited` if the count is above its quota */
  private apply({ name, quota, rule }: Policy, { used, secondsLeft }: Count, response: Response): void {
    response.setHeader('RateLimit-Policy', `"${name}";q=${quota};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"${name}";r=${Math.max(0, quota - used)};t=${secondsLeft}`);
    if (used <= quota) return;
    this.rejected[name] += 1;
    const detail = `${rule}. Retry in ${secondsLeft} seconds.`;
    throw new Problem('rate_limited', { detail, headers: { 'Retry-After': String(secondsLeft) } });
  }
}
