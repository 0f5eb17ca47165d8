import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CHALLENGE_SECONDS, PasskeyChallenges } from '../../members/passkeys/passkey-challenges.js';
import { PasskeySignIn } from '../../members/passkeys/passkey-sign-in.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { AttemptLimits } from '../../platform/server/attempt-limits.js';
import { HostCookies } from '../../platform/server/host-cookies.js';
import { clientOf, ConsoleSessions } from '../console-session.js';
import { enter, keptIn } from '../entering.js';
import { ownPath, type Reply, retryAfter } from '../reply.js';
import { Form } from '../routes.js';
import { SignInScreen } from '../sign-in-screen.js';
import { WORDS } from '../words.js';
import { json } from './passkeys.controller.js';

const { passkeys: words, sign_in } = WORDS;

/** Name of the cookie with the challenge, to which `__Host-` is added where browsers accept it. */
const COOKIE = 'manage-passkey';

/** Signs members in by a passkey. */
@Controller('manage/sign-in/passkey')
export class PasskeySignInController {
  constructor(
    private readonly signIn: PasskeySignIn,
    private readonly challenges: PasskeyChallenges,
    private readonly sessions: ConsoleSessions,
    private readonly cookies: HostCookies,
    private readonly publicUrl: PublicUrl,
    private readonly limits: AttemptLimits,
    private readonly screen: SignInScreen,
  ) {}

  /** Returns what the script passes to the device, as JSON. Stores nothing. */
  @Form('challenge', 'everyone')
  begin(@Req() request: Request, @Res({ passthrough: true }) response: Response): Reply {
    const { challenge, cookie } = this.challenges.create();
    this.cookies.set(request, response, { name: COOKIE, value: cookie, seconds: CHALLENGE_SECONDS });
    return json(200, {
      challenge,
      rpId: this.publicUrl.host,
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: 'required',
      allowCredentials: [],
    });
  }

  /** Signs in, or shows the form again, with the same sentence for every reason. */
  @Form('response', 'everyone')
  async use(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Reply> {
    const sent = request.console?.sent ?? new URLSearchParams();
    const [to, kept] = [ownPath(sent.get('to')), keptIn(sent)];
    const client = { network: this.limits.networkOf(request), ...clientOf(request) };
    const cookie = this.cookies.read(request, COOKIE);
    const result = await this.signIn.withPasskey(sent.get('credential') ?? '', cookie, client);
    this.cookies.set(request, response, { name: COOKIE, value: '', seconds: 0 });
    if (result.kind === 'signed_in') return enter(this.sessions, request, response, result, { to, kept });
    const form = { to, kept, email: (sent.get('email') ?? '').trim() };
    if (result.kind === 'rejected')
      return this.screen.render({ ...form, errors: { form: words.rejected }, status: 403 });
    const headers = retryAfter(result.seconds);
    return this.screen.render({
      ...form,
      errors: { form: sign_in.too_many(result.seconds) },
      status: 429,
      headers,
    });
  }
}
