import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MemberPasswords } from '../members/member-passwords.js';
import { MemberSessions } from '../members/member-sessions.js';
import { MemberPasskeys } from '../members/passkeys/member-passkeys.js';
import { renderAccount } from './account-page.js';
import { clientOf, ConsoleSessions } from './console-session.js';
import type { Errors } from './errors-of-fields.js';
import { FreshLinks } from './fresh-links.js';
import { OwnId } from './own-id.js';
import { goTo, type Reply, retryAfter } from './reply.js';
import { Form, Screen } from './routes.js';
import { type Visit, Visiting } from './visit.js';
import { WORDS } from './words.js';

const { account: words, sign_in } = WORDS;

const PATH = '/manage/account';

/** The member's own screen: the password, and the browsers in which the member is signed in. */
@Controller('manage/account')
export class AccountController {
  constructor(
    private readonly passwords: MemberPasswords,
    private readonly sessions: MemberSessions,
    private readonly passkeys: MemberPasskeys,
    private readonly browsers: ConsoleSessions,
    private readonly freshLinks: FreshLinks,
  ) {}

  @Screen('', 'member')
  async show(@Visiting() visit: Visit, @Req() request: Request): Promise<Reply> {
    return this.render(visit, await this.mustEnter(request, visit));
  }

  /** Sets the password, which ends all sessions of the member, and continues with a new one in this browser. */
  @Form('', 'member')
  async setPassword(
    @Visiting() visit: Visit,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Reply> {
    const { member } = visit.session;
    const [present, next] = [visit.sent.get('present_password') ?? '', visit.sent.get('new_password') ?? ''];
    const isFresh = await this.freshLinks.isFresh(request, visit.session);
    const mustEnter = !isFresh && (await this.passwords.has(member));
    const errors = {
      ...(next === '' && { new_password: words.next_missing }),
      ...(present === '' && mustEnter && { present_password: words.present_missing }),
    };
    if (Object.keys(errors).length > 0) return this.render(visit, mustEnter, { errors, status: 400 });
    const changed = await this.passwords.change(
      member,
      { present: isFresh ? null : present, next },
      clientOf(request),
    );
    switch (changed.kind) {
      case 'weak':
        return this.render(visit, mustEnter, {
          errors: { new_password: words.weak[changed.reason] },
          status: 400,
        });
      case 'wrong':
        return this.render(visit, mustEnter, { errors: { present_password: words.wrong }, status: 403 });
      case 'limited':
        return this.render(visit, mustEnter, {
          errors: { present_password: sign_in.too_many(changed.seconds) },
          status: 429,
          headers: retryAfter(changed.seconds),
        });
      case 'changed':
        await this.browsers.keep(request, response, changed.token);
        return goTo(`${PATH}?done=password`);
    }
  }

  /** Ends a session. Succeeds also if it has ended before, so that a form can be sent twice. */
  @Form('sessions/:id', 'member')
  async endOne(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    await this.sessions.endOne(visit.session.member, id);
    return goTo(`${PATH}?done=session`);
  }

  @Form('other-sessions', 'member')
  async endOthers(@Visiting() { session }: Visit): Promise<Reply> {
    await this.sessions.endOthers(session.member, session.id);
    return goTo(`${PATH}?done=others`);
  }

  /** Returns whether a new password needs the present one: the member has one, and the session did not begin with a link just now. */
  private async mustEnter(request: Request, { session }: Visit): Promise<boolean> {
    return (await this.passwords.has(session.member)) && !(await this.freshLinks.isFresh(request, session));
  }

  private async render(
    visit: Visit,
    mustEnter: boolean,
    result: { errors?: Errors; status?: number; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const { member } = visit.session;
    const [hasPassword, sessions] = [await this.passwords.has(member), await this.sessions.list(member)];
    const passkeys = await this.passkeys.list(member);
    return renderAccount(visit, { hasPassword, mustEnter, sessions, passkeys, ...result });
  }
}
