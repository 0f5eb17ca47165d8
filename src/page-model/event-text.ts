import { TEXT_OF_STATUS } from '../incidents/update-texts.js';
import { worstOf } from '../monitors/monitor-status.js';
import { datesOf } from './dates.js';
import { MAIL_WORDS, wordsOf } from './words.js';
import type { Words } from './languages/en/page.js';
import type { IncidentSubject, MailPage, MaintenanceSubject } from './mail-content.js';
import type { Sign } from './sign.js';

/** Language and time zone of the texts. */
export type TextPage = Pick<MailPage, 'language' | 'time_zone'>;

/** Texts of a message about an event. */
export interface EventText {
  title: string;
  /** Sign of the state that the title names. */
  sign: Sign;
  /** A time or a period. */
  when: string;
  /** Markdown. */
  body: string;
  /** The affected monitors, or an empty string. */
  affected: string;
}

/** Signs of events after which a maintenance window does not come, or is over. */
const SIGN_OF_TYPE: Partial<Record<MaintenanceSubject['type'], Sign>> = {
  'maintenance.completed': 'operational',
  'maintenance.cancelled': 'neutral',
};

/** Returns the texts about a maintenance window, in the language of the page. Mail and chat messages contain them. */
export function maintenanceText(page: TextPage, { type, maintenance }: MaintenanceSubject): EventText {
  const words = wordsOf(page.language);
  const dates = datesOf(words.language, page.time_zone, new Date());
  const { title, starts_at, ends_at, monitors, body } = maintenance;
  return {
    title: maintenanceTitle(page, type, title, words),
    sign: SIGN_OF_TYPE[type] ?? 'under_maintenance',
    when: `${words.feed.planned} ${dates.period(starts_at, ends_at)}`,
    body: type === 'maintenance.cancelled' ? words.feed.called_off : body,
    affected: affectedText(
      monitors.map(({ name }) => name),
      words,
    ),
  };
}

/** Returns the texts about an incident, in the language of the page. Mail and chat messages contain them. */
export function incidentText(page: TextPage, { type, incident, update }: IncidentSubject): EventText {
  const words = wordsOf(page.language);
  const dates = datesOf(words.language, page.time_zone, new Date());
  if (type === 'incident.postmortem_published') {
    const title = words.feed.update(words.postmortem, incident.title);
    const body = incident.postmortem ?? '';
    return { title, sign: 'neutral', when: dates.fullTime(new Date()), body, affected: '' };
  }
  const isOver = update.status === 'resolved';
  const affected = isOver ? [] : incident.affected_now;
  const worst = worstOf(affected.map((one) => one.status));
  const status =
    type === 'incident.created' && worst !== undefined
      ? words.status[worst]
      : words.incident_status[update.status];
  return {
    title: words.feed.update(status, incident.title),
    sign: isOver ? 'operational' : (worst ?? 'neutral'),
    when: dates.fullTime(update.posted_at),
    body: update.body === TEXT_OF_STATUS[update.status] ? words.update_text[update.status] : update.body,
    affected: affectedText(
      affected.map((one) => one.name + words.in_parentheses(words.status_in_text[one.status])),
      words,
    ),
  };
}

function affectedText(names: string[], words: Words): string {
  return names.length > 0 ? words.feed.affected(names.join(words.comma)) : '';
}

function maintenanceTitle(
  page: TextPage,
  type: MaintenanceSubject['type'],
  title: string,
  words: Words,
): string {
  const mail = MAIL_WORDS[page.language];
  switch (type) {
    case 'maintenance.scheduled':
      return words.feed.maintenance(title);
    case 'maintenance.rescheduled':
      return mail.rescheduled(title);
    case 'maintenance.reminder':
      return mail.reminder(title);
    case 'maintenance.started':
      return words.feed.update(words.maintenance_status.in_progress, title);
    case 'maintenance.completed':
      return words.feed.update(words.maintenance_status.completed, title);
    case 'maintenance.cancelled':
      return words.feed.cancelled(title);
  }
}
