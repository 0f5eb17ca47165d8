import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import type { MonitorDto } from '../monitors/dto/monitor.dto.js';
import type { MonitorStatus } from '../monitors/monitor-status.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { notFound } from '../platform/problems/problem.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { StatusPageDto } from '../status-pages/dto/status-page.dto.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { StatusesService } from '../summaries/statuses/statuses.service.js';

/** Number of monitors that one statement reads. */
const BATCH = 1_000;
/** Maximum number of projects and pages that a screen shows. */
export const MAX_SHOWN = 25;

const BY_NAME = new Intl.Collator('en', { numeric: true });

/** A project of the member. */
export interface OwnProject {
  id: string;
  name: string;
}

/** A monitor with its current status. */
export interface OwnMonitor {
  id: string;
  name: string;
  description: string;
  status: MonitorStatus;
}

/** A status page of a project. */
export interface OwnPage {
  id: string;
  name: string;
  slug: string;
  is_public: boolean;
  /** Monitors of its sections. */
  monitor_ids: string[];
}

/** Reads what the screens show of a member's projects, by the services of the API. */
@Injectable()
export class ProjectContents {
  constructor(
    private readonly projectsService: ProjectsService,
    private readonly monitorsService: MonitorsService,
    private readonly statuses: StatusesService,
    private readonly pagesService: StatusPagesService,
  ) {}

  /** Returns the projects that the member sees, newest first. */
  async projects(actor: Actor, limit = MAX_SHOWN): Promise<{ projects: OwnProject[]; hasMore: boolean }> {
    const { data, pagination } = await this.projectsService.list(actor, { limit });
    return { projects: plain(data), hasMore: pagination.has_more };
  }

  /** @throws Problem 404 `not_found` */
  async project(actor: Actor, id: string): Promise<OwnProject> {
    if (!UUID_PATTERN.test(id)) throw notFound('project');
    return plain(await this.projectsService.get(actor, id));
  }

  /** Returns all monitors of a project with their statuses, by name. @throws Problem 404 `not_found` */
  async monitors(actor: Actor, projectId: string): Promise<OwnMonitor[]> {
    const found: Pick<MonitorDto, 'id' | 'name' | 'description'>[] = [];
    let after: Parameters<MonitorsService['findNewest']>[2]['after'] = null;
    do {
      const { json, next } = await this.monitorsService.findNewest(actor, projectId, { limit: BATCH, after });
      found.push(...plain(json));
      after = next;
    } while (after);
    const named = found.map(({ id, name, description }) => ({ id, name, description }));
    return this.withStatus(actor, named);
  }

  /** Returns all monitors of projects with their statuses, by name. Leaves out projects that the actor cannot access. */
  async monitorsOf(
    actor: Actor,
    projectIds: string[],
  ): Promise<(Pick<OwnMonitor, 'id' | 'name' | 'status'> & { project_id: string })[]> {
    return this.withStatus(actor, await this.monitorsService.ofProjects(actor, projectIds));
  }

  /** Returns the number of monitors of each project that has some. */
  async countMonitors(actor: Actor, projectIds: string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const { project_id } of await this.monitorsService.ofProjects(actor, projectIds))
      counts.set(project_id, (counts.get(project_id) ?? 0) + 1);
    return counts;
  }

  /** Returns the current status of a monitor. */
  async statusOf({ organization_id }: Actor, monitorId: string): Promise<MonitorStatus> {
    const [found] = await this.statuses.statusesOf(organization_id, [monitorId], new Date());
    return found?.status ?? 'unknown';
  }

  /** Adds the current statuses of monitors, and sorts by name. */
  private async withStatus<Found extends { id: string; name: string }>(
    { organization_id }: Actor,
    found: readonly Found[],
  ): Promise<(Found & Pick<OwnMonitor, 'status'>)[]> {
    const ids = found.map(({ id }) => id);
    const statuses = ids.length > 0 ? await this.statuses.statusesOf(organization_id, ids, new Date()) : [];
    return found
      .map((monitor, index) => ({ ...monitor, status: statuses[index]?.status ?? ('unknown' as const) }))
      .toSorted((one, other) => BY_NAME.compare(one.name, other.name));
  }

  /** @throws Problem 404 `not_found` */
  async page(actor: Actor, id: string): Promise<OwnPage> {
    if (!UUID_PATTERN.test(id)) throw notFound('status page');
    return toOwn(plain(await this.pagesService.get(actor, id)));
  }

  /** Returns the newest pages of a project. @throws Problem 404 `not_found` */
  async pages(actor: Actor, projectId: string): Promise<OwnPage[]> {
    const { data } = await this.pagesService.list(actor, { project_id: projectId, limit: 100 });
    return plain(data).map(toOwn);
  }
}

const toOwn = ({ id, name, slug, is_public, sections }: StatusPageDto): OwnPage => ({
  id,
  name,
  slug,
  is_public,
  monitor_ids: sections.flatMap(({ monitor_ids }) => monitor_ids),
});

/** Returns a resource or a list that PostgreSQL has written as JSON. Its times are dates. */
export function plain<Value>({ text }: RawJson<Value>): Value {
  return JSON.parse(String(text), (name, value) =>
    name.endsWith('_at') && typeof value === 'string' ? new Date(value) : value,
  );
}
