import type { JoinedTransaction } from './joined-transaction.js';
import { DEADLOCK, isSqlState, UNIQUE_VIOLATION } from './statements.js';

/** Maximum number of tries of a write that competes with others for a unique value. */
export const MAX_TRIES = 10;

/**
 * Writes values that must be unique. Two writes that exchange their values can deadlock, so a deadlocked write is repeated.
 *
 *     await writeUnique(this.joined, () => this.patch(id, { slug }), () => this.throwIfTaken(id, slug));
 *
 * @param write one statement or transaction, which may fail and run again
 * @param throwIfTaken throws if another row has a value. Called after a unique violation or a deadlock, with the error
 */
export async function writeUnique<T>(
  joined: JoinedTransaction,
  write: () => Promise<T>,
  throwIfTaken: (error: unknown) => Promise<void> | void,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await joined.attempt(write);
    } catch (error) {
      const isDeadlock = isSqlState(error, DEADLOCK);
      if (!isDeadlock && !isSqlState(error, UNIQUE_VIOLATION)) throw error;
      await throwIfTaken(error);
      if (!isDeadlock || tries >= MAX_TRIES) throw error;
    }
  }
}
