import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { COOKIE, MemberSessions, SESSION_SECONDS } from '../members/member-sessions.js';
import type { SignedInMember, SignInClient } from '../members/signed-in-member.js';
import type { Actor, MemberActor } from '../platform/auth/actor.js';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import { HostCookies } from '../platform/server/host-cookies.js';

const PURPOSE = 'console form';

/** A session of a member in a browser. */
export interface ConsoleSession {
  id: string;
  member: SignedInMember;
  /** The member as the author of changes. */
  actor: MemberActor & Actor;
  /** Value of the field `token` in all forms of this session. */
  form_token: string;
}

/** Returns the browser of a request. */
export function clientOf(request: Request): Omit<SignInClient, 'network'> {
  return { user_agent: request.headers['user-agent'] ?? '', request_id: String(request.id) };
}

/** Sessions of members in browsers: their cookie, and the token that binds each form to them. */
@Injectable()
export class ConsoleSessions {
  constructor(
    private readonly sessions: MemberSessions,
    private readonly cookies: HostCookies,
    private readonly secrets: SecretsService,
  ) {}

  /** Returns whether a request has a cookie whose session was found before, or undefined without a cookie. */
  isKnown(request: Request): boolean | undefined {
    if (this.tokenOf(request) === undefined) return undefined;
    return this.sessions.organizationOf(request.headers.cookie) !== undefined;
  }

  /** Returns the session of a request, or undefined. */
  async find(request: Request): Promise<ConsoleSession | undefined> {
    const token = this.tokenOf(request);
    return token === undefined ? undefined : this.of(request, token);
  }

  /** Returns the session of a token, or undefined. */
  async of(request: Request, token: string): Promise<ConsoleSession | undefined> {
    const found = await this.sessions.find(token, String(request.id));
    if (!found) return undefined;
    const form_token = this.secrets.sign(PURPOSE, found.session_id).toString('base64url');
    return { id: found.session_id, member: found.member, actor: found.actor, form_token };
  }

  /** Returns whether a form was made for this session. */
  owns({ form_token }: ConsoleSession, sent: string | null): boolean {
    const [own, other] = [Buffer.from(form_token), Buffer.from(sent ?? '')];
    return own.length === other.length && timingSafeEqual(own, other);
  }

  /** Adds the cookie of a new session to the response, and ends the session that the browser has had. */
  async keep(request: Request, response: Response, token: string): Promise<void> {
    const former = this.tokenOf(request);
    if (former !== undefined) await this.sessions.end(former);
    this.cookies.set(request, response, { name: COOKIE, value: token, seconds: SESSION_SECONDS });
  }

  /** Ends the session of a request, and removes its cookie. */
  async end(request: Request, response: Response): Promise<void> {
    const token = this.tokenOf(request);
    if (token !== undefined) await this.sessions.end(token);
    this.cookies.set(request, response, { name: COOKIE, value: '', seconds: 0 });
  }

  private tokenOf(request: Request): string | undefined {
    return this.cookies.read(request, COOKIE);
  }
}
