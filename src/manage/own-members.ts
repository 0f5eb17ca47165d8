import { Injectable } from '@nestjs/common';
import type { MemberDto } from '../members/dto/member.dto.js';
import { MembersService } from '../members/members.service.js';
import type { Actor } from '../platform/auth/actor.js';
import { type Part, partOf, rangeIn } from './pager.js';
import { plain } from './project-contents.js';

/** Number of members that a screen lists. */
const ROWS = 50;

/** Reads members by the service of the API. */
@Injectable()
export class OwnMembers {
  constructor(private readonly members: MembersService) {}

  /**
   * Returns the newest members, or those after the cursor in a query.
   * @throws Problem 400 `validation_failed` for a cursor of another list
   */
  async list(actor: Actor, query: URLSearchParams): Promise<Part<MemberDto>> {
    return partOf(await this.members.list(actor, rangeIn({ query }, ROWS)));
  }

  /** @throws Problem 404 `not_found` */
  async one(actor: Actor, id: string): Promise<MemberDto> {
    return plain(await this.members.get(actor, id));
  }
}
