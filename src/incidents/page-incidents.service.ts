import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectRef } from '../projects/project-ref.js';
import { IncidentImpactsRepository, type OpenIncident } from './incident-impacts.repository.js';
import {
  type DayIncident,
  PageIncidentsRepository,
  type ShowingPage,
  type ShownFilter,
  type ShownIncident,
  type ShownLimits,
} from './page-incidents.repository.js';

/** The incidents that status pages show. */
@Injectable()
export class PageIncidentsService {
  constructor(
    private readonly repository: PageIncidentsRepository,
    private readonly impacts: IncidentImpactsRepository,
  ) {}

  /**
   * The open incidents that a page shows, newest start first, at most 100: those that name the page, and those that name no
   * pages and have affected one of its monitors at any time.
   */
  async openOn(
    project: ProjectRef,
    statusPageId: string,
    monitorIds: string[],
    manager?: EntityManager,
  ): Promise<OpenIncident[]> {
    return this.impacts.openOn(project, statusPageId, monitorIds, manager);
  }

  /** Incidents that a page shows to its visitors, newest start first. */
  async shownOn(
    page: ShowingPage,
    filter: ShownFilter,
    limits: ShownLimits,
    manager: EntityManager,
  ): Promise<ShownIncident[]> {
    return this.repository.find(page, filter, limits, manager);
  }

  /** The incidents that have affected monitors of a page in a range of time, newest first, at most 2,000. */
  async ofDays(
    page: ShowingPage,
    range: { from: Date; to: Date },
    manager: EntityManager,
  ): Promise<DayIncident[]> {
    return this.repository.findOfDays(page, range, manager);
  }
}
