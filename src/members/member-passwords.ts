import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Passwords } from '../platform/auth/passwords.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { AttemptLimits } from '../platform/server/attempt-limits.js';
import type { Subject } from '../platform/server/request-counts.js';
import { isCommonPassword } from './common-passwords.js';
import { MemberLinksRepository } from './member-links.repository.js';
import { type MemberRef, MemberSessionsRepository } from './member-sessions.repository.js';
import { MemberSessions } from './member-sessions.js';
import { MembersRepository } from './members.repository.js';
import { actorOf, type SignInClient } from './signed-in-member.js';

/** Minimum and maximum number of characters of a password. */
export const PASSWORD_LENGTH = { min: 10, max: 200 };

/** Maximum number of UTF-16 code units of a password. A character has one or two. */
export const MAX_CODE_UNITS = PASSWORD_LENGTH.max * 2;

/** Wrong present passwords of a member in 15 minutes. */
export const MAX_WRONG = 10;
const QUARTER_HOUR_SECONDS = 900;

/** Reason for which a new password is rejected. */
export type Weakness = 'too_short' | 'too_long' | 'too_common';

/** Result of a change. `weak`: the new password is rejected. `wrong`: the present one is. */
export type PasswordChange =
  { kind: 'changed'; token: string } | { kind: 'weak'; reason: Weakness } | PasswordRejection;

/** Reason for which the present password is rejected. `limited`: too many wrong ones until `seconds` have passed. */
export type PasswordRejection = { kind: 'wrong' } | { kind: 'limited'; seconds: number };

/** Sets passwords of members. Only Argon2id hashes are stored. */
@Injectable()
export class MemberPasswords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MembersRepository,
    private readonly sessions: MemberSessions,
    private readonly storedSessions: MemberSessionsRepository,
    private readonly links: MemberLinksRepository,
    private readonly passwords: Passwords,
    private readonly limits: AttemptLimits,
    private readonly log: WriteLog,
  ) {}

  /** Returns whether a member has a password. */
  async has(member: MemberRef): Promise<boolean> {
    return (await this.members.findPassword(member)) !== null;
  }

  /**
   * Sets a password, which ends all sessions and links of the member.
   * @param present the present password; ignored if the member has none; null if the session allows the change without it
   * @returns the token of a new session
   * @throws Problem 503 `unavailable` while too many passwords are being hashed
   */
  async change(
    member: MemberRef & { email: string },
    { present, next }: { present: string | null; next: string },
    client: Omit<SignInClient, 'network'>,
  ): Promise<PasswordChange> {
    const reason = weaknessOf(next, member.email);
    if (reason) return { kind: 'weak', reason };
    const { stored, rejected } = await this.check(member, present);
    if (rejected) return rejected;
    const hash = await this.passwords.hash(member.organization_id, next);
    const isChanged = await this.dataSource.transaction(async (manager) => {
      const locked = await this.members.lockOne(member, manager);
      if (locked?.status !== 'active' || locked.password_hash !== stored) return false;
      await this.members.setPassword(member, hash, manager);
      await this.storedSessions.deleteOf(member, null, manager);
      await this.links.deleteOf(member, manager);
      const actor = actorOf(locked, client.request_id);
      const entry = { actor, project_id: null, resource_id: member.id };
      await this.log.record({ type: 'member.password_changed', ...entry }, manager);
      return true;
    });
    const started = isChanged ? await this.sessions.start(member, client, hash) : undefined;
    return started ? { kind: 'changed', ...started } : { kind: 'wrong' };
  }

  /**
   * Compares the present password before another change of the ways to sign in, with the limit of {@link change}.
   * @returns undefined if the password is right, or the member has none
   * @throws Problem 503 `unavailable` while too many passwords are being hashed
   */
  async reject(member: MemberRef, present: string): Promise<PasswordRejection | undefined> {
    return (await this.check(member, present)).rejected;
  }

  private async check(
    member: MemberRef,
    present: string | null,
  ): Promise<{ stored: string | null; rejected?: PasswordRejection | undefined }> {
    if (present === null) return { stored: await this.members.findPassword(member) };
    const subject = { name: `member-change:${member.id}`, limit: MAX_WRONG, seconds: QUARTER_HOUR_SECONDS };
    const seconds = await this.limits.exhausted([subject]);
    if (seconds !== undefined) return { stored: null, rejected: { kind: 'limited', seconds } };
    const stored = await this.members.findPassword(member);
    if (stored === null) return { stored };
    // No stored password is that long, and its normalization takes quadratic time.
    if (present.length > MAX_CODE_UNITS) return { stored, rejected: { kind: 'wrong' } };
    return { stored, rejected: await this.compare(member, stored, present, subject) };
  }

  /** Compares the present password, and counts a wrong one. Returns undefined if it is right. */
  private compare(
    { organization_id, id }: MemberRef,
    stored: string,
    present: string,
    subject: Subject,
  ): Promise<PasswordRejection | undefined> {
    return this.passwords.inTurn({ owner: organization_id, lane: id }, async () => {
      const seconds = await this.limits.exhausted([subject]); // by attempts that have waited as well
      if (seconds !== undefined) return { kind: 'limited', seconds };
      if (await this.passwords.verify(stored, present)) return undefined;
      await this.limits.add([subject]);
      return { kind: 'wrong' };
    });
  }
}

function weaknessOf(password: string, email: string): Weakness | undefined {
  const { length } = [...password];
  if (length < PASSWORD_LENGTH.min) return 'too_short';
  if (length > PASSWORD_LENGTH.max) return 'too_long';
  return isCommonPassword(password, email) ? 'too_common' : undefined;
}
