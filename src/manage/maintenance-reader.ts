import { Injectable } from '@nestjs/common';
import type { MaintenanceUpdateDto } from '../maintenances/dto/maintenance-update.dto.js';
import type { MaintenanceDto } from '../maintenances/dto/maintenance.dto.js';
import { MaintenanceIntervalsService } from '../maintenances/maintenance-intervals.service.js';
import { MaintenanceUpdatesService } from '../maintenances/maintenance-updates.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import type { MaintenanceData } from '../page-model/page-data.js';
import { plainName, plainText } from '../page-model/plain-text.js';
import type { Actor } from '../platform/auth/actor.js';
import { type OwnMonitor, type OwnPage, plain, ProjectContents } from './project-contents.js';
import { type VisitorsView, VisitorsViews } from './visitors-view.js';

const MAX_UPDATES = 25;

/** A maintenance window with all that its screens show. */
export interface ReadMaintenance {
  maintenance: MaintenanceDto;
  /** When the window ends, or was closed. */
  ended_at: Date;
  /** Newest first. */
  updates: MaintenanceUpdateDto[];
  monitors: OwnMonitor[];
  pages: OwnPage[];
  view: VisitorsView;
}

/** Reads maintenance windows for their screens. */
@Injectable()
export class MaintenanceReader {
  constructor(
    private readonly maintenances: MaintenancesService,
    private readonly intervals: MaintenanceIntervalsService,
    private readonly updates: MaintenanceUpdatesService,
    private readonly contents: ProjectContents,
    private readonly views: VisitorsViews,
  ) {}

  /** @throws Problem 404 `not_found` */
  async read(actor: Actor, id: string): Promise<ReadMaintenance> {
    const maintenance = plain(await this.maintenances.get(actor, id));
    const { data } = await this.updates.list(actor, id, { limit: MAX_UPDATES });
    const around = await this.around(actor, maintenance.project_id, maintenance.status_page_ids);
    const ended_at = await this.endOf(actor, id);
    return { maintenance, ended_at, updates: plain(data), ...around };
  }

  /** Returns when a window ends, or was closed. @throws Problem 404 `not_found` */
  async endOf(actor: Actor, id: string): Promise<Date> {
    return this.intervals.endOf(actor, id);
  }

  /**
   * Returns the monitors and the pages of a project, as a form of a new window needs them.
   * @param pageIds the chosen pages; none: the view is the one of the oldest page, whose time zone the first screen has
   */
  async around(
    actor: Actor,
    projectId: string,
    pageIds: readonly string[] | null,
  ): Promise<Pick<ReadMaintenance, 'monitors' | 'pages' | 'view'>> {
    const pages = await this.contents.pages(actor, projectId);
    const shown = pages.filter(({ id }) => pageIds?.includes(id)).map(({ slug }) => slug);
    return {
      monitors: await this.contents.monitors(actor, projectId),
      pages,
      view: await this.views.of(actor, pages, shown),
    };
  }
}

/** Returns a window as the public page shows it. */
export function toMaintenanceData(
  { maintenance, ended_at }: Pick<ReadMaintenance, 'maintenance' | 'ended_at'>,
  updates: readonly MaintenanceUpdateDto[],
  monitors: readonly OwnMonitor[],
): MaintenanceData {
  const { title, body, monitor_ids } = maintenance;
  return {
    ...maintenance,
    title: plainName(title),
    body: plainText(body),
    ended_at,
    updates: updates.map((update) => ({ ...update, body: plainText(update.body) })),
    monitors: monitors
      .filter(({ id }) => monitor_ids.includes(id))
      .map(({ id, name }) => ({ monitor_id: id, name: plainName(name) })),
  };
}
