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
import { type ReviewedPages, type ShownOn, ShownPages } from './shown-pages.js';
import { type VisitorsView, VisitorsViews } from './visitors-view.js';

const MAX_UPDATES = 25;
const NAME = 'maintenance';

/** A maintenance window with all that its screens show. */
export interface ReadMaintenance {
  maintenance: MaintenanceDto;
  /** When the window ends, or was closed. */
  ended_at: Date;
  /** Newest first. */
  updates: MaintenanceUpdateDto[];
  monitors: OwnMonitor[];
  pages: OwnPage[];
  /** Of a page that shows it; if no page does, of the oldest page. */
  view: VisitorsView;
  /** Pages that show the window. */
  shown: ShownOn;
}

/** Effects of a window's change. */
export interface MaintenanceOutcome extends Pick<ReadMaintenance, 'ended_at' | 'view'> {
  shown: ReviewedPages;
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
    private readonly shownPages: ShownPages,
  ) {}

  /** @throws Problem 404 `not_found` */
  async read(actor: Actor, id: string): Promise<ReadMaintenance> {
    const maintenance = plain(await this.maintenances.get(actor, id));
    const { data } = await this.updates.list(actor, id, { limit: MAX_UPDATES });
    const pages = await this.contents.pages(actor, maintenance.project_id);
    const shown = await this.shownPages.of(actor, NAME, maintenance, pages);
    return {
      maintenance,
      ended_at: await this.intervals.endOf(actor, id),
      updates: plain(data),
      monitors: await this.contents.monitors(actor, maintenance.project_id),
      pages,
      view: await this.views.of(actor, pages, shown),
      shown,
    };
  }

  /** Reads what a change has done to a window, in its dry run. @throws Problem 404 `not_found` */
  async outcome(
    actor: Actor,
    maintenance: Pick<MaintenanceDto, 'id' | 'project_id'>,
    pages: readonly OwnPage[],
  ): Promise<MaintenanceOutcome> {
    const shown = await this.shownPages.ofReview(actor, NAME, maintenance, pages);
    const ended_at = await this.intervals.endOf(actor, maintenance.id);
    return { ended_at, shown, view: await this.views.of(actor, pages, shown) };
  }

  /**
   * Returns the monitors and the pages of a project, as a form of a new window needs them.
   * @param pageIds the chosen pages; none: the view is the one of the oldest page, whose time zone the first screen has
   */
  async around(
    actor: Actor,
    projectId: string,
    pageIds: readonly string[],
  ): Promise<Pick<ReadMaintenance, 'monitors' | 'pages' | 'view'>> {
    const pages = await this.contents.pages(actor, projectId);
    const named = pages
      .filter(({ id }) => pageIds.includes(id))
      .toReversed()
      .toSorted((one, other) => Number(other.is_public) - Number(one.is_public));
    return {
      monitors: await this.contents.monitors(actor, projectId),
      pages,
      view: await this.views.of(actor, pages, { named }),
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
