import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../../platform/problems/problem.js';

/** Returns the result of `work` if it ends within this time. @throws Problem `unavailable` otherwise */
export async function within<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  const ended = new AbortController();
  const late = delay(Math.max(0, milliseconds), undefined, { signal: ended.signal }).then(() => {
    throw unavailable();
  });
  late.catch(() => undefined); // aborted
  return Promise.race([work, late]).finally(() => ended.abort());
}
