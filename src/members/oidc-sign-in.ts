import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { Env } from '../platform/config/env.js';
import { PublicUrl } from '../platform/config/public-url.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { type AccountClaims, isVerified } from '../platform/oidc/account-claims.js';
import { CodeFlow, createSignInQueue, SignInError, type SignInFailure } from '../platform/oidc/code-flow.js';
import type { OidcClient } from '../platform/oidc/issuers.js';
import { type FlowBinding, type SignInFlow, SignInFlows } from '../platform/oidc/sign-in-flow.js';
import { AttemptLimits } from '../platform/server/attempt-limits.js';
import { emailKey, isEmailAddress } from '../subscribers/email-address.js';
import { MemberActivation } from './member-activation.js';
import { MemberLimits } from './member-limits.js';
import { MemberLinks } from './member-links.js';
import { MemberSessions } from './member-sessions.js';
import { MembersRepository } from './members.repository.js';
import type { SignedInMember, SignInClient } from './signed-in-member.js';

/** Path to which the provider redirects members. */
export const OIDC_PATH = '/manage/sign-in/oidc';

/** Maximum number of sign-ins of a client network that one process completes at the same time. */
export const MAX_OF_NETWORK = 4;

/** Networks take turns, so that a stranger who sends many callbacks delays only the own network. */
const LIMITS = { running: 20, each: MAX_OF_NETWORK, waiting: 50, waitMs: 5_000 };

/** Maximum length of the path that a member wants. Browsers reject cookies of more than 4 KB. */
const MAX_TO = 1_000;

/** Maximum number of organizations from which a person chooses, as in a mail with links. */
const MAX_ORGANIZATIONS = 20;

/** Time for which a failure with the same reason is not logged again, because strangers can cause them. */
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED = 100;

/** Runs what waits for the provider, which takes up to 45 seconds and uses no database. */
type Wait = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Link that signs a person in to one of several organizations. */
export interface OrganizationLink {
  organization: string;
  /** Token of the link, see `MemberLinks`. */
  token: string;
}

type Limited = { kind: 'limited'; seconds: number };
type Failed = { kind: 'failed'; failure: SignInFailure; to: string };

/** Result of the start. The browser keeps the value `cookie` for `FLOW_SECONDS`, and goes to the `url` of the provider. */
export type OidcStart = { kind: 'begun'; url: string; cookie: string } | Failed | Limited;

/**
 * Result of a sign-in. `choose`: the person is a member of several organizations. `limited`: the client network is below its limit again
 * after `seconds`.
 */
export type OidcResult =
  | { kind: 'signed_in'; token: string; to: string }
  | { kind: 'choose'; links: OrganizationLink[] }
  | Failed
  | Limited;

/** Signs members in with an account of the provider that `OIDC_ISSUER` names. Only verified addresses of existing members sign in. */
@Injectable()
export class OidcSignIn {
  private readonly queue = createSignInQueue(LIMITS);
  /** Reasons that have been logged. */
  private readonly logged = new LRUCache<string, true>({ max: MAX_LOGGED, ttl: LOG_EVERY_MS });

  constructor(
    private readonly env: Env,
    private readonly publicUrl: PublicUrl,
    private readonly dataSource: DataSource,
    private readonly codeFlow: CodeFlow,
    private readonly flows: SignInFlows,
    private readonly members: MembersRepository,
    private readonly activation: MemberActivation,
    private readonly sessions: MemberSessions,
    private readonly links: MemberLinks,
    private readonly organizations: OrganizationsService,
    private readonly memberLimits: MemberLimits,
    private readonly limits: AttemptLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Begins a sign-in.
   * @param to the path that the member wants
   */
  async begin(to: string, network: string, wait: Wait): Promise<OidcStart> {
    const seconds = await this.limits.add([this.memberLimits.oidc('begin', network)]);
    if (seconds !== undefined) return { kind: 'limited', seconds };
    const wanted = to.length > MAX_TO ? '/manage' : to;
    try {
      const { url, flow } = await wait(() => this.codeFlow.begin(this.client, this.binding, wanted));
      return { kind: 'begun', url, cookie: this.flows.seal(flow) };
    } catch (error) {
      return this.failed(error, wanted);
    }
  }

  /**
   * Completes a sign-in, and starts a session. Counts only callbacks of a sign-in in progress, because other sites can cause any others.
   * @param cookie value that the browser has kept
   * @param search the query of the callback
   */
  async finish(
    cookie: string | undefined,
    search: string,
    client: SignInClient,
    wait: Wait,
  ): Promise<OidcResult> {
    const flow = this.flows.open(cookie, this.binding);
    const to = flow?.to ?? '/manage';
    const seconds = flow && (await this.limits.add([this.memberLimits.oidc('end', client.network)]));
    if (seconds !== undefined) return { kind: 'limited', seconds };
    try {
      if (!flow) throw new SignInError('expired', 'no sign-in in progress');
      const email = await wait(() => this.emailOf(flow, search, client.network));
      return await this.enter(email, to, client);
    } catch (error) {
      return this.failed(error, to);
    }
  }

  /** Returns the verified address of the account. @throws SignInError */
  private async emailOf(flow: SignInFlow, search: string, network: string): Promise<string> {
    const { queue } = this;
    const completion = { queue, place: { owner: network }, needs_email: true };
    return verifiedEmailOf(await this.codeFlow.finish(this.client, flow, search, completion));
  }

  /** Signs the member with an address in. @throws SignInError if there is no such member, or only disabled ones */
  private async enter(email: string, to: string, client: SignInClient): Promise<OidcResult> {
    const found = await this.members.findByEmail(emailKey(email), MAX_ORGANIZATIONS);
    if (found.length > 1)
      return { kind: 'choose', links: await Promise.all(found.map((one) => this.linkOf(one))) };
    const [member] = found;
    const started = member && (await this.start(member, client));
    if (!started) throw new SignInError('denied', 'no_member');
    return { kind: 'signed_in', token: started.token, to };
  }

  /** Starts a session. An invited member is active from then on, as with a link. */
  private async start(found: SignedInMember, client: SignInClient): Promise<{ token: string } | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const locked = await this.members.lockOne(found, manager);
      const member = locked && (await this.activation.activate(locked, client.request_id, manager));
      return member && this.sessions.start(member, client, undefined, manager);
    });
  }

  private async linkOf(member: SignedInMember): Promise<OrganizationLink> {
    const organization = await this.organizations.find(member.organization_id);
    return { organization: organization?.name ?? '', token: await this.links.createChoice(member) };
  }

  /** Returns what a failure means, and logs it. @throws the error if it has another cause */
  private failed(error: unknown, to: string): Failed {
    if (!(error instanceof SignInError)) throw error;
    const { kind: failure, message: reason } = error;
    if ((failure === 'provider' || failure === 'denied') && !this.logged.has(reason)) {
      this.logged.set(reason, true);
      const issuer = new URL(this.client.issuer).host;
      this.logger.warn({ issuer, reason }, 'a member could not sign in with OpenID Connect');
    }
    return { kind: 'failed', failure, to };
  }

  private get client(): OidcClient {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET } = this.env;
    if (issuer === undefined || client_id === undefined) throw new Error('OIDC_ISSUER is not set');
    return { issuer, client_id, client_secret: OIDC_CLIENT_SECRET ?? null };
  }

  /** Other settings end the sign-ins in progress. */
  private get binding(): FlowBinding {
    const { issuer, client_id } = this.client;
    const redirect_uri = this.publicUrl.value + OIDC_PATH;
    return { page_id: null, version: `${issuer} ${client_id}`, redirect_uri };
  }
}

/** @throws SignInError if the provider sends no address, or has not verified it */
function verifiedEmailOf(claims: AccountClaims): string {
  const { email } = claims;
  if (typeof email !== 'string' || !isEmailAddress(email)) throw new SignInError('denied', 'email_missing');
  if (!isVerified(claims)) throw new SignInError('denied', 'email_unverified');
  return email;
}
