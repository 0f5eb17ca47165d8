import { domainToASCII } from 'node:url';

const PORT = /:\d{0,5}$/;

/** A host name that is not an IPv4 address (WHATWG URL, section 3.5). */
const NAME = /^(?!.*(?:^|\.)(?:\d+|0x[\da-f]*)$)[a-z\d._-]{1,253}$/;

/** Characters that `domainToASCII` interprets as the end of the host name, or as an encoded character. */
const DELIMITERS = /[/?#\\@%:]/;

const NON_ASCII = /[\u0080-\uffff]/;

/**
 * Returns the host name in a `Host` header (RFC 9110, section 7.2) in its one spelling: lower case, in ASCII (`xn--…`), without
 * port and trailing dot. Returns undefined for a missing or invalid header and for an IP address.
 */
export function normalizedHost(header: string | undefined): string | undefined {
  if (header === undefined || header.length > 300) return undefined;
  const written = header.replace(PORT, '');
  const host = NON_ASCII.test(written) ? toAscii(written) : written.toLowerCase();
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return NAME.test(name) ? name : undefined;
}

/** Converts an international name. In a header, each byte of UTF-8 is one character. */
function toAscii(written: string): string {
  const decoded = /[\u0100-\uffff]/.test(written) ? written : Buffer.from(written, 'latin1').toString('utf8');
  const text = decoded.includes('\ufffd') ? written : decoded;
  return DELIMITERS.test(text) ? '' : domainToASCII(text);
}
