import { Injectable } from '@nestjs/common';
import type { MemberDto } from '../members/dto/member.dto.js';
import { MembersService } from '../members/members.service.js';
import type { Actor } from '../platform/auth/actor.js';
import { Cursor } from '../platform/pagination/cursor.js';
import { ListQuery } from '../platform/pagination/list-page.js';
import { plain } from './project-contents.js';

/** Number of members that a screen lists. */
const ROWS = 50;

/** Reads members by the service of the API. */
@Injectable()
export class OwnMembers {
  constructor(private readonly members: MembersService) {}

  /**
   * Returns the newest members, or those after a cursor.
   * @throws Problem 400 `validation_failed` for a cursor of another list
   */
  async list(actor: Actor, after: string | null): Promise<{ members: MemberDto[]; next: string | null }> {
    const cursor = after === null ? undefined : Cursor.parse(after);
    const query = Object.assign(new ListQuery(), { limit: ROWS, cursor });
    const { data, pagination } = await this.members.list(actor, query);
    return { members: plain(data), next: pagination.next_cursor };
  }

  /** @throws Problem 404 `not_found` */
  async one(actor: Actor, id: string): Promise<MemberDto> {
    return plain(await this.members.get(actor, id));
  }
}
