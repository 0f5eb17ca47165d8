import { emailKey, isInDomains } from '../../subscribers/email-address.js';

/** Rules of addresses. */
interface EmailRules {
  emails: readonly string[];
  email_domains: readonly string[];
}

/** Returns whether there are rules of addresses, so that visitors can get a link by mail. */
export function takesEmail({ emails, email_domains }: EmailRules): boolean {
  return emails.length > 0 || email_domains.length > 0;
}

/** Returns whether a valid address is one of `emails`, or has one of `email_domains`. Ignores case, and compares domains in ASCII. */
export function matchesEmail({ emails, email_domains }: EmailRules, email: string): boolean {
  const key = emailKey(email);
  return emails.some((one) => emailKey(one) === key) || isInDomains(email, email_domains);
}
