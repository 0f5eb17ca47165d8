import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { PeriodicTasks } from '../../platform/tasks/periodic-tasks.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { AddressMails } from '../../subscribers/address-mails.js';
import { emailKey } from '../../subscribers/email-address.js';
import type { AccessRules, GatedPage } from '../../access/access-rules.service.js';
import { EmailLinksRepository } from './email-links.repository.js';
import { matchesEmail } from './email-match.js';
import { hashOfEmailToken } from './email-tokens.js';

/** Channel of deliveries with links to private pages. */
export const ACCESS_CHANNEL = 'access';

const CLEANUP_MS = 60_000;

/** Links by mail, which show a private page once. */
@Injectable()
export class EmailLinksService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: EmailLinksRepository,
    private readonly deliveries: DeliveriesService,
    private readonly mails: AddressMails,
    private readonly tasks: PeriodicTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add({
      name: 'old links to private pages',
      every_ms: CLEANUP_MS,
      run: async () => {
        await this.repository.deleteOld();
        return false;
      },
    });
  }

  /**
   * Stores a form, whose address must be valid. A delivering process handles it. Same work for every address.
   * @param wanted the path of the wanted part below the page
   * @returns the seconds after which the address can get mail again, if all pages together have sent it too much; nothing is then stored
   */
  async request(page: GatedPage, email: string, wanted: string): Promise<number | undefined> {
    const { id: status_page_id, organization_id, project_id } = page;
    const id = uuidv7();
    return this.dataSource.transaction(async (manager) => {
      const seconds = await this.mails.addLink(emailKey(email), manager);
      if (seconds !== undefined) return seconds;
      await this.repository.insertRequest({ id, organization_id, status_page_id, email, wanted }, manager);
      const delivery = {
        organization_id,
        project_id,
        channel: ACCESS_CHANNEL,
        kind: 'link',
        recipient_id: id,
      };
      await this.deliveries.enqueue([delivery], manager);
      return undefined;
    });
  }

  /** Returns the address of a link that works, or undefined. */
  async find(page: AccessRules, token: string): Promise<string | undefined> {
    const hash = hashOfEmailToken(token);
    const email = hash && (await this.repository.findEmail(page, hash));
    return email !== undefined && matchesEmail(page, email) ? email : undefined;
  }

  /** Uses a link up. Returns whether its address may see the page. */
  async use(page: AccessRules, token: string): Promise<boolean> {
    const hash = hashOfEmailToken(token);
    const email = hash && (await this.repository.take(page, hash));
    return email !== undefined && matchesEmail(page, email);
  }
}
