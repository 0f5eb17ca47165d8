import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AttemptLimits } from '../../platform/server/attempt-limits.js';
import type { Subject } from '../../platform/server/request-counts.js';

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
export class VisitorLimits extends AttemptLimits {
  /** Counts a form with errors, before anything is read or rendered for it. */
  async addMalformed(request: Request): Promise<number | undefined> {
    return this.add([malformedLimit(this.networkOf(request))]);
  }
}
