import ical, { escape, type ICalEventData, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { PageDocument } from '../../page-model/page-document.js';
import type { LatestPart, MaintenanceData } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';

/** Interval at which calendars should reload it, in seconds. */
const REFRESH_SECONDS = 3_600;

const PRODUCT = { company: 'Status Pages', product: 'Status Pages', language: 'EN' };

/** Maximum `SEQUENCE`: an INTEGER of RFC 5545, section 3.3.8. */
const MAX_SEQUENCE = 2_147_483_647;

const SEQUENCE_STEP_MS = 100;

/**
 * Renders the maintenance windows of a page as iCalendar (RFC 5545), sorted by start. There is no `METHOD`, so `DTSTAMP` is the
 * last change of an event (section 3.8.7.2), not the time of the request. Events do not block time (`TRANSPARENT`).
 */
export function calendar({ page, maintenances }: LatestPart, view: View): PageDocument {
  const events = ical({
    name: escape(view.words.feed.calendar(page.name), false), // ical-generator escapes only the texts of events
    prodId: PRODUCT,
    ttl: REFRESH_SECONDS,
  });
  for (const maintenance of maintenances.toReversed()) events.createEvent(toEvent(maintenance, view));
  return { type: 'text/calendar; charset=utf-8', body: `${events.toString()}\r\n` };
}

function toEvent(maintenance: MaintenanceData, view: View): ICalEventData {
  const { id, title, body, monitors, created_at, updated_at, starts_at } = maintenance;
  const isCancelled = hasNoWindow(maintenance);
  const names = monitors.map(({ name }) => name);
  const affected = names.length > 0 ? view.words.feed.affected(names.join(view.words.comma)) : '';
  return {
    id, // a UUID, as RFC 7986 (section 5.3) recommends, so that it does not depend on the host
    start: starts_at,
    end: isCancelled ? maintenance.ends_at : maintenance.ended_at,
    summary: isCancelled ? view.words.feed.cancelled(title) : title,
    description: [body, latestUpdate(view, maintenance), affected].filter(Boolean).join('\n\n') || null,
    url: view.links.absolute({ kind: 'maintenance', id }),
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT,
    sequence: sequenceOf(maintenance),
    stamp: updated_at,
    created: created_at,
    lastModified: updated_at,
  };
}

/** Returns the text of the latest update, with its time. Calendars show only one, because an event can have 1,000 updates. */
function latestUpdate(view: View, { updates: [latest] }: MaintenanceData): string {
  return latest ? `${view.words.feed.updated_at(view.dates.fullTime(latest.posted_at))}\n${latest.body}` : '';
}

/**
 * Returns whether a window was cancelled, or completed before it started, so that it does not take place. Its event keeps the
 * planned times.
 */
function hasNoWindow({ status, starts_at, ended_at }: MaintenanceData): boolean {
  return status === 'cancelled' || ended_at <= starts_at;
}

/**
 * Returns the revision of an event: tenths of seconds from its creation to its last change, rounded up. It is 0 before the
 * first change, and increases with each change, except for changes within a tenth of a second. Sufficient for 6.8 years.
 */
function sequenceOf({ created_at, updated_at }: MaintenanceData): number {
  const steps = Math.ceil((updated_at.getTime() - created_at.getTime()) / SEQUENCE_STEP_MS);
  return Math.min(Math.max(steps, 0), MAX_SEQUENCE);
}
