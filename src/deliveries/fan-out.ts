import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { EventQueue, type LockedEvent, type Place } from '../events/event-queue.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { Channel } from './channel.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveriesService } from './deliveries.service.js';
import { isOutage } from './is-outage.js';

/** Number of recipients whose deliveries one step creates. */
const STEP = 250;

/** A project with more deliveries of a bounded channel that have not begun gets no further ones, so that its events take turns. */
const MAX_WAITING = 500;

/** Organizations whose deliveries are created at a time, so that a slow statement does not hold up the others. */
const LANES = 3;

/** Time for which an organization has its turn. Its projects take turns in it. */
const TURN_MS = 50;

/**
 * Creates the deliveries of due events. Organizations take turns, and so do the projects of each. A step is a transaction that also
 * stores the place in the event, so a killed process loses nothing. An event that fails is due again after a growing pause; only
 * an unavailable database interrupts the others.
 */
@Injectable()
export class FanOut {
  /** Turns in progress, by organization. */
  private readonly turns = new Map<string, Promise<void>>();
  /** The organization that has had its turn last, and the last project of each organization. */
  private lastOrganization = '';
  private lastProjects = new Map<string, string>();
  /** Error of a turn because of which the others are interrupted. */
  private outage: unknown;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: EventQueue,
    private readonly deliveries: DeliveriesService,
    private readonly repository: DeliveriesRepository,
    private readonly pending: DeliveryQueue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Gives each organization with due events a turn. Does not wait for the last turns.
   * @param onStep called after each step that created deliveries
   * @throws Error if the database is unavailable
   */
  async run(signal: AbortSignal, onStep: () => void): Promise<void> {
    await this.queue.admitPlanned();
    const due = new Map<string, ProjectRef[]>();
    for (const project of await this.queue.projectsWithDue())
      due.set(project.organization_id, [...(due.get(project.organization_id) ?? []), project]);
    this.lastProjects = new Map([...this.lastProjects].filter(([organization]) => due.has(organization)));
    for (const organization of rotate([...due.keys()], this.lastOrganization)) {
      if (this.turns.has(organization)) continue;
      while (this.turns.size >= LANES) await Promise.race(this.turns.values());
      if (signal.aborted || this.outage !== undefined) break;
      this.lastOrganization = organization;
      this.turns.set(organization, this.turnOf(organization, due.get(organization) ?? [], signal, onStep));
    }
    const { outage } = this;
    this.outage = undefined;
    if (outage !== undefined) throw outage;
  }

  /** Resolves when no turn is in progress. */
  async end(): Promise<void> {
    await Promise.all(this.turns.values());
  }

  /** Takes steps for the projects of an organization, in turn. Never rejects. */
  private async turnOf(
    organization: string,
    projects: ProjectRef[],
    signal: AbortSignal,
    onStep: () => void,
  ): Promise<void> {
    const ends = performance.now() + TURN_MS;
    const isOver = () => signal.aborted || performance.now() >= ends;
    const waiting = rotate(
      projects,
      this.lastProjects.get(organization) ?? '',
      ({ project_id }) => project_id,
    );
    while (waiting.length > 0) {
      const [project] = waiting.splice(0, 1);
      if (!project) break;
      this.lastProjects.set(organization, project.project_id);
      if (await this.tryStep(project)) {
        waiting.push(project);
        onStep();
      }
      if (isOver()) break;
    }
    this.turns.delete(organization);
  }

  /** Returns whether the project has had something to do. */
  private async tryStep(project: ProjectRef): Promise<boolean> {
    let event: LockedEvent | undefined;
    try {
      return await this.dataSource.transaction(async (manager) => {
        const full = await this.fullChannels(project, manager);
        event = await this.lockDue(project, full, manager);
        if (!event) return false;
        if (event.is_stale) await this.dropStale(project, manager);
        else await this.queue.advance(event, await this.createSome(event, full, manager), manager);
        return true;
      });
    } catch (error) {
      if (isOutage(error)) this.outage = error;
      else await this.setAside(event, error);
      return false;
    }
  }

  private async setAside(event: LockedEvent | undefined, err: unknown): Promise<void> {
    this.logger.warn({ event_id: event?.id, err }, 'could not create the deliveries of an event; retrying');
    try {
      if (event) await this.queue.postpone(event);
    } catch (error) {
      this.outage = error;
    }
  }

  private async fullChannels(project: ProjectRef, manager: EntityManager): Promise<string[]> {
    const bounded = this.deliveries.available.filter(({ isBounded = true }) => isBounded);
    const names = bounded.map(({ name }) => name);
    return this.pending.fullChannels(project, names, MAX_WAITING, manager);
  }

  /** Passes over events whose next deliveries other processes have to create, or that have to wait. */
  private async lockDue(
    project: ProjectRef,
    full: string[],
    manager: EntityManager,
  ): Promise<LockedEvent | undefined> {
    const elsewhere = this.deliveries.channels.filter(({ isAvailable = true }) => !isAvailable);
    return this.queue.lockDue(project, [...full, ...elsewhere.map(({ name }) => name)], manager);
  }

  private async dropStale(project: ProjectRef, manager: EntityManager): Promise<void> {
    const dropped = await this.queue.dropStale(project, manager);
    this.logger.warn({ ...project, dropped }, 'dropped events that happened more than a day ago');
  }

  /** Creates deliveries of one channel. Returns the new place, or null if the event has all its deliveries. */
  private async createSome(
    event: LockedEvent,
    full: string[],
    manager: EntityManager,
  ): Promise<Place | null> {
    const channels = this.deliveries.channels.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    const current = channels.find(({ name }) => name === event.channel);
    const rest = channels.filter((channel) => !current || orderOf(channel) >= orderOf(current));
    for (const channel of rest) {
      const { name } = channel;
      if (channel.waits && event.email_waits) return { channel: name, ...START, waits: true };
      if (full.includes(name)) return { channel: name, ...START, waits: false };
      const after =
        event.channel === name ? { page_id: event.page_id, recipient_id: event.recipient_id } : START;
      const { ids, next } = await channel.recipientsOf(event, after, STEP, manager);
      if (channel.isAvailable === false) {
        if (ids.length > 0 || next) return { channel: name, ...after, waits: false };
        continue;
      }
      const { organization_id, project_id, id: event_id } = event;
      const shared = { organization_id, project_id, event_id, channel: name, kind: 'event' };
      await this.repository.insert(
        ids.map((recipient_id) => ({ ...shared, recipient_id })),
        manager,
      );
      if (next) return { channel: name, ...next, waits: false };
    }
    return null;
  }
}

const START = { page_id: null, recipient_id: null };

/** Channels that wait are last. */
function orderOf({ name, waits = false }: Channel): string {
  return `${waits ? 1 : 0} ${name}`;
}

/** Returns sorted values, beginning with the first one after `last`. */
function rotate<T>(sorted: T[], last: string, keyOf: (one: T) => string = String): T[] {
  const at = sorted.findIndex((one) => keyOf(one) > last);
  return at < 0 ? sorted : [...sorted.slice(at), ...sorted.slice(0, at)];
}
