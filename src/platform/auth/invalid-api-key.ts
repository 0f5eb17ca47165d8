import { challenge } from '../problems/challenge.js';
import { Problem } from '../problems/problem.js';

/** Returns a 401 `invalid_api_key`, the same for a malformed, unknown, revoked or expired key. */
export function invalidApiKey(headers = challenge('invalid_token')): Problem {
  return new Problem('invalid_api_key', { headers });
}
