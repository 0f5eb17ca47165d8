import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { EventsService, type NotifiedEvent } from '../events/events.service.js';
import type { DryRunNotificationsDto } from '../platform/dry-run/dry-run.dto.js';
import { DryRuns } from '../platform/dry-run/dry-runs.js';
import { AudiencesService } from './audiences.service.js';
import type { Channel, Position } from './channel.js';
import { DeliveriesService } from './deliveries.service.js';

/** Recipients that one step finds. */
const STEP = 10_000;

/**
 * Counts the messages that a write would cause, by the code that finds the recipients of events. Its transaction must not hold its
 * locks while many recipients are counted. So only channels with few recipients are counted in it, the others after its rollback.
 */
@Injectable()
export class Forecast implements OnModuleInit {
  constructor(
    private readonly dryRuns: DryRuns,
    private readonly events: EventsService,
    private readonly audiences: AudiencesService,
    private readonly deliveries: DeliveriesService,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.dryRuns.forecast = (...args) => this.of(...args);
  }

  /** Returns a function that completes the count after the rollback of the transaction of `manager`. */
  private async of(
    organizationId: string,
    manager: EntityManager,
  ): Promise<() => Promise<DryRunNotificationsDto>> {
    const counts: Record<string, number> = {};
    const count = async (isBounded: boolean, events: NotifiedEvent[], by: EntityManager): Promise<void> => {
      const channels = this.deliveries.available.filter((one) => (one.isBounded ?? true) === isBounded);
      for (const event of events)
        for (const channel of channels)
          counts[channel.name] = (counts[channel.name] ?? 0) + (await countOf(channel, event, by));
    };
    const recorded = await this.events.findRecorded(organizationId, manager);
    await count(false, recorded, manager);
    const events = await Promise.all(recorded.map((event) => this.audiences.withScope(event, manager)));
    return async () => {
      await count(true, events, this.dataSource.manager);
      const slugs = new Set<string>();
      for (const event of events)
        for (const { slug } of await this.audiences.pagesOf(event, {}, this.dataSource.manager))
          if (slug !== undefined) slugs.add(slug);
      const { email = 0, webhook = 0 } = counts;
      return { email, webhook, pages: [...slugs].toSorted() };
    };
  }
}

async function countOf(channel: Channel, event: NotifiedEvent, manager: EntityManager): Promise<number> {
  let count = 0;
  let after: Position | null = { page_id: null, recipient_id: null };
  while (after) {
    const step = await stepOf(channel, event, after, manager);
    count += step.count;
    after = step.next;
  }
  return count;
}

async function stepOf(
  channel: Channel,
  event: NotifiedEvent,
  after: Position,
  manager: EntityManager,
): Promise<{ count: number; next: Position | null }> {
  if (channel.countRecipients) return channel.countRecipients(event, after, STEP, manager);
  const { ids, next } = await channel.recipientsOf(event, after, STEP, manager);
  return { count: ids.length, next };
}
