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

/** Returns the incidents that public pages show. */
@Injectable()
export class ShownIncidentsService {
  constructor(private readonly repository: ShownIncidentsRepository) {}

  /**
   * Returns the open incidents of a page, newest start first, at most 100: incidents that reference the page, and incidents
   * that reference no pages and have affected one of its monitors, or no monitor at all.
   */
  async openOn(page: ShowingPage, manager: EntityManager): Promise<OpenIncident[]> {
    return this.repository.findOpen(page, manager);
  }

  /** Returns when an incident of a page or of its monitors starts, changes or ends next; null if no change is scheduled. */
  async nextChange(page: ShowingPage, manager: EntityManager): Promise<Date | null> {
    return this.repository.findNextChange(page, manager);
  }

  /** Returns incidents that a page shows, newest start first. */
  async shownOn(
    page: ShowingPage,
    filter: ShownFilter,
    limits: ShownLimits,
    manager: EntityManager,
  ): Promise<ShownIncident[]> {
    return this.repository.find(page, filter, limits, manager);
  }

  /** Returns the incidents that affected monitors of a page in a time range, newest first, at most 2,000. */
  async ofDays(
    page: ShowingPage,
    range: { from: Date; to: Date },
    manager: EntityManager,
  ): Promise<DayIncident[]> {
    return this.repository.findOfDays(page, range, manager);
  }
}
