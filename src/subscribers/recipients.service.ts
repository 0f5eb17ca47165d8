import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Audience, type Recipient, RecipientsRepository } from './recipients.repository.js';

export type { Audience, Recipient } from './recipients.repository.js';

/** Finds the recipients of mail, and records its outcome. */
@Injectable()
export class RecipientsService {
  constructor(private readonly repository: RecipientsRepository) {}

  /** Returns the subscribers with these IDs that still exist, of any status, in any order. */
  async find(ids: string[]): Promise<Recipient[]> {
    return this.repository.find(ids);
  }

  /** Returns the IDs of active subscribers of a page, see {@link RecipientsRepository.matching}. */
  async matching(
    audience: Audience,
    after: string | null,
    limit: number,
    manager: EntityManager,
  ): Promise<{ ids: string[]; last: string | null }> {
    return this.repository.matching(audience, after, limit, manager);
  }

  /** Returns the number of these IDs. */
  async countMatching(
    audience: Audience,
    after: string | null,
    limit: number,
    manager: EntityManager,
  ): Promise<{ count: number; last: string | null }> {
    return this.repository.countMatching(audience, after, limit, manager);
  }

  /** Records that mail was delivered to these subscribers. Earlier rejections no longer count. */
  async delivered(ids: string[]): Promise<void> {
    if (ids.length > 0) await this.repository.delivered(ids);
  }

  /**
   * Records a permanent refusal of a mail server. The second one in a row, on another day (UTC), suppresses the subscriber.
   * @param isFinal the address does not exist; suppresses at once
   */
  async refused(id: string, isFinal: boolean): Promise<void> {
    await this.repository.refused(id, isFinal);
  }
}
