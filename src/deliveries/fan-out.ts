import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { EventsService, type LockedEvent, type Place } from '../events/events.service.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { isUnavailable } from '../platform/problems/problem.filter.js';
import type { Channel } from './channel.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';

/** Number of recipients whose deliveries one step creates. */
const STEP = 250;

/** An event with more deliveries that have not begun waits, so that other events are delivered at the same time. */
const MAX_NEW = 250;

/** Steps before the worker does something else. */
const STEPS_PER_RUN = 8;

/** Time for which an event is passed over: while another process has it or its deliveries have not begun, and after an error. */
const BUSY_MS = 100;
const FAILED_MS = 60_000;

/**
 * Creates the deliveries of due events in steps. Each step is a transaction that also stores the place in the event, so a killed
 * process loses nothing. Events take turns.
 */
@Injectable()
export class FanOut {
  /** Events to pass over, and until when (`performance.now()`). */
  private readonly passedOver = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventsService,
    private readonly deliveries: DeliveriesService,
    private readonly repository: DeliveriesRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs some steps. Returns whether more can be done now. Leaves events to other processes that wait for one of their channels. */
  async run(signal: AbortSignal): Promise<boolean> {
    const elsewhere = this.deliveries.channels.filter(({ isAvailable = true }) => !isAvailable);
    const names = elsewhere.map(({ name }) => name);
    const now = performance.now();
    for (const [id, until] of this.passedOver) if (until <= now) this.passedOver.delete(id);
    for (let steps = 0; steps < STEPS_PER_RUN;) {
      const id = signal.aborted ? undefined : await this.events.findDue([...this.passedOver.keys()], names);
      if (id === undefined) return false;
      if (await this.tryStep(id)) steps += 1;
    }
    return true;
  }

  /** Drops the events that are due for more than a day. */
  async dropStale(): Promise<boolean> {
    const { dropped, isMore } = await this.events.dropStale();
    if (dropped > 0) this.logger.warn({ dropped }, 'dropped events that were due more than a day ago');
    return isMore;
  }

  /** @throws Error if the database is unavailable */
  private async tryStep(id: string): Promise<boolean> {
    try {
      const isDone = await this.dataSource.transaction((manager) => this.step(id, manager));
      if (!isDone) this.passedOver.set(id, performance.now() + BUSY_MS);
      return isDone;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.logger.warn({ event_id: id, err: error }, 'could not create the deliveries of an event; retrying');
      this.passedOver.set(id, performance.now() + FAILED_MS);
      return false;
    }
  }

  /** Returns false if the event has to wait. */
  private async step(id: string, manager: EntityManager): Promise<boolean> {
    const event = await this.events.lockDue(id, manager);
    if (!event) return false;
    if ((await this.repository.countNew(event, MAX_NEW + 1, manager)) > MAX_NEW) return false;
    await this.events.advance(event, await this.createSome(event, manager), manager);
    return true;
  }

  /** Creates deliveries of one channel. Returns the new place, or null if the event has all its deliveries. */
  private async createSome(event: LockedEvent, manager: EntityManager): Promise<Place | null> {
    const channels = this.deliveries.channels.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const current = channels.find(({ name }) => name === event.channel);
    const rest = channels.filter((channel) => !current || orderOf(channel) >= orderOf(current));
    for (const channel of rest) {
      const { name } = channel;
      if (channel.waits && event.email_waits) return { channel: name, position: null, waits: true };
      const after = event.channel === name ? event.position : null;
      const recipients = await channel.recipientsOf(event, after, STEP, manager);
      if (channel.isAvailable === false) {
        if (recipients.length > 0) return { channel: name, position: after, waits: false };
        continue;
      }
      const { organization_id, project_id, id: event_id } = event;
      const shared = { organization_id, project_id, event_id, channel: name, kind: 'event' };
      await this.repository.insert(
        recipients.map((recipient_id) => ({ ...shared, recipient_id })),
        manager,
      );
      const position = recipients.at(-1);
      if (position !== undefined && recipients.length >= STEP)
        return { channel: name, position, waits: false };
    }
    return null;
  }
}

/** Channels that wait are last. */
function orderOf({ name, waits = false }: Channel): string {
  return `${waits ? 1 : 0} ${name}`;
}
