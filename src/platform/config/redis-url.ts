/**
 * Returns whether a text is a valid `REDIS_URL`: `redis://` or `rediss://` (TLS), a host, and optionally a user, a port and a
 * database.
 */
export function isRedisUrl(text: unknown): boolean {
  if (typeof text !== 'string' || !/^rediss?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, username, password } = new URL(text);
  return hostname !== '' && /^(\/\d{0,4})?$/.test(pathname) && canDecode(username + password);
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
