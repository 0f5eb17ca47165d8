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

/** Limits forms with errors, before anything is read or rendered for them. */
@Injectable()
export class MalformedForms {
  constructor(
    private readonly counts: RequestCounts,
    private readonly clientAddress: ClientAddress,
  ) {}

  /** Counts a form. Returns the seconds after which the client network can send forms again if it is above the limit. */
  async count(request: Request): Promise<number | undefined> {
    const network = clientNetworkOf(this.clientAddress.of(request));
    const { used, secondsLeft } = await this.counts.add(malformedLimit(network));
    return used > MAX_MALFORMED ? secondsLeft : undefined;
  }
}
