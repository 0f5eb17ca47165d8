import { Satisfies } from './env-rules.js';
import { issuerFault, MAX_OIDC_LENGTH } from './issuer-url.js';
import { NetworkEnv } from './network-env.js';

const MAX_NAME = 40;

/** A text on one line, with at most `max` characters. */
const Line = (max: number) =>
  Satisfies(
    (text) => isLine(text, max),
    `must be 1 to ${max} characters without spaces at the ends and control characters`,
  );

/** Variables of the provider of OpenID Connect with which members sign in to the console. */
export abstract class OidcEnv extends NetworkEnv {
  /** Issuer identifier, exactly as in its metadata. If unset, members do not sign in with OpenID Connect. Requires OIDC_CLIENT_ID. */
  @Satisfies(
    (text) => typeof text === 'string' && text.length <= MAX_OIDC_LENGTH && issuerFault(text) === undefined,
    `must be a URL of at most ${MAX_OIDC_LENGTH} characters that starts with https://, without user, query and fragment`,
  )
  OIDC_ISSUER?: string = undefined;

  /** ID of the client that is registered with the issuer. */
  @Line(MAX_OIDC_LENGTH)
  OIDC_CLIENT_ID?: string = undefined;

  /** Secret of the client. If unset, the client is public, and only PKCE protects it. */
  @Line(MAX_OIDC_LENGTH)
  OIDC_CLIENT_SECRET?: string = undefined;

  /** Name of the provider on the button of the sign-in. If unset, `single sign-on`. */
  @Line(MAX_NAME)
  OIDC_NAME?: string = undefined;
}

function isLine(text: unknown, max: number): boolean {
  if (typeof text !== 'string' || !text.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text))
    return false;
  return text.trim() === text && text !== '' && [...text].length <= max;
}

/** Returns an error for each combination of these variables that is invalid. */
export function oidcErrorsOf(env: OidcEnv): string[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env;
  const errors: string[] = [];
  if (OIDC_ISSUER !== undefined && OIDC_CLIENT_ID === undefined)
    errors.push('OIDC_CLIENT_ID must be set if OIDC_ISSUER is set');
  const others = { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME };
  for (const [name, value] of Object.entries(others))
    if (value !== undefined && OIDC_ISSUER === undefined)
      errors.push(`OIDC_ISSUER must be set if ${name} is set`);
  if (OIDC_ISSUER?.startsWith('http:') === true && env.WEBHOOK_ALLOWED_NETWORKS === undefined)
    errors.push('OIDC_ISSUER must start with https://, except in the networks of WEBHOOK_ALLOWED_NETWORKS');
  return errors;
}
