import { Controller, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { MemberPasswords } from '../../members/member-passwords.js';
import {
  MemberPasskeys,
  type PasskeyAddition,
  type PasskeySession,
} from '../../members/passkeys/member-passkeys.js';
import { notFound } from '../../platform/problems/problem.js';
import { browserName } from '../browser-name.js';
import { clientOf } from '../console-session.js';
import { Deletions } from '../deletions.js';
import { message } from '../frame.js';
import { OwnId } from '../own-id.js';
import { goTo, Reply, retryAfter } from '../reply.js';
import { Form } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';

const { account, passkeys: words, sign_in } = WORDS;

const ACCOUNT = '/manage/account';

/** Text and status for each reason for which a passkey is not added. */
const NOT_ADDED: Record<Exclude<PasskeyAddition, 'added'>, { text: string; status: number }> = {
  rejected: { text: words.not_added_text, status: 403 },
  known: { text: words.known, status: 409 },
  full: { text: words.full, status: 409 },
};

/** Adds and removes passkeys of the member. */
@Controller('manage/account/passkeys')
export class PasskeyScreensController {
  constructor(
    private readonly passkeys: MemberPasskeys,
    private readonly passwords: MemberPasswords,
    private readonly deletions: Deletions,
  ) {}

  /** Returns what the script passes to the device, as JSON. Requires the present password, if the member has one. */
  @Form('challenge', 'member')
  async begin(@Visiting() visit: Visit): Promise<Reply> {
    const { member } = visit.session;
    const present = visit.sent.get('passkey_password') ?? '';
    if (present === '' && (await this.passwords.has(member)))
      return json(400, { error: account.present_missing });
    const rejected = await this.passwords.reject(member, present);
    if (rejected?.kind === 'wrong') return json(403, { error: account.wrong });
    if (rejected)
      return json(429, { error: sign_in.too_many(rejected.seconds) }, retryAfter(rejected.seconds));
    return json(200, await this.passkeys.begin(sessionOf(visit)));
  }

  /** Adds the passkey that the device has made. */
  @Form('', 'member')
  async add(@Visiting() visit: Visit, @Req() request: Request): Promise<Reply> {
    const name = browserName(clientOf(request).user_agent);
    const result = await this.passkeys.add(sessionOf(visit), visit.sent.get('credential') ?? '', name);
    if (result === 'added') return goTo(`${ACCOUNT}?done=passkey`);
    const link = { path: ACCOUNT, text: account.title };
    return message({ title: words.not_added, ...NOT_ADDED[result], link, visit });
  }

  @Form(':id', 'member')
  async remove(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const passkey = (await this.passkeys.list(visit.session.member)).find((one) => one.id === id);
    if (!passkey) throw notFound('passkey');
    const question = async () => ({
      action: `${ACCOUNT}/passkeys/${id}`,
      back: { path: ACCOUNT, text: account.title },
      title: words.remove_title(passkey.name),
      text: words.remove_text,
      button: words.remove,
    });
    return this.deletions.run(visit, id, question, async () => {
      await this.passkeys.remove(sessionOf(visit), id);
      return `${ACCOUNT}?done=passkey_removed`;
    });
  }
}

function sessionOf({ session, actor }: Visit): PasskeySession {
  return { id: session.id, member: session.member, request_id: actor.request_id };
}

/** Returns a response for the script. */
export function json(status: number, value: object, headers: Record<string, string> = {}): Reply {
  return new Reply(status, { ...headers, 'Content-Type': 'application/json' }, JSON.stringify(value));
}
