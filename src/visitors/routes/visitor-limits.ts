import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ClientAddress, clientNetworkOf } from '../../platform/server/client-address.js';
import { RequestCounts, type Subject } from '../../platform/server/request-counts.js';

/** Maximum number of forms with errors of a client network in ten minutes, for all pages together. A company can have one address. */
export const MAX_MALFORMED = 100;
const SECONDS = 600;

/** Returns the limit of a client network's forms with errors. */
export const malformedLimit = (network: string): Subject => ({
  name: `malformed-forms:${network}`,
  limit: MAX_MALFORMED,
  seconds: SECONDS,
});

/** Counts what visitors cause. The methods return the seconds after which a visitor is below the limit again, or undefined. */
@Injectable()
export class VisitorLimits {
  constructor(
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
  ) {}

  /** Returns the client network of a visitor. */
  networkOf(request: Request): string {
    return clientNetworkOf(this.clientAddress.of(request));
  }

  /** Counts a form with errors, before anything is read or rendered for it. */
  async addMalformed(request: Request): Promise<number | undefined> {
    return this.add([malformedLimit(this.networkOf(request))]);
  }

  /** Adds one to each count, until one is above its limit. */
  async add(subjects: readonly Subject[]): Promise<number | undefined> {
    for (const subject of subjects) {
      const { used, secondsLeft } = await this.counts.add(subject);
      if (used > subject.limit) return secondsLeft;
    }
    return undefined;
  }

  /** Counts nothing. If several limits are reached, the one that lasts longest. */
  async exhausted(subjects: readonly Subject[]): Promise<number | undefined> {
    const counts = await Promise.all(subjects.map((subject) => this.counts.getExhausted(subject)));
    const seconds = counts.flatMap((count) => count?.secondsLeft ?? []);
    return seconds.length > 0 ? Math.max(...seconds) : undefined;
  }
}
