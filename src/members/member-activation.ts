import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { MembersRepository, type MemberWithPassword } from './members.repository.js';
import { actorOf, type SignedInMember } from './signed-in-member.js';

/** Makes members active who sign in for the first time. */
@Injectable()
export class MemberActivation {
  constructor(
    private readonly members: MembersRepository,
    private readonly log: WriteLog,
  ) {}

  /**
   * Returns a member who signs in, active from now on, or undefined for a disabled member.
   * @param locked a member whom the transaction has locked
   */
  async activate(
    locked: MemberWithPassword,
    request_id: string | null,
    manager: EntityManager,
  ): Promise<SignedInMember | undefined> {
    const { password_hash: _, ...member } = locked;
    if (member.status === 'disabled') return undefined;
    if (member.status === 'active') return member;
    await this.members.activate(member, manager);
    await this.log.record(
      {
        actor: actorOf(member, request_id),
        type: 'member.updated',
        project_id: null,
        resource_id: member.id,
        changes: { status: { from: 'invited', to: 'active' } },
      },
      manager,
    );
    return { ...member, status: 'active' };
  }
}
