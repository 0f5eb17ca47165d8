import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { unavailable } from '../problems/problem.js';
import { FairQueue, type Place } from '../server/fair-queue.js';

/** Argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one thread. About 20 ms. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * One hash at a time, so that a flood of attempts uses neither all processors nor the threads of other work. `waiting` applies to
 * each lane.
 */
const LIMITS = { running: 1, each: 1, waiting: 30, waitMs: 3_000 };

/** Hashes and verifies passwords of status pages and members outside of the event loop. */
@Injectable()
export class Passwords {
  private readonly queue = new FairQueue(LIMITS, unavailable);
  private dummy: Promise<string> | undefined;

  /**
   * Runs a task that hashes or verifies a password, one after the other. Owners take turns, and so do their lanes.
   * @throws Problem 503 `unavailable` while too many tasks wait in a lane
   */
  async inTurn<Result>(place: Place, task: () => Promise<Result>): Promise<Result> {
    return this.queue.run(place, task);
  }

  /** @throws Problem 503 `unavailable` while too many passwords of the owner are being hashed */
  async hash(owner: string, password: string): Promise<string> {
    return this.inTurn({ owner }, () => hash(normalized(password), OPTIONS));
  }

  /** Returns whether a password is right, in the same time also without a stored hash. Call it {@link inTurn}. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    this.dummy ??= hash('a password without an owner', OPTIONS);
    const isRight = await verify(stored ?? (await this.dummy), normalized(password));
    return isRight && stored !== null;
  }
}

/** Returns the same text for composed and decomposed characters, which keyboards enter differently. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
