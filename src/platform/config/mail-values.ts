const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/i;
const ADDRESS = /^[^\s<>"@\p{Cc}]{1,64}@[^\s<>"@\p{Cc}]{1,253}$/u;
const MAILBOX = /^(?:"[^"<>\p{Cc}]{1,200}"\s*|[^"<>@,;:\p{Cc}]{1,200})<([^<>]+)>$/u;

/** Returns whether a text is a valid `SMTP_URL`. */
export function isSmtpUrl(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(url);
  const hasOnlyHost = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '' && hasOnlyHost;
}

/** Returns whether a text is an address, or a name with an address in angle brackets. */
export function isMailbox(text: string): boolean {
  return ADDRESS.test(MAILBOX.exec(text)?.[1] ?? text);
}

/** Returns whether a text is a domain in ASCII, or a part of one. */
export function isDomain(text: unknown): boolean {
  return typeof text === 'string' && DOMAIN.test(text);
}
