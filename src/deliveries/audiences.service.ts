import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NotifiedEvent } from '../events/events.service.js';
import type { EventType } from '../events/event-types.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { AudiencesRepository, type ScopeName } from './audiences.repository.js';

/** Which pages are wanted. Default: all. */
export interface PageChoice {
  ids?: string[];
  /** ID from which they begin. */
  from?: string | null;
  limit?: number;
  /** Only those with active subscribers. */
  is_subscribed?: boolean;
}

/** A status page that shows something. `monitor_ids`: the affected monitors that it shows; null: everything on it is affected. */
export interface AudiencePage {
  id: string;
  /** Missing if the event is about the page itself, which is not read. */
  slug?: string;
  monitor_ids: string[] | null;
}

/** Monitors and pages that the resource of an event concerns. */
export interface Scope {
  monitor_ids: string[];
  status_page_ids: string[] | null;
  /** Pages that showed a monitor which was deleted before the end. */
  former_page_ids?: string[];
  /** Whether it has affected monitors, even if they are deleted. */
  affects_monitors: boolean;
}

/** An event with what its resource concerned when it was read, if that is no longer in the database; null: the resource was deleted. */
export type ScopedEvent = NotifiedEvent & { scope?: Scope | null };

/** Finds the pages that show the resource of an event. Public pages have the same rules. */
@Injectable()
export class AudiencesService {
  constructor(private readonly repository: AudiencesRepository) {}

  /**
   * Returns those of some pages that show the resource of an event, sorted by ID. None if the resource is deleted. The event of a
   * deleted incident contains what it concerned.
   */
  async pagesOf(event: ScopedEvent, choice: PageChoice, manager: EntityManager): Promise<AudiencePage[]> {
    return (await this.somePagesOf(event, choice, manager)).pages;
  }

  /** Like {@link pagesOf}. `last` is the ID of the last page that was examined, if there can be further ones. */
  async somePagesOf(
    event: ScopedEvent,
    { ids, limit, ...choice }: PageChoice,
    manager: EntityManager,
  ): Promise<{ pages: AudiencePage[]; last: string | null }> {
    const { resource_id, type } = event;
    const audience = AUDIENCES[type];
    if (audience === 'no_page') return { pages: [], last: null };
    if (audience === 'resource') {
      const isWanted = ids?.includes(resource_id) ?? true;
      return { pages: isWanted ? [{ id: resource_id, monitor_ids: null }] : [], last: null };
    }
    const { scope = await this.scopeOf(event, audience, manager) } = event;
    return this.pagesIn(event, scope, { limit, ids, ...choice }, manager);
  }

  /**
   * Returns the pages that show a resource now, sorted by ID.
   * @param manager default: the joined transaction of the caller, if it has begun one
   */
  async pagesShowing(
    resource: ProjectRef & { resource_id: string },
    name: ScopeName,
    choice: PageChoice = {},
    manager?: EntityManager,
  ): Promise<AudiencePage[]> {
    const scope = await this.repository.findScope(resource, name, manager);
    return (await this.pagesIn(resource, scope, choice, manager)).pages;
  }

  private async pagesIn(
    project: ProjectRef,
    scope: Scope | null | undefined,
    { ids, limit, ...choice }: PageChoice,
    manager: EntityManager | undefined,
  ): Promise<{ pages: AudiencePage[]; last: string | null }> {
    if (!scope) return { pages: [], last: null };
    const { monitor_ids, status_page_ids, former_page_ids = [], affects_monitors } = scope;
    const wanted =
      status_page_ids && ids ? status_page_ids.filter((id) => ids.includes(id)) : (status_page_ids ?? ids);
    const wantedPages = { ...choice, ids: wanted, limit };
    const found = await this.repository.findPages(project, monitor_ids, wantedPages, manager);
    const last = limit !== undefined && found.length >= limit ? (found.at(-1)?.id ?? null) : null;
    if (!affects_monitors) return { pages: found, last };
    // A page that shows it, but none of its monitors, concerns only those who want to know of everything.
    const pages = found
      .filter((page) => page.monitor_ids ?? status_page_ids ?? former_page_ids.includes(page.id))
      .map(({ monitor_ids: shown, ...page }) => ({ ...page, monitor_ids: shown ?? [] }));
    return { pages, last };
  }

  /** Returns an event whose pages can be found without its resource, such as after the rollback of its transaction. */
  async withScope(event: NotifiedEvent, manager: EntityManager): Promise<ScopedEvent> {
    const audience = AUDIENCES[event.type];
    if (audience === 'no_page' || audience === 'resource') return event;
    return { ...event, scope: await this.scopeOf(event, audience, manager) };
  }

  private async scopeOf(
    event: NotifiedEvent,
    audience: ScopeName | 'data',
    manager: EntityManager,
  ): Promise<Scope | null> {
    if (audience === 'data') return scopeIn(event.data);
    return (await this.repository.findScope(event, audience, manager)) ?? null;
  }
}

/**
 * Pages that an event is about:
 *
 * - a {@link ScopeName}: those that show the resource, by its table
 * - `data`: `status_page_ids` and `monitor_ids` in the event's data, also after the resource is deleted
 * - `resource`: the resource is a page
 * - `no_page`: only webhook endpoints of the whole project get it
 */
type Audience = ScopeName | 'data' | 'resource' | 'no_page';

const AUDIENCES: Record<EventType, Audience> = {
  'incident.created': 'incident',
  'incident.updated': 'incident',
  'incident.resolved': 'incident',
  'incident.reopened': 'incident',
  'incident.postmortem_published': 'incident',
  'incident.deleted': 'data',
  'incident_draft.created': 'no_page',
  'maintenance.scheduled': 'maintenance',
  'maintenance.rescheduled': 'maintenance',
  'maintenance.reminder': 'maintenance',
  'maintenance.started': 'maintenance',
  'maintenance.completed': 'maintenance',
  'maintenance.cancelled': 'maintenance',
  'monitor.status_changed': 'monitor',
  'status_page.created': 'resource',
  'status_page.updated': 'resource',
  'status_page.deleted': 'resource',
  'status_page.restored': 'resource',
  'webhook_endpoint.disabled': 'no_page',
};

function scopeIn({ status_page_ids, monitor_ids }: NotifiedEvent['data']): Scope {
  const monitors = idsIn(monitor_ids);
  return {
    status_page_ids: idsIn(status_page_ids),
    monitor_ids: monitors ?? [],
    affects_monitors: monitors !== null,
  };
}

function idsIn(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : null;
}
