const BASIC = /^basic(?: +(?<credentials>[A-Za-z0-9+/]+={0,2}))? *$/i;

/** Whether a value of the header `Authorization` uses the scheme Basic (RFC 7617). */
export function usesBasic(authorization: string): boolean {
  return /^basic(?![^ ])/i.test(authorization);
}

/** The password in a value of the header `Authorization` with the scheme Basic; empty if there is none. */
export function basicPasswordIn(authorization: string): string {
  const { credentials = '' } = BASIC.exec(authorization)?.groups ?? {};
  // A user name has no colon, but a password can have some.
  const [, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return password.join(':');
}
