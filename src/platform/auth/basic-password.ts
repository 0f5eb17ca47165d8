const BASIC = /^basic(?: +(?<credentials>[A-Za-z0-9+/]+={0,2}))? *$/i;

/** Returns whether an `Authorization` header uses the Basic scheme (RFC 7617). */
export function usesBasic(authorization: string): boolean {
  return /^basic(?![^ ])/i.test(authorization);
}

/** Returns the password in an `Authorization` header with the Basic scheme, or an empty string. */
export function basicPasswordIn(authorization: string): string {
  const { credentials = '' } = BASIC.exec(authorization)?.groups ?? {};
  // A user name cannot contain a colon, but a password can.
  const [, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return password.join(':');
}
