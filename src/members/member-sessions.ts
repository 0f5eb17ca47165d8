import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, MemberActor } from '../platform/auth/actor.js';
import { KeyLookupQueue } from '../platform/auth/key-lookup-queue.js';
import { generateToken, hashToken, isWellFormedToken } from '../platform/auth/token-format.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import {
  type FoundSession,
  type ListedSession,
  type MemberRef,
  MemberSessionsRepository,
} from './member-sessions.repository.js';
import { MembersRepository } from './members.repository.js';
import { actorOf, type SignedInMember, type SignInClient } from './signed-in-member.js';

/** Time for which a session works. It ends earlier after 12 hours without a request. */
export const SESSION_SECONDS = 30 * 86_400;

/** Maximum number of sessions of a member. Another one ends the oldest. */
export const MAX_SESSIONS = 20;

/** Name of the cookie with the token, to which `__Host-` is added where browsers accept it. */
export const COOKIE = 'manage';

const PREFIX = 'ms_';
const COOKIE_IN = /(?:^|; *)(?:__Host-)?manage=(ms_\w+)/;
const CLEANUP_MS = 600_000;
const MAX_KNOWN = 10_000;
const MAX_USER_AGENT = 200;

/** A session, and what its member may do now. */
export interface CurrentSession {
  session_id: string;
  actor: MemberActor & Actor;
  member: SignedInMember;
}

/**
 * Sessions of members in the console. Sessions are rows, which each request reads together with the member, so that every change of the
 * member takes effect at the next request in every process. Only hashes of tokens are stored.
 *
 *     const started = await sessions.start(member, client); // { token } for the cookie
 *     const session = await sessions.find(token, request.id); // { actor, member, session_id } or undefined
 */
@Injectable()
export class MemberSessions implements OnModuleInit {
  /** Organizations of tokens that were valid at their latest lookup in this process, for the 10,000 most recently used tokens. */
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN });

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MemberSessionsRepository,
    private readonly members: MembersRepository,
    private readonly lookups: KeyLookupQueue,
    private readonly tasks: PeriodicTasks,
    private readonly log: WriteLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'old sessions of members',
      every_ms: CLEANUP_MS,
      run: async () => {
        await this.repository.deleteOld();
        return false;
      },
    });
  }

  /**
   * Starts a session. A member with {@link MAX_SESSIONS} loses the oldest one.
   * @param passwordHash hash of the password with which the member signs in, which must not have changed since
   * @param outer manager of a transaction in which the session starts
   * @returns the token, or undefined if the member is not active any more
   */
  async start(
    member: MemberRef,
    client: Pick<SignInClient, 'user_agent' | 'request_id'>,
    passwordHash?: string,
    outer: EntityManager = this.dataSource.manager,
  ): Promise<{ token: string } | undefined> {
    return outer.transaction(async (manager) => {
      const locked = await this.members.lockOne(member, manager);
      if (locked?.status !== 'active') return undefined;
      if (passwordHash !== undefined && passwordHash !== locked.password_hash) return undefined;
      const token = generateToken(PREFIX);
      const user_agent = [...client.user_agent.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')]
        .slice(0, MAX_USER_AGENT)
        .join('');
      const id = uuidv7();
      await this.repository.insert(member, { id, token_hash: hashToken(token), user_agent }, manager);
      await this.repository.deleteOldest(member, MAX_SESSIONS, manager);
      const entry = { actor: actorOf(locked, client.request_id), project_id: null, resource_id: member.id };
      await this.log.record({ type: 'session.started', ...entry }, manager);
      return { token };
    });
  }

  /**
   * Returns the session of a token with its member, as they are now, or undefined if the session has ended, or the member is disabled.
   * @throws Problem 503 `unavailable` if too many lookups of unknown tokens are waiting
   */
  async find(token: string, request_id: string | null = null): Promise<CurrentSession | undefined> {
    if (!isWellFormedToken(PREFIX, token)) return undefined;
    const lookUp = () => this.repository.find(hashToken(token));
    const found = await (this.known.has(token) ? lookUp() : this.lookups.run(lookUp));
    if (!found) {
      this.known.delete(token);
      return undefined;
    }
    this.known.set(token, found.organization_id);
    if (!found.is_noted) await this.note(found);
    const { session_id, is_noted: _, ...member } = found;
    return { session_id, member, actor: actorOf(member, request_id) };
  }

  /**
   * Returns the organization of a session that is known without the database.
   * @param cookies the header `Cookie`
   */
  organizationOf(cookies = ''): string | undefined {
    const [, token = ''] = COOKIE_IN.exec(cookies) ?? [];
    return this.known.peek(token);
  }

  /** Logs a failed sign-in of members. The caller can respond before, because the time would reveal an address. Does not throw. */
  async recordFailures(
    members: readonly SignedInMember[],
    { request_id }: Pick<SignInClient, 'request_id'>,
  ): Promise<void> {
    if (members.length === 0) return;
    try {
      await this.dataSource.transaction(async (manager) => {
        for (const member of members) {
          const entry = { actor: actorOf(member, request_id), project_id: null, resource_id: member.id };
          await this.log.record({ type: 'session.failed', ...entry }, manager);
        }
      });
    } catch (error) {
      this.logger.warn({ err: error }, 'could not record a failed sign-in');
    }
  }

  private async note(session: FoundSession): Promise<void> {
    try {
      await this.repository.note(session);
      await this.members.noteSeen(session);
    } catch (error) {
      // The session still works, and the next request notes it.
      this.logger.warn({ err: error }, 'could not save last_used_at of a session');
    }
  }

  /** Ends the session of a token. */
  async end(token: string): Promise<void> {
    this.known.delete(token);
    if (isWellFormedToken(PREFIX, token)) await this.repository.deleteByToken(hashToken(token));
  }

  /** Returns the sessions of a member, the latest used first. */
  async list(member: MemberRef): Promise<ListedSession[]> {
    return this.repository.findOf(member);
  }

  /** Ends a session of a member. Returns false if it does not exist. */
  async endOne(member: MemberRef, sessionId: string): Promise<boolean> {
    return this.repository.deleteOne(member, sessionId);
  }

  /** Ends all sessions of a member except for one. */
  async endOthers(member: MemberRef, sessionId: string): Promise<void> {
    await this.repository.deleteOf(member, sessionId);
  }
}
