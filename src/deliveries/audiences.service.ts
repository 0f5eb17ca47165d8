import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { DueEvent } from './channel.js';
import { StatementRunner } from '../platform/database/statement-runner.js';

/** SQL of the pages $4 of the project, and the monitors $3 of each; null: the page shows no such monitor, or no monitor is affected. */
const PAGES = `
  SELECT id, nullif(ARRAY(
           SELECT monitor.id::uuid
             FROM jsonb_path_query(sections, '$[*].monitor_ids[*]') AS shown (value)
            CROSS JOIN LATERAL (SELECT value #>> '{}' AS id) AS monitor
            WHERE monitor.id::uuid = ANY($3::uuid[])
         ), '{}') AS monitor_ids
    FROM status_pages
   WHERE organization_id = $1 AND project_id = $2 AND ($4::uuid[] IS NULL OR id = ANY($4::uuid[]))`;

/** A status page that shows something. `monitor_ids`: the affected monitors that it shows; null: everything on it is affected. */
export interface AudiencePage {
  id: string;
  monitor_ids: string[] | null;
}

interface Scope {
  monitor_ids: string[];
  status_page_ids: string[] | null;
  /** Whether it has affected monitors, even if they are deleted. */
  affects_monitors: boolean;
}

/** Finds the pages that show the resource of an event. Public pages have the same rules. */
@Injectable()
export class AudiencesService {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns the pages, or an empty list if the resource is deleted. The event of a deleted incident contains what it concerned. */
  async pagesOf(event: DueEvent, manager: EntityManager): Promise<AudiencePage[]> {
    const { organization_id, project_id, resource_id, type } = event;
    const kind = type.slice(0, type.indexOf('.'));
    if (kind === 'status_page') return [{ id: resource_id, monitor_ids: null }];
    const scope = type === 'incident.deleted' ? scopeIn(event.data) : await this.read(kind, event, manager);
    if (!scope) return [];
    const { monitor_ids, status_page_ids, affects_monitors } = scope;
    const pages = await this.runner.read<AudiencePage>(
      PAGES,
      [organization_id, project_id, monitor_ids, status_page_ids],
      manager,
    );
    const isForAll = status_page_ids !== null || !affects_monitors;
    return isForAll ? pages : pages.filter((page) => page.monitor_ids !== null);
  }

  private async read(
    kind: string,
    { organization_id, project_id, resource_id }: DueEvent,
    manager: EntityManager,
  ): Promise<Scope | undefined> {
    const statement = SCOPES.get(kind);
    if (statement === undefined) return undefined;
    const [scope] = await this.runner.read<Scope>(
      statement,
      [organization_id, project_id, resource_id],
      manager,
    );
    return scope;
  }
}

const OF_INCIDENT = `
  SELECT status_page_ids, affects_monitors,
         ARRAY(SELECT DISTINCT monitor_id FROM incident_impacts WHERE organization_id = $1 AND incident_id = $3) AS monitor_ids
    FROM incidents
   WHERE organization_id = $1 AND project_id = $2 AND id = $3`;

const OF_MAINTENANCE = `
  SELECT status_page_ids, monitor_ids <> '{}' AS affects_monitors, monitor_ids
    FROM maintenances
   WHERE organization_id = $1 AND project_id = $2 AND id = $3`;

const OF_MONITOR = `
  SELECT NULL::uuid[] AS status_page_ids, true AS affects_monitors, ARRAY[id] AS monitor_ids
    FROM monitors
   WHERE organization_id = $1 AND project_id = $2 AND id = $3`;

/** By the part of the event's type before the dot. */
const SCOPES: ReadonlyMap<string, string> = new Map([
  ['incident', OF_INCIDENT],
  ['maintenance', OF_MAINTENANCE],
  ['monitor', OF_MONITOR],
]);

function scopeIn({ status_page_ids, monitor_ids }: DueEvent['data']): Scope {
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
