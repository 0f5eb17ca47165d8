import { Problem } from '../problems/problem.js';

/** The challenge of every 401 and 403 (RFC 6750, section 3). */
export const REALM = 'Bearer realm="status-pages"';

/** 401 `invalid_api_key`, the same for a malformed, unknown, revoked or expired key. */
export function invalidApiKey(): Problem {
  return new Problem('invalid_api_key', {
    headers: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
  });
}
