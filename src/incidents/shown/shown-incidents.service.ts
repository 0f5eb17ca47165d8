import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ShownIncidentsRepository } from './shown-incidents.repository.js';
import type {
  DayIncident,
  OpenIncident,
  ShowingPage,
  ShownFilter,
  ShownIncident,
  ShownLimits,
} from './shown-incident.js';

/** The incidents that status pages show. */
@Injectable()
export class ShownIncidentsService {
  constructor(private readonly repository: ShownIncidentsRepository) {}

  /**
   * The incidents of a page that are open at its time, newest start first, at most 100: those that name the page, and those
   * that name no pages and have affected one of its monitors at any time.
   */
  async openOn(page: ShowingPage, manager: EntityManager): Promise<OpenIncident[]> {
    return this.repository.findOpen(page, manager);
  }

  /**
   * When an incident of a page, or one that affects its monitors, starts, changes or ends next; null: nothing of it is ahead.
   */
  async nextChange(page: ShowingPage, manager: EntityManager): Promise<Date | null> {
    return this.repository.findNextChange(page, manager);
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
