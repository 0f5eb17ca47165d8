import { datesOf } from '../page-model/dates.js';
import { type EventText, maintenanceText } from '../page-model/event-text.js';
import type { MaintenanceSubject } from '../page-model/mail-content.js';
import type { MaintenanceData } from '../page-model/page-data.js';
import { type Action, MaintenancePicture } from './maintenance-page.js';
import type { MaintenanceOutcome, ReadMaintenance } from './maintenance-reader.js';
import type { Reply } from './reply.js';
import { renderReview, type Review } from './review-page.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { maintenance: words } = WORDS;

const EXTENSION_MS = 30 * 60_000;

/** A longer window may have a wrong end. */
const LONG_MS = 12 * 3_600_000;

/** Type of the mail about a window that gets this status. */
export const TYPE_OF = {
  scheduled: 'maintenance.rescheduled',
  in_progress: 'maintenance.started',
  completed: 'maintenance.completed',
  cancelled: 'maintenance.cancelled',
} as const;

/** Returns the change of an action, in the form of the API. */
export function patchOf(action: Action, { maintenance: { ends_at } }: ReadMaintenance): object {
  switch (action) {
    case 'start':
      return { starts_at: new Date().toISOString(), notify: true };
    case 'extend':
      return { ends_at: new Date(ends_at.getTime() + EXTENSION_MS).toISOString(), notify: true };
    case 'end':
      return { status: 'completed', notify: true };
    case 'cancel':
      return { status: 'cancelled', notify: true };
  }
}

interface Reviewed extends Pick<
  Review,
  'action' | 'reach' | 'key' | 'button' | 'canChange' | 'isDangerous' | 'isOnAll' | 'isPast'
> {
  /** Read in the dry run. */
  outcome: MaintenanceOutcome | undefined;
  data: MaintenanceData;
  /** Type of the mail; omitted: none. */
  type?: MaintenanceSubject['type'];
  /** Whether it shows how long the window lasts, and warns of unusual times. */
  warns?: boolean;
}

/** Renders what visitors will see of a window, and its mail. */
export function renderMaintenanceReview(visit: Visit, reviewed: Reviewed): Reply {
  const { data, type, outcome, warns = false, ...page } = reviewed;
  if (!outcome) throw new Error('the dry run has not read its outcome');
  const { view, shown } = outcome;
  const { time_zone, language } = { time_zone: view.dates.timeZone, language: view.language };
  const mail: EventText | undefined =
    type && maintenanceText({ language, time_zone }, { type, maintenance: data });
  return renderReview(visit, {
    ...page,
    shown,
    view,
    mail,
    warnings: warns ? warningsOf(data) : [],
    facts: warns ? words.lasts(durationOf(data)) : undefined,
    picture: <MaintenancePicture data={data} view={view} />,
  });
}

/** Returns what is unusual about the times of a window. */
function warningsOf(data: MaintenanceData): string[] {
  const { starts_at, ends_at } = data;
  const now = new Date();
  return [
    ...(ends_at <= now ? [words.is_past] : starts_at <= now ? [words.starts_immediately] : []),
    ...(ends_at.getTime() - starts_at.getTime() > LONG_MS ? [words.is_long(durationOf(data))] : []),
  ];
}

function durationOf({ starts_at, ends_at }: MaintenanceData): string {
  const seconds = (ends_at.getTime() - starts_at.getTime()) / 1_000;
  return datesOf('en', 'UTC', starts_at).duration(seconds);
}
