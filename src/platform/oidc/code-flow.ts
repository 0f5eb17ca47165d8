import { Injectable } from '@nestjs/common';
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  type Configuration,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
} from 'openid-client';
import { textOfError } from '../network/send-error.js';
import { type FairLimits, FairQueue, type Place } from '../server/fair-queue.js';
import type { AccountClaims } from './account-claims.js';
import { IssuerError, Issuers, type OidcClient } from './issuers.js';
import type { FlowBinding, SignInFlow } from './sign-in-flow.js';

/** Creates a queue for sign-ins that are being completed, see {@link Completion}. */
export const createSignInQueue = (limits: FairLimits): FairQueue =>
  new FairQueue(limits, () => new IssuerError('too many sign-ins at a time'));

/** Queue and place of a sign-in that is being completed. */
interface Completion {
  queue: FairQueue;
  /** For whom the queue runs it. */
  place: Place;
  /** Whether the address is necessary. It is then read from the userinfo endpoint if the ID token lacks it. */
  needs_email: boolean;
}

/**
 * Reason why a person could not sign in.
 *
 * - `cancelled`: the issuer has not signed the person in, or does not allow it.
 * - `denied`: the account may not enter.
 * - `expired`: the response belongs to another sign-in.
 * - `provider`: the issuer does not respond, or its response is wrong.
 */
export type SignInFailure = 'cancelled' | 'denied' | 'expired' | 'provider';

/** A person could not sign in. The message is short, without tokens, addresses and texts of the issuer. */
export class SignInError extends Error {
  override readonly name = 'SignInError';

  constructor(
    readonly kind: SignInFailure,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/**
 * Signs people in at an issuer of OpenID Connect: authorization code flow with PKCE, `state`, `nonce` and `iss` (RFC 9207). The caller
 * decides which accounts may enter.
 *
 *     const { url, flow } = await codeFlow.begin(client, binding, to); // the browser keeps the flow, and goes to the URL
 *     const claims = await codeFlow.finish(client, flow, search, completion); // in the callback
 */
@Injectable()
export class CodeFlow {
  constructor(private readonly issuers: Issuers) {}

  /**
   * Begins a sign-in. Returns the URL of the issuer to which the person goes, and what the browser must keep.
   * @param to where the person goes afterwards
   * @throws SignInError
   */
  async begin(
    client: OidcClient,
    binding: FlowBinding,
    to: string,
  ): Promise<{ url: string; flow: SignInFlow }> {
    return failing(async () => {
      const configuration = await this.issuers.configurationOf(client);
      const verifier = randomPKCECodeVerifier();
      const flow = { ...binding, to, verifier, state: randomState(), nonce: randomNonce() };
      const { href } = buildAuthorizationUrl(configuration, {
        redirect_uri: flow.redirect_uri,
        scope: 'openid email',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: href, flow };
    });
  }

  /**
   * Completes a sign-in. Returns the claims of the account.
   * @param search the query of the callback
   * @throws SignInError
   */
  async finish(
    client: OidcClient,
    flow: SignInFlow,
    search: string,
    { queue, place, needs_email }: Completion,
  ): Promise<AccountClaims> {
    if (new URLSearchParams(search).get('state') !== flow.state)
      throw new SignInError('expired', 'wrong state');
    return failing(() => queue.run(place, () => this.claimsOf(client, flow, search, needs_email)));
  }

  private async claimsOf(
    client: OidcClient,
    flow: SignInFlow,
    search: string,
    needsEmail: boolean,
  ): Promise<AccountClaims> {
    const configuration = await this.issuers.configurationOf(client);
    return this.issuers.withKeys(client.issuer, configuration, () =>
      exchange(configuration, flow, search, needsEmail),
    );
  }
}

/** Exchanges the code for the claims of the account. */
async function exchange(
  configuration: Configuration,
  { redirect_uri, state, nonce, verifier }: SignInFlow,
  search: string,
  needsEmail: boolean,
): Promise<AccountClaims> {
  const tokens = await authorizationCodeGrant(configuration, new URL(redirect_uri + search), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new IssuerError('the issuer has sent no ID token');
  const { userinfo_endpoint } = configuration.serverMetadata();
  const isComplete = !needsEmail || claims['email'] !== undefined;
  if (isComplete || userinfo_endpoint === undefined) return claims;
  return fetchUserInfo(configuration, tokens.access_token, claims.sub);
}

async function failing<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    const isCancelled = error instanceof AuthorizationResponseError && CANCELLED.has(error.error);
    throw new SignInError(isCancelled ? 'cancelled' : 'provider', reasonOf(error), { cause: error });
  }
}

/** Codes of OAuth and OpenID Connect for people who did not, or may not, sign in. */
const CANCELLED = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
]);

/** Codes of OAuth, such as `invalid_client`. */
const OAUTH_CODE = /^[a-z_]{1,40}$/;

/** Texts by the code of an error of openid-client. */
const TEXTS = new Map([
  ['OAUTH_TIMEOUT', 'timeout'],
  ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'unexpected status'],
  ['OAUTH_RESPONSE_IS_NOT_JSON', 'the response is not JSON'],
  ['OAUTH_PARSE_ERROR', 'the response is not JSON'],
  ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'the response names another issuer'],
  ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'wrong claim in the ID token'],
  ['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'the ID token has expired, or the clocks differ'],
  ['OAUTH_KEY_SELECTION_FAILED', 'unknown key of the ID token'],
  ['OAUTH_INVALID_RESPONSE', 'invalid response'],
  ['OAUTH_UNSUPPORTED_OPERATION', 'unsupported ID token'],
]);

/** Returns a short text that contains nothing that an issuer has written, except for a code of OAuth. */
function reasonOf(error: unknown): string {
  if (error instanceof IssuerError) return error.message;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return OAUTH_CODE.test(error.error) ? error.error : 'unknown error code';
  if (!(error instanceof ClientError)) return textOfError(error);
  // openid-client wraps errors of the connection, and gives them no code.
  return error.code === undefined ? textOfError(error.cause) : (TEXTS.get(error.code) ?? 'invalid response');
}
