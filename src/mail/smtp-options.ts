/** Messages to subscribers that one process sends at a time. One organization can send 13 of them. */
export const MAX_MESSAGES = 20;

/** Links to private pages that one process sends at a time. */
export const MAX_LINKS = 5;

const MAX_MESSAGES_PER_CONNECTION = 1_000;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the options of nodemailer's pool for `SMTP_URL`. `smtps:` is TLS from the start. `smtp:` uses STARTTLS if the server
 * offers it, and requires it to send a password to another host.
 */
export function smtpOptions(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const hasAuth = username !== '';
  return {
    pool: true as const,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && hasAuth && !LOOPBACK.test(hostname),
    ...(hasAuth && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    maxConnections: MAX_MESSAGES + MAX_LINKS,
    maxMessages: MAX_MESSAGES_PER_CONNECTION,
    // With nodemailer's default `maxRequeues` of 5, a message tries other connections if the server has closed an idle one, for
    // example with 421 to a message of another organization.
    // An attempt is over within 50 seconds (mail-transport.ts).
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 25_000,
  };
}
