import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { WriteLog } from '../../platform/database/write-log.repository.js';
import { MemberLinksRepository } from '../member-links.repository.js';
import { type MemberRef, MemberSessionsRepository } from '../member-sessions.repository.js';
import { MembersRepository } from '../members.repository.js';
import { actorOf, type SignedInMember } from '../signed-in-member.js';
import { type ListedPasskey, MemberPasskeysRepository } from '../member-passkeys.repository.js';
import { CHALLENGE_BYTES, CHALLENGE_SECONDS } from './passkey-challenges.js';
import { readNewCredential, transportsOf } from './sent-credential.js';
import { ALGORITHMS, verifyNew } from './webauthn.js';

/** Maximum number of passkeys of a member. */
export const MAX_PASSKEYS_OF_MEMBER = 20;

const MAX_NAME = 100;

/**
 * Result of {@link MemberPasskeys.add}. `rejected`: the device has not signed the challenge of this session, or too late. `known`: the
 * passkey is stored already. `full`: the member has {@link MAX_PASSKEYS_OF_MEMBER}.
 */
export type PasskeyAddition = 'added' | 'rejected' | 'known' | 'full';

/** Session of a member who changes the passkeys. */
export interface PasskeySession {
  /** ID of the session. */
  id: string;
  member: SignedInMember;
  request_id: string | null;
}

/** Passkeys of members. Only public keys are stored. */
@Injectable()
export class MemberPasskeys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MemberPasskeysRepository,
    private readonly members: MembersRepository,
    private readonly sessions: MemberSessionsRepository,
    private readonly links: MemberLinksRepository,
    private readonly organizations: OrganizationsService,
    private readonly publicUrl: PublicUrl,
    private readonly log: WriteLog,
  ) {}

  /** Returns the passkeys of a member, the oldest first. At most {@link MAX_PASSKEYS_OF_MEMBER}. */
  async list(member: MemberRef): Promise<ListedPasskey[]> {
    return this.repository.findOf(member);
  }

  /**
   * Starts the addition of a passkey. Returns what the browser passes to the device. Its challenge works once, in this session, for five
   * minutes.
   */
  async begin({ id, member }: PasskeySession): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const challenge = randomBytes(CHALLENGE_BYTES);
    await this.repository.setChallenge(member, id, challenge);
    const [passkeys, organization] = [
      await this.repository.findOf(member),
      await this.organizations.find(member.organization_id),
    ];
    return {
      challenge: challenge.toString('base64url'),
      rp: { id: this.publicUrl.host, name: 'Status Pages' },
      // Devices list passkeys by these names. A person can be a member of several organizations.
      user: {
        id: userHandleOf(member),
        name: member.email,
        displayName: organization ? `${member.name} (${organization.name})` : member.name,
      },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: CHALLENGE_SECONDS * 1_000,
      attestation: 'none',
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      excludeCredentials: passkeys.map(({ credential, transports }) => ({
        id: credential.toString('base64url'),
        type: 'public-key' as const,
        transports,
      })),
    };
  }

  /**
   * Adds a passkey, if it has signed the challenge of {@link begin}. Sessions of the member continue.
   * @param sent JSON of the browser, unvalidated
   * @param name browser of the member
   */
  async add(session: PasskeySession, sent: string, name: string): Promise<PasskeyAddition> {
    const { member, request_id } = session;
    const read = readNewCredential(sent);
    if (!read) return 'rejected';
    const { challenge, response } = read;
    if (!(await this.repository.takeChallenge(member, session.id, Buffer.from(challenge, 'base64url'))))
      return 'rejected';
    const { origin, hostname: rp_id } = new URL(this.publicUrl.value);
    const verified = await verifyNew(response, { challenge, origin, rp_id });
    if (!verified) return 'rejected';
    return this.dataSource.transaction(async (manager) => {
      const locked = await this.members.lockOne(member, manager);
      if (locked?.status !== 'active') return 'rejected';
      const count = await this.repository.count(member, MAX_PASSKEYS_OF_MEMBER, manager);
      if (count >= MAX_PASSKEYS_OF_MEMBER) return 'full';
      const passkey = {
        ...verified,
        id: uuidv7(),
        transports: transportsOf(response),
        name: [...name].slice(0, MAX_NAME).join(''),
      };
      if (!(await this.repository.insert(member, passkey, manager))) return 'known';
      const entry = { actor: actorOf(locked, request_id), project_id: null, resource_id: member.id };
      await this.log.record({ type: 'member.passkey_added', ...entry }, manager);
      return 'added';
    });
  }

  /**
   * Removes a passkey, and ends all other sessions and the links of the member, because the device can be lost and signed in.
   * @returns false if the member does not have it
   */
  async remove({ id, member, request_id }: PasskeySession, passkeyId: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const locked = await this.members.lockOne(member, manager);
      if (!locked || !(await this.repository.deleteOne(member, passkeyId, manager))) return false;
      await this.sessions.deleteOf(member, id, manager);
      await this.links.deleteOf(member, manager);
      const entry = { actor: actorOf(locked, request_id), project_id: null, resource_id: member.id };
      await this.log.record({ type: 'member.passkey_removed', ...entry }, manager);
      return true;
    });
  }
}

/** Returns the name under which devices store the passkeys of a member: the bytes of the ID, in base64url. */
export function userHandleOf({ id }: Pick<MemberRef, 'id'>): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}
