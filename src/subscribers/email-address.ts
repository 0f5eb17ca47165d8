import { domainToASCII } from 'node:url';

/** Maximum number of characters of an address. */
export const MAX_EMAIL_LENGTH = 320;

/** A local part without spaces, control characters and characters that headers interpret, and a domain name. */
const ADDRESS = /^[^\p{C}\p{Z}\s@<>()[\]",:;\\]{1,255}@[\p{L}\p{M}\p{N}.-]{1,255}$/u;
const LABELS = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const IPV4 = /^[\d.]+$/;

/**
 * Returns whether mail can be sent to a text as an address of 3 to 320 characters. Quoted local parts are not supported, nor are
 * domains of one label, such as `localhost`, which name no host of the Internet.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > 2 * MAX_EMAIL_LENGTH || [...text].length > MAX_EMAIL_LENGTH) return false;
  if (!text.isWellFormed() || !ADDRESS.test(text)) return false;
  const domain = domainOf(text);
  return domain.length <= 253 && LABELS.test(domain) && !IPV4.test(domain);
}

/** Returns what identifies an address: in lower case, with its domain in ASCII. */
export function emailKey(text: string): string {
  return `${text.slice(0, text.lastIndexOf('@')).normalize('NFC').toLowerCase()}@${domainOf(text)}`;
}

/** Returns whether the domain of an address is one of these. Ignores case, and compares domains in ASCII. */
export function isInDomains(email: string, domains: readonly string[]): boolean {
  const domain = domainOf(email);
  return domains.some((one) => domainOf(one) === domain);
}

function domainOf(text: string): string {
  return domainToASCII(text.slice(text.lastIndexOf('@') + 1)).toLowerCase();
}
