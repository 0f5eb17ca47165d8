import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { NotifiedEvent } from '../events/events.service.js';
import type { EventType } from '../events/event-types.js';
import { StatementRunner } from '../platform/database/statement-runner.js';

/**
 * SQL of the pages $4 of the project from the ID $5 on, at most $6, and the monitors $3 of each; null: the page shows no such
 * monitor, or no monitor is affected. With $7, only the pages with active subscribers.
 */
const PAGES = `
  SELECT id, slug, nullif(ARRAY(
           SELECT monitor.id::uuid
             FROM jsonb_path_query(sections, '$[*].monitor_ids[*]') AS shown (value)
            CROSS JOIN LATERAL (SELECT value #>> '{}' AS id) AS monitor
            WHERE monitor.id::uuid = ANY($3::uuid[])
         ), '{}') AS monitor_ids
    FROM (SELECT id, slug, sections
            FROM status_pages
           WHERE organization_id = $1 AND project_id = $2 AND ($4::uuid[] IS NULL OR id = ANY($4::uuid[]))
             AND ($5::uuid IS NULL OR id >= $5)
             AND (NOT $7::boolean OR EXISTS (
                    SELECT FROM subscribers
                     WHERE subscribers.organization_id = $1 AND subscribers.status_page_id = status_pages.id
                       AND status = 'active'))
           ORDER BY id
           LIMIT $6) AS page
   ORDER BY id`;

/** Which pages are wanted. Default: all. */
interface PageChoice {
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

interface Scope {
  monitor_ids: string[];
  status_page_ids: string[] | null;
  /** Pages that showed a monitor which was deleted before the end. */
  former_page_ids?: string[];
  /** Whether it has affected monitors, even if they are deleted. */
  affects_monitors: boolean;
}

/** Finds the pages that show the resource of an event. Public pages have the same rules. */
@Injectable()
export class AudiencesService {
  constructor(private readonly runner: StatementRunner) {}

  /**
   * Returns those of some pages that show the resource of an event, sorted by ID. None if the resource is deleted. The event of a
   * deleted incident contains what it concerned.
   */
  async pagesOf(event: NotifiedEvent, choice: PageChoice, manager: EntityManager): Promise<AudiencePage[]> {
    return (await this.somePagesOf(event, choice, manager)).pages;
  }

  /** Like {@link pagesOf}. `last` is the ID of the last page that was examined, if there can be further ones. */
  async somePagesOf(
    event: NotifiedEvent,
    { ids, from = null, limit, is_subscribed = false }: PageChoice,
    manager: EntityManager,
  ): Promise<{ pages: AudiencePage[]; last: string | null }> {
    const { organization_id, project_id, resource_id, type } = event;
    const audience = AUDIENCES[type];
    if (audience === 'no_page') return { pages: [], last: null };
    if (audience === 'resource') {
      const isWanted = ids?.includes(resource_id) ?? true;
      return { pages: isWanted ? [{ id: resource_id, monitor_ids: null }] : [], last: null };
    }
    const scope =
      audience === 'data' ? scopeIn(event.data) : await this.read(audience.statement, event, manager);
    if (!scope) return { pages: [], last: null };
    const { monitor_ids, status_page_ids, former_page_ids = [], affects_monitors } = scope;
    const wanted =
      status_page_ids && ids
        ? status_page_ids.filter((id) => ids.includes(id))
        : (status_page_ids ?? ids ?? null);
    const found = await this.runner.read<AudiencePage>(
      PAGES,
      [organization_id, project_id, monitor_ids, wanted, from, limit ?? null, is_subscribed],
      manager,
    );
    const last = limit !== undefined && found.length >= limit ? (found.at(-1)?.id ?? null) : null;
    if (!affects_monitors) return { pages: found, last };
    // A page that shows it, but none of its monitors, concerns only those who want to know of everything.
    const pages = found
      .filter((page) => page.monitor_ids ?? status_page_ids ?? former_page_ids.includes(page.id))
      .map(({ monitor_ids: shown, ...page }) => ({ ...page, monitor_ids: shown ?? [] }));
    return { pages, last };
  }

  private async read(
    statement: string,
    { organization_id, project_id, resource_id }: NotifiedEvent,
    manager: EntityManager,
  ): Promise<Scope | undefined> {
    const [scope] = await this.runner.read<Scope>(
      statement,
      [organization_id, project_id, resource_id],
      manager,
    );
    return scope;
  }
}

const OF_INCIDENT = `
  SELECT status_page_ids, former_page_ids, affects_monitors,
         ARRAY(SELECT DISTINCT monitor_id FROM incident_impacts WHERE organization_id = $1 AND incident_id = $3) AS monitor_ids
    FROM incidents
   WHERE organization_id = $1 AND project_id = $2 AND id = $3`;

const OF_MAINTENANCE = `
  SELECT CASE WHEN status_page_ids IS NOT NULL THEN status_page_ids || former_page_ids END AS status_page_ids, former_page_ids,
         monitor_ids <> '{}' OR former_page_ids <> '{}' AS affects_monitors, monitor_ids
    FROM maintenances
   WHERE organization_id = $1 AND project_id = $2 AND id = $3`;

const OF_MONITOR = `
  SELECT NULL::uuid[] AS status_page_ids, true AS affects_monitors, ARRAY[id] AS monitor_ids
    FROM monitors
   WHERE organization_id = $1 AND project_id = $2 AND id = $3`;

/**
 * Pages that an event is about:
 *
 * - `statement`: SQL of the {@link Scope} of the resource $3 of the project $2
 * - `data`: `status_page_ids` and `monitor_ids` in the event's data, also after the resource is deleted
 * - `resource`: the resource is a page
 * - `no_page`: only webhook endpoints of the whole project get it
 */
type Audience = { statement: string } | 'data' | 'resource' | 'no_page';

const AUDIENCES: Record<EventType, Audience> = {
  'incident.created': { statement: OF_INCIDENT },
  'incident.updated': { statement: OF_INCIDENT },
  'incident.resolved': { statement: OF_INCIDENT },
  'incident.reopened': { statement: OF_INCIDENT },
  'incident.postmortem_published': { statement: OF_INCIDENT },
  'incident.deleted': 'data',
  'maintenance.scheduled': { statement: OF_MAINTENANCE },
  'maintenance.rescheduled': { statement: OF_MAINTENANCE },
  'maintenance.reminder': { statement: OF_MAINTENANCE },
  'maintenance.started': { statement: OF_MAINTENANCE },
  'maintenance.completed': { statement: OF_MAINTENANCE },
  'maintenance.cancelled': { statement: OF_MAINTENANCE },
  'monitor.status_changed': { statement: OF_MONITOR },
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
