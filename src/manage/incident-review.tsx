import type { IncidentSubject } from '../page-model/mail-content.js';
import type { IncidentData } from '../page-model/page-data.js';
import type { DryRunNotificationsDto } from '../platform/dry-run/dry-run.dto.js';
import { ChangedMonitors } from './changed-monitors.js';
import { IncidentPicture, mailText } from './incident-picture.js';
import type { IncidentOutcome } from './incident-reader.js';
import type { Reply } from './reply.js';
import { renderReview } from './review-page.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { review: words } = WORDS;

interface Reviewed {
  action: string;
  reach: DryRunNotificationsDto;
  key: string;
  /** Read in the dry run. */
  outcome: IncidentOutcome | undefined;
  data: IncidentData;
  /** Type of the mail; omitted: none. */
  type?: IncidentSubject['type'];
  isOnAll?: boolean;
}

/** Renders what visitors will see of an incident, what happens to its monitors, and its mail. */
export function renderIncidentReview(visit: Visit, { outcome, data, type, ...page }: Reviewed): Reply {
  if (!outcome) throw new Error('the dry run has not read its outcome');
  const { view, changed, shown } = outcome;
  return renderReview(visit, {
    ...page,
    shown,
    view,
    effects: <ChangedMonitors monitors={changed} />,
    note: data.impact === 'none' ? undefined : words.impact(view.words.impact[data.impact]),
    picture: <IncidentPicture incident={data} view={view} />,
    mail: type && mailText(view, type, data),
  });
}
