import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { AudiencePage, PageChoice, Scope } from './audiences.service.js';

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

/** SQL of the {@link Scope} of the resource $3 of the project $2. */
const SCOPES = { incident: OF_INCIDENT, maintenance: OF_MAINTENANCE, monitor: OF_MONITOR };

/** A kind of resources that pages show. */
export type ScopeName = keyof typeof SCOPES;

/** Reads which pages show something, from the tables of what they show. */
@Injectable()
export class AudiencesRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns pages of a project by ID, and which of the monitors each shows. */
  async findPages(
    { organization_id, project_id }: ProjectRef,
    monitorIds: string[],
    { ids, from, limit, is_subscribed }: PageChoice,
    manager?: EntityManager,
  ): Promise<AudiencePage[]> {
    return this.runner.read<AudiencePage>(
      PAGES,
      [
        organization_id,
        project_id,
        monitorIds,
        ids ?? null,
        from ?? null,
        limit ?? null,
        is_subscribed ?? false,
      ],
      manager,
    );
  }

  /** Returns what a resource concerns, or undefined if it is deleted. */
  async findScope(
    { organization_id, project_id, resource_id }: ProjectRef & { resource_id: string },
    name: ScopeName,
    manager?: EntityManager,
  ): Promise<Scope | undefined> {
    const values = [organization_id, project_id, resource_id];
    const [scope] = await this.runner.read<Scope>(SCOPES[name], values, manager);
    return scope;
  }
}
