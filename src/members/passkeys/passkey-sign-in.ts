import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PublicUrl } from '../../platform/config/public-url.js';
import { AttemptLimits } from '../../platform/server/attempt-limits.js';
import { MemberLimits } from '../member-limits.js';
import { MemberSessions } from '../member-sessions.js';
import { MembersRepository } from '../members.repository.js';
import type { SignInResult } from '../sign-in.js';
import type { SignedInMember, SignInClient } from '../signed-in-member.js';
import { userHandleOf } from './member-passkeys.js';
import { type FoundPasskey, MemberPasskeysRepository } from '../member-passkeys.repository.js';
import { type PasskeyChallenge, PasskeyChallenges } from './passkey-challenges.js';
import { readAssertion } from './sent-credential.js';
import { verifyUse } from './webauthn.js';

/** Signs members in by a passkey, without an address. Failed attempts are bounded by client network. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: MemberPasskeysRepository,
    private readonly challenges: PasskeyChallenges,
    private readonly members: MembersRepository,
    private readonly sessions: MemberSessions,
    private readonly memberLimits: MemberLimits,
    private readonly limits: AttemptLimits,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Signs a member in, if a passkey has signed the challenge of this browser. A challenge works once for each passkey.
   * @param sent JSON of the browser, unvalidated
   * @param cookie value of the cookie with the challenge
   */
  async withPasskey(sent: string, cookie: string | undefined, client: SignInClient): Promise<SignInResult> {
    const subject = this.memberLimits.passkeys(client.network);
    const exhausted = await this.limits.exhausted([subject]);
    if (exhausted !== undefined) return { kind: 'limited', seconds: exhausted };
    const started = await this.start(sent, this.challenges.open(cookie), client);
    if (started) return { kind: 'signed_in', ...started };
    await this.limits.add([subject]);
    return { kind: 'rejected' };
  }

  private async start(
    sent: string,
    challenge: PasskeyChallenge | undefined,
    client: SignInClient,
  ): Promise<{ member: SignedInMember; token: string } | undefined> {
    const read = readAssertion(sent);
    if (!challenge || read?.challenge !== challenge.value) return undefined;
    const { response } = read;
    const found = await this.passkeys.findByCredential(Buffer.from(response.id, 'base64url'));
    if (!found || response.response.userHandle !== userHandleOf(found)) return undefined;
    const { origin, hostname: rp_id } = new URL(this.publicUrl.value);
    const counter = await verifyUse(response, found, { challenge: challenge.value, origin, rp_id });
    const started =
      counter === undefined
        ? undefined
        : await this.use(found, { counter, made_at: challenge.made_at }, client);
    if (!started) await this.sessions.recordFailures([found], client);
    return started;
  }

  /** Notes the use of a passkey, and starts a session, both or neither. */
  private async use(
    found: FoundPasskey,
    use: { counter: number; made_at: Date },
    client: SignInClient,
  ): Promise<{ member: SignedInMember; token: string } | undefined> {
    return this.dataSource.transaction(async (manager) => {
      // The member first, as a deletion does, which locks the passkeys of the member after it.
      const locked = await this.members.lockOne(found, manager);
      if (locked?.status !== 'active' || !(await this.passkeys.use(found, use, manager))) return undefined;
      const started = await this.sessions.start(found, client, undefined, manager);
      const { password_hash: _, ...member } = locked;
      return started && { member, ...started };
    });
  }
}
