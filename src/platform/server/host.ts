import { domainToASCII } from 'node:url';

const PORT = /:\d{0,5}$/;

/**
 * Returns the host name in a `Host` header (RFC 9110, section 7.2) in its one spelling: lower case, in ASCII (`xn--…`), without
 * port and trailing dot. Returns undefined for a missing or invalid header and for an IP address.
 */
export function normalizedHost(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 300) return undefined;
  const host = domainToASCII(header.replace(PORT, '').replace(/\.$/, ''));
  return host === '' || host.startsWith('[') || /(^|\.)\d+$/.test(host) ? undefined : host;
}
