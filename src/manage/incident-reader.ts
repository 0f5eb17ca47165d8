import { Injectable } from '@nestjs/common';
import { EventsService } from '../events/events.service.js';
import type { IncidentUpdateDto } from '../incidents/dto/incident-update.dto.js';
import type { IncidentDto } from '../incidents/dto/incident.dto.js';
import { IncidentUpdatesService } from '../incidents/incident-updates.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import type { Actor } from '../platform/auth/actor.js';
import type { ChangedMonitor } from './changed-monitors.js';
import { type OwnMonitor, type OwnPage, plain, ProjectContents } from './project-contents.js';
import { type ReviewedPages, type ShownOn, ShownPages } from './shown-pages.js';
import { type VisitorsView, VisitorsViews } from './visitors-view.js';

/** Updates that a screen shows. */
const MAX_UPDATES = 25;

/** An incident with all that its screens show. */
export interface ReadIncident {
  incident: IncidentDto;
  /** Newest first. */
  updates: IncidentUpdateDto[];
  monitors: OwnMonitor[];
  pages: OwnPage[];
  view: VisitorsView;
  /** Pages that show the incident. */
  shown: ShownOn;
}

/** Effects of an incident's change. */
export interface IncidentOutcome {
  shown: ReviewedPages;
  /** View of a page that shows it after the change. */
  view: VisitorsView;
  changed: ChangedMonitor[];
}

/** Reads incidents for their screens. */
@Injectable()
export class IncidentReader {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly updates: IncidentUpdatesService,
    private readonly contents: ProjectContents,
    private readonly events: EventsService,
    private readonly views: VisitorsViews,
    private readonly shownPages: ShownPages,
  ) {}

  /** @throws Problem 404 `not_found` */
  async read(actor: Actor, id: string): Promise<ReadIncident> {
    const incident = await this.incident(actor, id);
    const { data } = await this.updates.list(actor, id, { limit: MAX_UPDATES });
    const pages = await this.contents.pages(actor, incident.project_id);
    const shown = await this.shownPages.of(actor, 'incident', incident, pages);
    return {
      incident,
      updates: plain(data),
      monitors: await this.contents.monitors(actor, incident.project_id),
      pages,
      view: await this.views.of(actor, pages, shown),
      shown,
    };
  }

  /**
   * Reads what a change has done, in its dry run.
   * @param before the affected monitors before the change, and all others that it can affect
   */
  async outcome(
    actor: Actor,
    incident: Pick<IncidentDto, 'id' | 'project_id'>,
    pages: readonly OwnPage[],
    before: readonly OwnMonitor[],
  ): Promise<IncidentOutcome> {
    const after = await this.contents.statusesOf(
      actor,
      before.map(({ id }) => id),
    );
    const shown = await this.shownPages.ofReview(actor, 'incident', incident, pages);
    return {
      shown,
      view: await this.views.of(actor, pages, shown),
      changed: before.map(({ name, status }, index) => ({
        name,
        before: status,
        after: after[index] ?? 'unknown',
      })),
    };
  }

  /** @throws Problem 404 `not_found` */
  async incident(actor: Actor, id: string): Promise<IncidentDto> {
    return plain(await this.incidents.get(actor, id));
  }

  /** Returns who has changed a resource last, or undefined if it is not recorded. */
  async lastAuthor(actor: Actor, resource_id: string): Promise<string | undefined> {
    const [event] = plain((await this.events.list(actor, { resource_id, limit: 1 })).data);
    return event?.actor?.name;
  }
}
