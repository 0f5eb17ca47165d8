import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EventsService, type NotifiedEvent } from '../events/events.service.js';
import type { DryRunNotificationsDto } from '../platform/dry-run/dry-run.dto.js';
import { DryRuns } from '../platform/dry-run/dry-runs.js';
import { AudiencesService } from './audiences.service.js';
import type { Channel, Position } from './channel.js';
import { DeliveriesService } from './deliveries.service.js';

/** Recipients that one step finds. */
const STEP = 10_000;

/** Counts the messages that a write would cause, by the code that finds the recipients of events. */
@Injectable()
export class Forecast implements OnModuleInit {
  constructor(
    private readonly dryRuns: DryRuns,
    private readonly events: EventsService,
    private readonly audiences: AudiencesService,
    private readonly deliveries: DeliveriesService,
  ) {}

  onModuleInit(): void {
    this.dryRuns.forecast = (...args) => this.of(...args);
  }

  private async of(
    organizationId: string,
    since: Date,
    manager: EntityManager,
  ): Promise<DryRunNotificationsDto> {
    const counts: Record<string, number> = {};
    const slugs = new Set<string>();
    for (const event of await this.events.findRecorded(organizationId, since, manager)) {
      for (const channel of this.deliveries.available)
        counts[channel.name] = (counts[channel.name] ?? 0) + (await countOf(channel, event, manager));
      for (const { slug } of await this.audiences.pagesOf(event, {}, manager))
        if (slug !== undefined) slugs.add(slug);
    }
    const { email = 0, webhook = 0 } = counts;
    return { email, webhook, pages: [...slugs].toSorted() };
  }
}

async function countOf(channel: Channel, event: NotifiedEvent, manager: EntityManager): Promise<number> {
  let count = 0;
  let after: Position | null = { page_id: null, recipient_id: null };
  while (after) {
    const { ids, next } = await channel.recipientsOf(event, after, STEP, manager);
    count += ids.length;
    after = next;
  }
  return count;
}
