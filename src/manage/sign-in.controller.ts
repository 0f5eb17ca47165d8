import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isReceived } from '../members/member-links.js';
import { MAX_CODE_UNITS, MemberPasswords } from '../members/member-passwords.js';
import { MembersService } from '../members/members.service.js';
import { SignIn } from '../members/sign-in.js';
import type { SignedInMember, SignInClient } from '../members/signed-in-member.js';
import { AttemptLimits } from '../platform/server/attempt-limits.js';
import { isEmailAddress } from '../subscribers/email-address.js';
import { clientOf, ConsoleSessions } from './console-session.js';
import { enter, keptIn } from './entering.js';
import { message } from './frame.js';
import { FreshLinks } from './fresh-links.js';
import { plain } from './project-contents.js';
import { goTo, ownPath, type Reply, retryAfter } from './reply.js';
import { Form, Screen } from './routes.js';
import { renderLinkSent } from './sign-in-page.js';
import { SignInScreen } from './sign-in-screen.js';
import { renderUseLink } from './use-link-page.js';
import { queryOf } from './visit.js';
import { WORDS } from './words.js';

const { sign_in: words } = WORDS;

/** Screen after the first sign-in, which offers a password. */
const WELCOME = '/manage?done=welcome';

/** Signs members in and out. */
@Controller('manage')
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: ConsoleSessions,
    private readonly limits: AttemptLimits,
    private readonly freshLinks: FreshLinks,
    private readonly screen: SignInScreen,
    private readonly members: MembersService,
    private readonly passwords: MemberPasswords,
  ) {}

  @Screen('sign-in', 'everyone')
  show(@Req() request: Request): Reply {
    return this.screen.render({ to: ownPath(queryOf(request).get('to')) });
  }

  @Form('sign-in', 'everyone')
  async start(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Reply> {
    const sent = request.console?.sent ?? new URLSearchParams();
    const kept = keptIn(sent);
    const [to, email, password] = [
      ownPath(sent.get('to')),
      (sent.get('email') ?? '').trim(),
      sent.get('password') ?? '',
    ];
    const again = (errors: Record<string, string>, status: number, headers = {}) =>
      this.screen.render({ to, kept, email, errors, status, headers });
    if (!isEmailAddress(email)) return again({ email: words.email_invalid }, 400);
    if (sent.get('way') === 'link') {
      const result = await this.signIn.requestLink(email, this.limits.networkOf(request));
      if (result.kind === 'limited')
        return again({ form: words.too_many(result.seconds) }, 429, retryAfter(result.seconds));
      return result.kind === 'no_mail'
        ? again({ form: words.no_mail }, 400)
        : renderLinkSent(kept, this.signIn.mailDirectory);
    }
    if (password === '' || password.length > MAX_CODE_UNITS)
      return again({ password: words.password_missing }, 400);
    const result = await this.signIn.withPassword(email, password, this.clientOf(request));
    if (result.kind === 'rejected')
      return again({ form: `${words.wrong} ${words.forgotten[this.signIn.mail]}` }, 403);
    if (result.kind === 'limited')
      return again({ form: words.too_many(result.seconds) }, 429, retryAfter(result.seconds));
    return enter(this.sessions, request, response, result, { to, kept });
  }

  /** Does not use the link up: programs that check mail also open it. The page names the member of the link if another one is signed in. */
  @Screen('sign-in/:token', 'everyone')
  async showLink(@Req() request: Request, @Param('token') token: string): Promise<Reply> {
    const actor = request.console?.session?.actor;
    const owner = actor && (await this.signIn.ownerOf(token));
    return renderUseLink(owner && owner.id !== actor.id ? { present: actor.name, ...owner } : undefined);
  }

  @Form('sign-in/:token', 'everyone')
  async useLink(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Param('token') token: string,
  ): Promise<Reply> {
    const result = await this.signIn.withLink(token, this.clientOf(request));
    if (result.kind === 'signed_in') {
      const wantsPassword = request.console?.sent.get('next') === 'password';
      const to = wantsPassword ? '/manage/account' : (await this.isNew(result.member)) ? WELCOME : '/manage';
      const reply = await enter(this.sessions, request, response, result, { to, kept: undefined });
      const session = isReceived(token) ? await this.sessions.of(request, result.token) : undefined;
      if (session) this.freshLinks.mark(request, response, session);
      return reply;
    }
    const { mail } = this.signIn;
    const link = { path: '/manage/sign-in', text: mail === 'nowhere' ? words.to_sign_in : words.new_link };
    return result.kind === 'limited'
      ? message({
          title: WORDS.errors.rate_limited,
          text: words.too_many(result.seconds),
          status: 429,
          headers: retryAfter(result.seconds),
          link,
        })
      : message({ title: words.link_used, text: words.link_used_text[mail], status: 403, link });
  }

  @Form('sign-out', 'member')
  async end(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Reply> {
    await this.sessions.end(request, response);
    return goTo('/manage/sign-in');
  }

  /** Returns whether a member uses the console for the first time, and has no password. */
  private async isNew(member: SignedInMember): Promise<boolean> {
    const { organization_id, id } = member;
    const { last_seen_at } = plain(await this.members.get({ organization_id, project_ids: null }, id));
    return last_seen_at === null && !(await this.passwords.has(member));
  }

  private clientOf(request: Request): SignInClient {
    return { network: this.limits.networkOf(request), ...clientOf(request) };
  }
}
