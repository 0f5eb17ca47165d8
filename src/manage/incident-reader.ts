import { Injectable } from '@nestjs/common';
import { EventsService } from '../events/events.service.js';
import type { IncidentUpdateDto } from '../incidents/dto/incident-update.dto.js';
import type { IncidentDto } from '../incidents/dto/incident.dto.js';
import { IncidentUpdatesService } from '../incidents/incident-updates.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import type { Actor } from '../platform/auth/actor.js';
import { type OwnMonitor, type OwnPage, plain, ProjectContents } from './project-contents.js';
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
  /** Whether the page of `view` is public and shows the incident. */
  isPublic: boolean;
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
  ) {}

  /** @throws Problem 404 `not_found` */
  async read(actor: Actor, id: string): Promise<ReadIncident> {
    const incident = await this.incident(actor, id);
    const { data } = await this.updates.list(actor, id, { limit: MAX_UPDATES });
    const pages = await this.contents.pages(actor, incident.project_id);
    const affected = new Set(incident.monitors.map(({ monitor_id }) => monitor_id));
    const shown = pages.filter(
      ({ id: pageId, monitor_ids }) =>
        incident.status_page_ids?.includes(pageId) ??
        (affected.size === 0 || monitor_ids.some((monitorId) => affected.has(monitorId))),
    );
    const slugs = shown.map(({ slug }) => slug);
    return {
      incident,
      updates: plain(data),
      monitors: await this.contents.monitors(actor, incident.project_id),
      pages,
      view: await this.views.of(actor, pages, slugs),
      isPublic: shown.some(({ is_public }) => is_public),
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
