import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import { generateToken, hashToken, isWellFormedToken } from '../platform/auth/token-format.js';
import { PublicUrl } from '../platform/config/public-url.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { MemberActivation } from './member-activation.js';
import { MemberLinksRepository } from './member-links.repository.js';
import type { MemberRef } from './member-sessions.repository.js';
import { MembersRepository } from './members.repository.js';
import type { SignedInMember } from './signed-in-member.js';

/** Time for which a link works. */
export const LINK_MS = 15 * 60_000;

/** Prefix of links that are mailed, or that a command prints. */
const PREFIX = 'ml_';
/** Prefix of links by which a member chooses an organization, after OpenID Connect. */
const CHOICE_PREFIX = 'mo_';
const CLEANUP_MS = 60_000;

/** Links that sign a member in once. Only hashes of their tokens are stored. */
@Injectable()
export class MemberLinks implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MemberLinksRepository,
    private readonly members: MembersRepository,
    private readonly publicUrl: PublicUrl,
    private readonly tasks: PeriodicTasks,
    private readonly log: WriteLog,
    private readonly activation: MemberActivation,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'old links of members',
      every_ms: CLEANUP_MS,
      run: async () => {
        await this.repository.deleteOld();
        return false;
      },
    });
  }

  /** Creates a link of an existing member, and returns its token. It is valid for {@link LINK_MS}. */
  async create(member: MemberRef, manager?: EntityManager): Promise<string> {
    return this.insert(PREFIX, member, manager);
  }

  /** Creates a link by which a member chooses an organization, and returns its token. {@link isReceived} returns false for it. */
  async createChoice(member: MemberRef): Promise<string> {
    return this.insert(CHOICE_PREFIX, member);
  }

  private async insert(prefix: string, member: MemberRef, manager?: EntityManager): Promise<string> {
    const token = generateToken(prefix);
    await this.repository.insert(member, hashToken(token), manager);
    return token;
  }

  /** Creates a link as {@link create} does, and records who has created it. */
  async createBy(actor: Actor, member: MemberRef): Promise<string> {
    const entry = { type: 'member.link_created', actor, project_id: null, resource_id: member.id } as const;
    return this.dataSource.transaction(async (manager) => {
      const token = await this.create(member, manager);
      await this.log.record(entry, manager);
      return token;
    });
  }

  /** Returns the URL of a link. */
  urlOf(token: string): string {
    return `${this.signInUrl}/${token}`;
  }

  /** URL at which members sign in, and request links. */
  get signInUrl(): string {
    return `${this.publicUrl.value}/manage/sign-in`;
  }

  /** Returns the member of a link that works, or undefined. Does not use the link up. */
  async find(token: string): Promise<SignedInMember | undefined> {
    if (!isWellFormed(token)) return undefined;
    const ref = await this.repository.findMember(hashToken(token));
    const member = ref && (await this.members.findOne(ref));
    return member?.status === 'disabled' ? undefined : member;
  }

  /**
   * Uses a link up. A member who was invited is active from then on.
   * @param outer manager of a transaction, which uses the link up only if it commits
   * @returns the member, or undefined if the link does not work any more, or the member is disabled
   */
  async use(
    token: string,
    request_id: string | null = null,
    outer: EntityManager = this.dataSource.manager,
  ): Promise<SignedInMember | undefined> {
    if (!isWellFormed(token)) return undefined;
    const hash = hashToken(token);
    return outer.transaction(async (manager) => {
      const ref = await this.repository.findMember(hash, manager);
      // The member first, as a deletion does, which locks the links of the member after it.
      const locked = ref && (await this.members.lockOne(ref, manager));
      if (!locked || !(await this.repository.take(hash, manager))) return undefined;
      return this.activation.activate(locked, request_id, manager);
    });
  }
}

function isWellFormed(token: string): boolean {
  return isWellFormedToken(PREFIX, token) || isWellFormedToken(CHOICE_PREFIX, token);
}

/** Returns whether the person with a link that works has received it, and so has the mailbox of the member, or the command line. */
export function isReceived(token: string): boolean {
  return token.startsWith(PREFIX);
}
