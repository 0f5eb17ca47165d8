import { Controller, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MAX_CODE_UNITS, MemberPasswords } from '../members/member-passwords.js';
import { MemberSessions } from '../members/member-sessions.js';
import { renderAccount } from './account-page.js';
import { clientOf, ConsoleSessions } from './console-session.js';
import type { Errors } from './errors-of-fields.js';
import { OwnId } from './own-id.js';
import { goTo, type Reply } from './reply.js';
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
    private readonly browsers: ConsoleSessions,
  ) {}

  @Screen('', 'member')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    return this.render(visit);
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
    const errors = {
      ...(next === '' && { new_password: words.next_missing }),
      ...(present === '' &&
        (await this.passwords.has(member)) && { present_password: words.present_missing }),
    };
    if (Object.keys(errors).length > 0) return this.render(visit, { errors, status: 400 });
    // No stored password is that long, so it need not be compared.
    if (present.length > MAX_CODE_UNITS)
      return this.render(visit, { errors: { present_password: words.wrong }, status: 403 });
    const changed = await this.passwords.change(member, { present, next }, clientOf(request));
    switch (changed.kind) {
      case 'weak':
        return this.render(visit, { errors: { new_password: words.weak[changed.reason] }, status: 400 });
      case 'wrong':
        return this.render(visit, { errors: { present_password: words.wrong }, status: 403 });
      case 'limited':
        return this.render(visit, {
          errors: { present_password: sign_in.too_many(changed.seconds) },
          status: 429,
          headers: { 'Retry-After': String(changed.seconds) },
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

  private async render(
    visit: Visit,
    result: { errors?: Errors; status?: number; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const { member } = visit.session;
    const [hasPassword, sessions] = [await this.passwords.has(member), await this.sessions.list(member)];
    return renderAccount(visit, { hasPassword, sessions, ...result });
  }
}
