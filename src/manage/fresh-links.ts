import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MemberSessions } from '../members/member-sessions.js';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import { HostCookies } from '../platform/server/host-cookies.js';
import type { ConsoleSession } from './console-session.js';

const PURPOSE = 'console session by link';
const COOKIE = 'manage-link';

/** Time after the sign-in by a link in which a new password needs no former one. */
const SECONDS = 900;

/**
 * Marks sessions that began with a link. A person who opens links has the mailbox of the member, and can set a new password without
 * the former one, but not later: an unlocked device is not enough. The mark is a signature of the session in a cookie of its own.
 */
@Injectable()
export class FreshLinks {
  constructor(
    private readonly sessions: MemberSessions,
    private readonly cookies: HostCookies,
    private readonly secrets: SecretsService,
  ) {}

  /** Adds the mark of a session that begins now to the response. */
  mark(request: Request, response: Response, { id }: Pick<ConsoleSession, 'id'>): void {
    const value = this.secrets.sign(PURPOSE, id).toString('base64url');
    this.cookies.set(request, response, { name: COOKIE, value, seconds: SECONDS });
  }

  /** Returns whether the session of a request began with a link in the last 15 minutes. */
  async isFresh(request: Request, { id, member }: ConsoleSession): Promise<boolean> {
    const sent = Buffer.from(this.cookies.read(request, COOKIE) ?? '', 'base64url');
    if (!this.secrets.verify(PURPOSE, id, sent)) return false;
    const session = (await this.sessions.list(member)).find((one) => one.id === id);
    return session !== undefined && Date.now() - session.created_at.getTime() < SECONDS * 1_000;
  }
}
