import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { CodeFlow, SignInError } from '../../platform/oidc/code-flow.js';
import { FLOW_SECONDS, type FlowBinding, SignInFlows } from '../../platform/oidc/sign-in-flow.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { HostCookies } from '../../platform/server/host-cookies.js';
import type { Subject } from '../../platform/server/request-counts.js';
import { renderContinue } from '../../page-documents/components/entry-pages.js';
import type { PrivateReply } from '../routes/private-reply.js';
import { VisitorLimits } from '../routes/visitor-limits.js';
import { ButtonForm, type Entry, EntryForms, message } from '../entry/entry-forms.js';
import { OIDC_SECRET } from '../../access/oidc-secret.js';
import { type OidcRule, OidcSignInService } from './oidc-sign-in.service.js';

const CALLBACK = 'access/oidc/callback';

/** Maximum number of sign-ins of a page from a client network that begin or end in ten minutes. A company can have one address. */
export const MAX_SIGN_INS = 300;
const NETWORK_SECONDS = 600;

/** Maximum number of sign-ins of a page that begin or end in five minutes. Short, because anyone can use it up. */
export const MAX_OF_PAGE = 1_000;
const PAGE_SECONDS = 300;

/** Returns the limit of a page's sign-ins that begin or end. */
export const signInLimit = (id: string, step: SignInStep): Subject => ({
  name: `access-oidc:${step}:${id}`,
  limit: MAX_OF_PAGE,
  seconds: PAGE_SECONDS,
});

/** Returns the limit of a page's sign-ins that begin or end in a client network. */
export const networkLimit = (id: string, step: SignInStep, network: string): Subject => ({
  name: `access-oidc:${step}:${id}:${network}`,
  limit: MAX_SIGN_INS,
  seconds: NETWORK_SECONDS,
});

type SignInStep = 'begin' | 'end';

/** Time for which failures of a page are not logged again, because visitors can cause them. */
const LOG_EVERY_MS = 60_000;
const MAX_LOGGED = 1_000;

/** Signs visitors of a private page in with their account of an OpenID provider. */
@Injectable()
export class OidcEntry {
  /** Pages whose failure has been logged. */
  private readonly logged = new LRUCache<string, true>({ max: MAX_LOGGED, ttl: LOG_EVERY_MS });

  constructor(
    private readonly entries: EntryForms,
    private readonly codeFlow: CodeFlow,
    private readonly signIn: OidcSignInService,
    private readonly flows: SignInFlows,
    private readonly cookies: HostCookies,
    private readonly secrets: SecretsService,
    private readonly limits: VisitorLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Leads a visitor to the provider. The browser keeps the sign-in in a cookie; the next one replaces it.
   * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`
   */
  async begin(request: Request, response: Response): Promise<void> {
    const { to } = await this.entries.read(request, ButtonForm);
    await this.entries.respond(request, response, to, async (entry) => {
      const rule = ruleOf(entry);
      if (!rule) return undefined;
      const exceeded = await this.limit(request, entry, 'begin');
      if (exceeded) return exceeded;
      return this.explaining(entry, async () => {
        const { url, flow } = await this.codeFlow.begin(this.withSecret(rule), bindingOf(entry), entry.to);
        const value = this.flows.seal(flow);
        this.cookies.set(request, response, { name: cookieOf(entry), value, seconds: FLOW_SECONDS });
        return { status: 200, document: renderContinue(entry.shell, url) };
      });
    });
  }

  /** Completes a sign-in, and starts a session. Counts only callbacks of a sign-in in progress, because other sites can cause any others. */
  async finish(request: Request, response: Response): Promise<void> {
    await this.entries.respond(request, response, '', async (entry) => {
      const rule = ruleOf(entry);
      if (!rule) return undefined;
      const flow = this.flows.open(this.cookies.read(request, cookieOf(entry)), bindingOf(entry));
      const wanted = { ...entry, to: flow?.to ?? '' };
      const exceeded = flow && (await this.limit(request, wanted, 'end'));
      if (exceeded) return exceeded;
      this.cookies.set(request, response, { name: cookieOf(entry), value: '', seconds: 0 });
      return this.explaining(entry, async () => {
        if (!flow) throw new SignInError('expired', 'no sign-in in progress');
        await this.signIn.finish(this.withSecret(rule), flow, searchOf(request));
        return this.entries.enter(request, response, wanted);
      });
    });
  }

  /** Returns what a failed sign-in means for the visitor. */
  private async explaining(entry: Entry, task: () => Promise<PrivateReply>): Promise<PrivateReply> {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      const { words } = entry;
      switch (error.kind) {
        case 'cancelled':
          return message(entry, 403, { title: words.cancelled, text: words.cancelled_text });
        case 'denied':
          return message(entry, 403, { title: words.denied, text: words.denied_text, reason: error.message });
        case 'expired':
          return message(entry, 400, { title: words.expired, text: words.expired_text });
        case 'provider':
          this.log(entry, error);
          return message(entry, 502, { title: words.failed, text: words.failed_text, reason: error.message });
      }
    }
  }

  private log({ gated: { id, rules } }: Entry, { message: reason }: SignInError): void {
    const { oidc } = rules;
    if (this.logged.has(id)) return;
    this.logged.set(id, true);
    const issuer = oidc === null ? undefined : new URL(oidc.issuer).host;
    this.logger.warn(
      { status_page_id: id, issuer, reason },
      'a visitor could not sign in with OpenID Connect',
    );
  }

  /** @throws SignInError if the instance does not have the key that encrypted the secret any more */
  private withSecret({ secret, ...rule }: StoredRule): OidcRule {
    try {
      return { ...rule, client_secret: secret && this.secrets.decrypt(OIDC_SECRET, secret) };
    } catch (error) {
      throw new SignInError('provider', 'the client secret cannot be decrypted', { cause: error });
    }
  }

  private limit(request: Request, entry: Entry, step: SignInStep): Promise<PrivateReply | undefined> {
    const { id } = entry.gated;
    return this.entries.limit(request, entry, 'oidc', [
      networkLimit(id, step, this.limits.networkOf(request)),
      signInLimit(id, step),
    ]);
  }
}

/** Returns the cookie name for a sign-in in progress. */
function cookieOf({ gated }: Entry): string {
  return `sign-in-${gated.id}`;
}

/** A provider with the encrypted client secret. */
type StoredRule = Omit<OidcRule, 'client_secret'> & { secret: Buffer | null };

function ruleOf({ gated }: Entry): StoredRule | undefined {
  const { oidc, oidc_client_secret } = gated.rules;
  return oidc ? { ...oidc, secret: oidc_client_secret } : undefined;
}

function bindingOf({ gated, shell }: Entry): FlowBinding {
  return { page_id: gated.id, version: gated.rules.version, redirect_uri: `${shell.url}/${CALLBACK}` };
}

function searchOf({ originalUrl }: Request): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start);
}
