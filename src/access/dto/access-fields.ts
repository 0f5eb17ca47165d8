import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';
import { issuerFault, MAX_OIDC_LENGTH } from '../../platform/config/issuer-url.js';
import { parseNetworks } from '../../platform/config/networks.js';
import { isEmailAddress, MAX_EMAIL_LENGTH } from '../../subscribers/email-address.js';

export const MAX_EMAILS = 1_000;
export const MAX_EMAIL_DOMAINS = 100;
export const MAX_NETWORKS = 100;

const MAX_DOMAIN_LENGTH = 255;
/** An IPv6 address with an embedded IPv4 address, and the length of the prefix. */
const MAX_NETWORK_LENGTH = 49;

/** Items of a list of texts. */
interface Items {
  min: number;
  max: number;
  isValid: (text: string) => boolean;
  /** Describes a valid item: "must be {form}". */
  form: string;
}

/** A list of at most 1,000 email addresses, unchanged. */
export const Emails = (options: FieldOptions) =>
  TextList(options, MAX_EMAILS, {
    min: 3,
    max: MAX_EMAIL_LENGTH,
    isValid: isEmailAddress,
    form: 'an email address',
  });

/** A list of at most 100 domains of email addresses, unchanged. */
export const EmailDomains = (options: FieldOptions) =>
  TextList(options, MAX_EMAIL_DOMAINS, {
    min: 1,
    max: MAX_DOMAIN_LENGTH,
    isValid: (domain) => isEmailAddress(`a@${domain}`),
    form: 'a domain name, such as acme.example',
  });

/** A list of at most 100 IP addresses and networks in CIDR notation, unchanged. */
export const Networks = (options: FieldOptions) =>
  TextList(options, MAX_NETWORKS, {
    min: 2,
    max: MAX_NETWORK_LENGTH,
    isValid: (network) => network.trim() === network && parseNetworks([network]) !== undefined,
    form: 'an IP address or a network in CIDR notation, such as 192.0.2.0/24 or 2001:db8::/32',
  });

function TextList(options: FieldOptions, maxItems: number, { min, max, isValid, form }: Items) {
  const checkItem = (item: unknown): InputError[] => {
    if (typeof item !== 'string') return [inputError('invalid_type', 'must be a string')];
    const isShort = item.length <= 2 * max;
    return isShort && isValid(item) ? [] : [inputError('invalid_format', `must be ${form}`)];
  };
  const check = (value: unknown): InputError[] => {
    if (!Array.isArray(value)) return [inputError('invalid_type', 'must be an array of strings')];
    if (value.length > maxItems) return [inputError('too_long', `must have at most ${maxItems} items`)];
    const seen = new Set<unknown>();
    return value.flatMap((item: unknown, index) => {
      const errors = checkItem(item);
      if (errors.length === 0 && seen.has(item)) errors.push(inputError('duplicate', 'must not be repeated'));
      seen.add(item);
      return errors.map((one) => ({ ...one, path: [index] }));
    });
  };
  return Field(check, options, {
    type: 'array',
    items: { type: 'string', minLength: min, maxLength: max },
    maxItems,
    uniqueItems: true,
  });
}

/** The issuer identifier of a provider of OpenID Connect, unchanged: an absolute URL without user, query and fragment. */
export const Issuer = (options: FieldOptions) =>
  Field(checkIssuer, options, {
    type: 'string',
    pattern: '^https?://',
    minLength: 1,
    maxLength: MAX_OIDC_LENGTH,
  });

function checkIssuer(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  if (value.length > MAX_OIDC_LENGTH)
    return [inputError('too_long', `must have 1 to ${MAX_OIDC_LENGTH} characters`)];
  const fault = issuerFault(value);
  if (fault === 'form') return [inputError('invalid_format', 'must be an absolute URL with https')];
  return fault === undefined
    ? []
    : [inputError('invalid_format', 'must not contain a user, a query or a fragment')];
}
