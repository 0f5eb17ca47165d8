import { applyDecorators, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Env } from '../config/env.js';
import { Problem } from '../problems/problem.js';

/** The window in which requests are counted. The first request starts it. */
export const WINDOW_SECONDS = 60;

/** Marks an operation with {@link SkipRateLimit} while the OpenAPI document is built. */
export const SKIP_RATE_LIMIT = 'x-never-limited';

/** Requests to the operation do not count, and never get 429. */
export const SkipRateLimit = () =>
  applyDecorators(SetMetadata(SKIP_RATE_LIMIT, true), ApiExtension(SKIP_RATE_LIMIT, true));

/**
 * Limits each API key, and each address without a valid key, to `RATE_LIMIT` requests per minute. Counts in the memory of
 * this process: half a KiB for each key or address, for a minute.
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
   * Rejects a request whose address has exhausted its limit, before its key is looked up.
   * @throws Problem 429 `rate_limited`
   */
  async rejectExhaustedAddress(context: ExecutionContext): Promise<void> {
    const { socket } = context.switchToHttp().getRequest<Request>();
    const used = await this.counts?.get(clientNetworkOf(socket.remoteAddress ?? ''));
    if (used && used.remainingPoints === 0 && used.msBeforeNext > 0) await this.count(context);
  }

  /**
   * Counts a request, by its key if that is valid, otherwise by its address; sets the `RateLimit-*` headers.
   * @throws Problem 429 `rate_limited`
   */
  async count(context: ExecutionContext): Promise<void> {
    if (!this.counts) return;
    const { user, socket } = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const isLimited = !this.reflector.get<boolean | undefined>(SKIP_RATE_LIMIT, context.getHandler());
    // Unlike `consume`, `penalty` does not reject above the limit.
    const { consumedPoints, remainingPoints, msBeforeNext } = await this.counts.penalty(
      user ? user.id : clientNetworkOf(socket.remoteAddress ?? ''),
      isLimited ? 1 : 0,
    );
    const limit = this.env.RATE_LIMIT;
    // If the system clock is set back, the rest of the window can exceed the whole.
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
 * The address that counts as one client: an IPv4 address, or the /64 network of an IPv6 address. A single host has at
 * least a /64 (RFC 6177), and could otherwise change its address for each request.
 */
export function clientNetworkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address); // IPv4 on a dual-stack socket
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [front = [], back = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
