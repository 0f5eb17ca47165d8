import { Problem } from '../../platform/problems/problem.js';

/** Returns a 400 `invalid_image`. `detail` contains what to change. */
export function invalidImage(detail: string): Problem {
  return new Problem('invalid_image', { detail });
}
