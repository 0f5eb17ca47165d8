import { type EventText, maintenanceText } from '../page-model/event-text.js';
import type { MaintenanceSubject } from '../page-model/mail-content.js';
import type { MaintenanceData } from '../page-model/page-data.js';
import { type Action, MaintenancePicture } from './maintenance-page.js';
import type { ReadMaintenance } from './maintenance-reader.js';
import type { DryRunNotificationsDto } from '../platform/dry-run/dry-run.dto.js';
import type { Reply } from './reply.js';
import { renderReview } from './review-page.js';
import type { Visit } from './visit.js';
import type { VisitorsView } from './visitors-view.js';

const EXTENSION_MS = 30 * 60_000;

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

interface Reviewed {
  action: string;
  reach: DryRunNotificationsDto;
  key: string;
  view: VisitorsView;
  data: MaintenanceData;
  type?: MaintenanceSubject['type'];
  button?: string;
  canChange?: boolean;
}

/** Renders what visitors will see of a window, and its mail. @param type of the mail; omitted: none */
export function renderMaintenanceReview(visit: Visit, { data, type, view, ...page }: Reviewed): Reply {
  const { time_zone, language } = { time_zone: view.dates.timeZone, language: view.language };
  const mail: EventText | undefined =
    type && maintenanceText({ language, time_zone }, { type, maintenance: data });
  return renderReview(visit, {
    ...page,
    view,
    mail,
    picture: <MaintenancePicture data={data} view={view} />,
  });
}
