import { Controller, Req, Res } from '@nestjs/common';
import { withoutTurn } from '@status-pages/fair-admission';
import type { Request, Response } from 'express';
import { OidcSignIn, type OidcResult, type OidcStart } from '../members/oidc-sign-in.js';
import { Env } from '../platform/config/env.js';
import { FLOW_SECONDS } from '../platform/oidc/sign-in-flow.js';
import { Problem } from '../platform/problems/problem.js';
import { AttemptLimits } from '../platform/server/attempt-limits.js';
import { HostCookies } from '../platform/server/host-cookies.js';
import { clientOf, ConsoleSessions } from './console-session.js';
import { goTo, ownPath, type Reply, retryAfter } from './reply.js';
import { Form, Screen } from './routes.js';
import { renderChoice, renderContinue } from './sign-in-oidc-page.js';
import { keptIn } from './entering.js';
import type { KeptForm } from './sign-in-page.js';
import { SignInScreen } from './sign-in-screen.js';
import { queryOf } from './visit.js';
import { WORDS } from './words.js';

const { sign_in: words, sign_in_oidc } = WORDS;

const COOKIE = 'manage-sign-in';

/** Statuses by what a failure means. */
const STATUSES = { cancelled: 403, denied: 403, expired: 400, provider: 502 } as const;

/** Signs members in with OpenID Connect, if `OIDC_ISSUER` is set. */
@Controller('manage/sign-in/oidc')
export class SignInOidcController {
  constructor(
    private readonly env: Env,
    private readonly signIn: OidcSignIn,
    private readonly sessions: ConsoleSessions,
    private readonly cookies: HostCookies,
    private readonly limits: AttemptLimits,
    private readonly screen: SignInScreen,
  ) {}

  /** Leads to the provider. The browser keeps the sign-in in a cookie; the next one replaces it. @throws Problem 404 `not_found` */
  @Form('', 'everyone')
  async begin(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Reply> {
    this.requireProvider();
    const sent = request.console?.sent ?? new URLSearchParams();
    const [to, kept] = [ownPath(sent.get('to')), keptIn(sent)];
    const begun = await this.signIn.begin(to, this.limits.networkOf(request), (work) =>
      withoutTurn(request, work),
    );
    if (begun.kind !== 'begun') return this.failed(begun, to, kept);
    this.cookies.set(request, response, { name: COOKIE, value: begun.cookie, seconds: FLOW_SECONDS });
    return renderContinue(begun.url, kept);
  }

  /** The provider redirects members here. @throws Problem 404 `not_found` */
  @Screen('', 'everyone')
  async finish(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Reply> {
    this.requireProvider();
    const client = { network: this.limits.networkOf(request), ...clientOf(request) };
    const cookie = this.cookies.read(request, COOKIE);
    const result = await this.signIn.finish(cookie, `?${queryOf(request)}`, client, (work) =>
      withoutTurn(request, work),
    );
    if (result.kind === 'limited') return this.failed(result, '/manage');
    this.cookies.set(request, response, { name: COOKIE, value: '', seconds: 0 });
    if (result.kind === 'failed') return this.failed(result, result.to);
    if (result.kind === 'choose') return renderChoice(result.links);
    await this.sessions.keep(request, response, result.token);
    return goTo(result.to);
  }

  /** Returns the screen of the sign-in with the reason, which is the same for unknown and disabled members. */
  private failed(
    failed: Extract<OidcStart | OidcResult, { kind: 'failed' | 'limited' }>,
    to: string,
    kept?: KeptForm,
  ): Reply {
    const [form, status, headers] =
      failed.kind === 'limited'
        ? [words.too_many(failed.seconds), 429, retryAfter(failed.seconds)]
        : [sign_in_oidc[failed.failure], STATUSES[failed.failure], {}];
    return this.screen.render({ to, kept, errors: { form }, status, headers });
  }

  private requireProvider(): void {
    if (this.env.OIDC_ISSUER === undefined) throw new Problem('not_found');
  }
}
