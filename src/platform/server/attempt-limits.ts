import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ClientAddress, clientNetworkOf } from './client-address.js';
import { RequestCounts, type Subject } from './request-counts.js';

/** Counts attempts. The methods return the seconds after which a subject is below its limit again, or undefined. */
@Injectable()
export class AttemptLimits {
  constructor(
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
  ) {}

  /** Returns the client network of a request. */
  networkOf(request: IncomingMessage): string {
    return clientNetworkOf(this.clientAddress.of(request));
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
