import { Injectable } from '@nestjs/common';
import type { Event } from '../events/event.entity.js';
import type { MailedType } from '../events/event-types.js';
import { type EventText, incidentText, maintenanceText } from '../page-model/event-text.js';
import {
  type IncidentSubject,
  type MailPage,
  type MaintenanceSubject,
  toMailPage,
} from '../page-model/mail-content.js';
import { isStillTrue } from '../page-model/maintenance-truth.js';
import type { IncidentData, UpdateData } from '../page-model/page-data.js';
import { PageReader } from '../page-model/page-reader.service.js';
import type { PageSnapshot } from '../page-model/page-snapshot.js';
import { timeOf } from '../platform/database/first-id.js';

/**
 * Time by which the start of an incident and its updates can be in the future, in milliseconds: five minutes, and the difference
 * of clocks. Mail does not wait for it.
 */
const AHEAD_MS = 600_000;

/** Texts of mail about an event. */
export interface MailSubject extends EventText {
  /** Subject line without the name of the page. Gmail begins another thread if it changes. */
  subject: string;
}

/** An event, as far as mail depends on it. */
export type MailEvent = Pick<Event, 'id' | 'resource_id' | 'update_id' | 'created_at'>;

/** Reads the texts of mail from a snapshot; undefined: there is nothing to say any more. */
type SubjectReader = (event: MailEvent, snapshot: PageSnapshot) => Promise<MailSubject | undefined>;

/** Reads the texts of mail about each type of event. */
@Injectable()
export class MailSubjects {
  readonly readers: Record<MailedType, SubjectReader> = {
    'incident.created': this.ofIncident('incident.created'),
    'incident.updated': this.ofIncident('incident.updated'),
    'incident.resolved': this.ofIncident('incident.resolved'),
    'incident.reopened': this.ofIncident('incident.reopened'),
    'incident.postmortem_published': this.ofIncident('incident.postmortem_published'),
    'maintenance.scheduled': this.ofMaintenance('maintenance.scheduled'),
    'maintenance.rescheduled': this.ofMaintenance('maintenance.rescheduled'),
    'maintenance.reminder': this.ofMaintenance('maintenance.reminder'),
    'maintenance.started': this.ofMaintenance('maintenance.started'),
    'maintenance.completed': this.ofMaintenance('maintenance.completed'),
    'maintenance.cancelled': this.ofMaintenance('maintenance.cancelled'),
  };

  constructor(private readonly pages: PageReader) {}

  private ofIncident(type: MailedType<'incident'>): SubjectReader {
    return async ({ id, resource_id, update_id }, snapshot) => {
      // The clock of the process that wrote the event can be far ahead. `created_at` comes from the database, the ID from it.
      const latest = Math.max(snapshot.now.getTime(), timeOf(id));
      const ahead = new Date(latest + AHEAD_MS);
      const part = await this.pages.incident({ ...snapshot, now: ahead }, resource_id);
      const update = part && updateOf(type, update_id, part.incident);
      return part && update && incidentSubject(toMailPage(part.page), { ...part, type, update });
    };
  }

  private ofMaintenance(type: MailedType<'maintenance'>): SubjectReader {
    return async ({ resource_id, created_at }, snapshot) => {
      const part = await this.pages.maintenance(snapshot, resource_id);
      if (!part || !isStillTrue(type, part.maintenance, created_at)) return undefined;
      return maintenanceSubject(toMailPage(part.page), { ...part, type });
    };
  }
}

/** Returns the texts of mail about an incident. All of its mail has the same subject line; the text begins with the status. */
export function incidentSubject(page: MailPage, about: IncidentSubject): MailSubject {
  return { ...incidentText(page, about), subject: about.incident.title };
}

/** Returns the texts of mail about a maintenance window. */
export function maintenanceSubject(page: MailPage, about: MaintenanceSubject): MailSubject {
  const text = maintenanceText(page, about);
  return { ...text, subject: text.title };
}

/**
 * Returns the update that mail about an incident contains, or undefined if it is deleted. Mail that an incident has begun then
 * contains the first update that is left.
 */
function updateOf(
  type: MailedType<'incident'>,
  id: string | null,
  { updates, postmortem }: Pick<IncidentData, 'updates' | 'postmortem'>,
): UpdateData | undefined {
  if (type === 'incident.postmortem_published') return postmortem ? updates[0] : undefined;
  const update = updates.find((one) => one.id === id);
  return update ?? (type === 'incident.created' ? updates.at(-1) : undefined);
}
