import { applyDecorators, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Env } from '../config/env.js';
import { Problem } from '../problems/problem.js';

/** The window in which requests are counted; the first of them begins it. */
export const WINDOW_SECONDS = 60;

/** Says of an operation in the OpenAPI document that it is {@link NeverLimited}. */
export const NEVER_LIMITED = 'x-never-limited';

/** Requests of the operation neither count nor are refused with 429. */
export const NeverLimited = () =>
  applyDecorators(SetMetadata(NEVER_LIMITED, true), ApiExtension(NEVER_LIMITED, true));

/**
 * `RATE_LIMIT`: how many requests a minute each API key may send, and each address without a valid one. Counted in the
 * memory of this process, where a key or an address takes half a KiB for a minute.
 */
@Injectable()
export class RateLimit {
  private readonly counts: RateLimiterMemory | undefined;

  constructor(
    private readonly reflector: Reflector,
    private readonly env: Env,
  ) {
    const { RATE_LIMIT: points } = env;
    if (points > 0) this.counts = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  }

  /**
   * Refuses a request whose address has used up its limit, without asking whose key it has.
   * @throws Problem 429 `rate_limited`
   */
  async refuseSpentAddress(context: ExecutionContext): Promise<void> {
    const { socket } = context.switchToHttp().getRequest<Request>();
    const used = await this.counts?.get(networkOf(socket.remoteAddress ?? ''));
    if (used && used.remainingPoints === 0 && used.msBeforeNext > 0) await this.count(context);
  }

  /**
   * Counts a request, by its key where it has a valid one, and tells in the headers of its answer what is left.
   * @throws Problem 429 `rate_limited`
   */
  async count(context: ExecutionContext): Promise<void> {
    if (!this.counts) return;
    const { user, socket } = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const isLimited = !this.reflector.get<boolean | undefined>(NEVER_LIMITED, context.getHandler());
    // Unlike `consume`, this rejects nothing: a number comes back from it in any case.
    const { consumedPoints, remainingPoints, msBeforeNext } = await this.counts.penalty(
      user ? user.id : networkOf(socket.remoteAddress ?? ''),
      isLimited ? 1 : 0,
    );
    const limit = this.env.RATE_LIMIT;
    // The limiter counts by the system's clock; when that is set back, the rest of its window exceeds the whole.
    const seconds = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(msBeforeNext / 1000)));
    response.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remainingPoints),
      'RateLimit-Reset': String(seconds),
    });
    if (!isLimited || consumedPoints <= limit) return;
    const client = user ? 'API key' : 'address without a valid API key';
    const detail = `The limit for each ${client} is ${limit} requests per minute; retry in ${seconds} seconds`;
    throw new Problem('rate_limited', { detail, headers: { 'Retry-After': String(seconds) } });
  }
}

/**
 * What is counted as one client: an IPv4 address; of IPv6 the network of 64 bits, which is what a single host gets at
 * the least (RFC 6177), and in which it has 2^64 addresses to count anew with.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address); // IPv4 on a socket for both
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [front = [], back = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
