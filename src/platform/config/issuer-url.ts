/** Maximum length of an issuer and of a client ID. */
export const MAX_OIDC_LENGTH = 500;

const HTTP = /^https?:\/\/[^\s/?#@]/;

/**
 * Returns what is wrong with the issuer identifier of a provider of OpenID Connect, or undefined. `parts`: it contains a user, a query
 * or a fragment. The length is not checked.
 */
export function issuerFault(text: string): 'form' | 'parts' | undefined {
  const isPlain = text.isWellFormed() && !/[\s\p{Cc}\p{Cf}"<>\\]/u.test(text);
  if (!isPlain || !HTTP.test(text) || !URL.canParse(text)) return 'form';
  const { username, password } = new URL(text);
  return !username && !password && !/[?#]/.test(text) ? undefined : 'parts';
}
