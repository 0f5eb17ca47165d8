import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { MailTransport } from '../mail/mail-transport.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { Passwords } from '../platform/auth/passwords.js';
import { AttemptLimits } from '../platform/server/attempt-limits.js';
import { emailKey } from '../subscribers/email-address.js';
import { LINK, MEMBER_CHANNEL } from './mail-kinds.js';
import { MemberLimits } from './member-limits.js';
import { MemberLinksRepository } from './member-links.repository.js';
import { MemberLinks } from './member-links.js';
import { MemberSessions } from './member-sessions.js';
import { MembersRepository, type MemberWithPassword } from './members.repository.js';
import type { SignedInMember, SignInClient } from './signed-in-member.js';

/** Maximum number of organizations in which a password is compared. */
const MAX_MEMBERSHIPS = 5;

/** Owner of all sign-ins in the queue of passwords. Client networks take turns in it. */
const OWNER = 'members';

/** Place to which an instance sends links by mail. */
export type MailPlace = 'server' | 'files' | 'nowhere';

/** Result of an attempt to sign in. `limited`: the address or the client network is below its limits again after `seconds`. */
export type SignInResult =
  | { kind: 'signed_in'; token: string; member: SignedInMember }
  | { kind: 'rejected' }
  | { kind: 'limited'; seconds: number };

/**
 * Signs members in, by a link or a password. Known and unknown addresses get the same responses, in the same time. Attempts are bounded
 * by address and by client network, and attempts of one network do not slow others.
 */
@Injectable()
export class SignIn {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MembersRepository,
    private readonly sessions: MemberSessions,
    private readonly links: MemberLinks,
    private readonly organizations: OrganizationsService,
    private readonly linkRequests: MemberLinksRepository,
    private readonly deliveries: DeliveriesService,
    private readonly transport: MailTransport,
    private readonly passwords: Passwords,
    private readonly memberLimits: MemberLimits,
    private readonly limits: AttemptLimits,
  ) {}

  /** Whether the instance can send links by mail. */
  get sendsMail(): boolean {
    return this.transport.isConfigured;
  }

  /** Place to which links by mail go: a mail server, files for development, or nowhere. The same for all addresses. */
  get mail(): MailPlace {
    if (!this.sendsMail) return 'nowhere';
    return this.transport.writesFiles ? 'files' : 'server';
  }

  /** Full path of the directory to which mail is written, or undefined. */
  get mailDirectory(): string | undefined {
    return this.sendsMail ? this.transport.directory : undefined;
  }

  /**
   * Requests a link by mail. Same work for every address: a delivering process looks for members with it.
   * @param email a valid address
   * @param network client network of the request, see `AttemptLimits.networkOf`
   * @returns `no_mail` if the instance cannot send mail
   */
  async requestLink(
    email: string,
    network: string,
  ): Promise<{ kind: 'requested' } | { kind: 'no_mail' } | { kind: 'limited'; seconds: number }> {
    if (!this.sendsMail) return { kind: 'no_mail' };
    const key = emailKey(email);
    const seconds = await this.limits.add(this.memberLimits.links(key, network));
    if (seconds !== undefined) return { kind: 'limited', seconds };
    await this.enqueue(key);
    return { kind: 'requested' };
  }

  /** Stores a form with an address. */
  private async enqueue(email: string): Promise<void> {
    const id = uuidv7();
    await this.dataSource.transaction(async (manager) => {
      await this.linkRequests.insertRequest({ id, email }, manager);
      // The organization is not known yet. Each form has a queue of its own, so that none waits for others.
      const place = { organization_id: id, project_id: id };
      await this.deliveries.enqueue(
        [{ ...place, channel: MEMBER_CHANNEL, kind: LINK, recipient_id: id }],
        manager,
      );
    });
  }

  /** Returns whom a link signs in, and where, or undefined if it does not work. Does not use it up. */
  async ownerOf(
    token: string,
  ): Promise<(Pick<SignedInMember, 'id' | 'name'> & { organization: string }) | undefined> {
    const member = await this.links.find(token);
    const organization = member && (await this.organizations.find(member.organization_id));
    return organization && { id: member.id, name: member.name, organization: organization.name };
  }

  /** Uses a link up, and starts a session. If no session can be started, the link still works. */
  async withLink(token: string, client: SignInClient): Promise<SignInResult> {
    const subject = this.memberLimits.unknownLinks(client.network);
    const exhausted = await this.limits.exhausted([subject]);
    if (exhausted !== undefined) return { kind: 'limited', seconds: exhausted };
    const started = await this.dataSource.transaction(async (manager) => {
      const member = await this.links.use(token, client.request_id, manager);
      const session = member && (await this.sessions.start(member, client, undefined, manager));
      return session && { member, ...session };
    });
    if (started) return { kind: 'signed_in', ...started };
    await this.limits.add([subject]);
    return { kind: 'rejected' };
  }

  /**
   * Signs a member in by password. An invited member uses the link first.
   * @throws Problem 503 `unavailable` while too many attempts of the client network wait
   */
  async withPassword(email: string, password: string, client: SignInClient): Promise<SignInResult> {
    const key = emailKey(email);
    const subjects = this.memberLimits.passwords(key, client.network);
    const exhausted = await this.limits.exhausted(subjects);
    if (exhausted !== undefined) return { kind: 'limited', seconds: exhausted };
    const candidates = await this.members.findWithPassword(key, MAX_MEMBERSHIPS);
    // Statements run outside of the turn, because a slow one would delay the passwords of all others.
    const found = await this.passwords.inTurn({ owner: OWNER, lane: client.network }, async () => {
      const seconds = await this.limits.exhausted(subjects); // by attempts that have waited as well
      if (seconds !== undefined) return { seconds };
      const member = await this.findByPassword(candidates, password);
      if (!member) for (const subject of subjects) await this.limits.add([subject]);
      return { member };
    });
    if (found.seconds !== undefined) return { kind: 'limited', seconds: found.seconds };
    const { member } = found;
    const started =
      member?.password_hash && (await this.sessions.start(member, client, member.password_hash));
    if (started) {
      const { password_hash: _, ...signedIn } = member;
      return { kind: 'signed_in', member: signedIn, ...started };
    }
    // The response does not wait for it, because its time would reveal the address.
    void this.sessions.recordFailures(candidates, client);
    return { kind: 'rejected' };
  }

  /** Returns the active member with this password. Compares it once, also if there is no member, or once for each organization. */
  private async findByPassword(
    candidates: MemberWithPassword[],
    password: string,
  ): Promise<MemberWithPassword | undefined> {
    const [first, ...others] = candidates;
    if (await this.passwords.verify(first?.password_hash ?? null, password)) return first;
    for (const other of others) if (await this.passwords.verify(other.password_hash, password)) return other;
    return undefined;
  }
}
