/**
 * Returns the header `WWW-Authenticate` of every 401 and 403 for an API key (RFC 6750, section 3).
 * @param error undefined if the request has no credentials of this scheme
 * @param scopes the scopes that the operation requires
 */
export function challenge(
  error?: 'invalid_token' | 'insufficient_scope',
  scopes: readonly string[] = [],
): Record<string, string> {
  const reason = error ? `, error="${error}"` : '';
  const named = scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : '';
  return { 'WWW-Authenticate': `Bearer realm="status-pages"${reason}${named}` };
}

/**
 * Returns the {@link challenge} of an operation that also accepts the API key as the password of Basic authentication (RFC
 * 7617).
 */
export function challengeWithBasic(error?: 'invalid_token'): Record<string, string> {
  const { 'WWW-Authenticate': bearer } = challenge(error);
  return { 'WWW-Authenticate': `${bearer}, Basic realm="status-pages", charset="UTF-8"` };
}
