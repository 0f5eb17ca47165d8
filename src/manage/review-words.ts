import type { MonitorStatus } from '../monitors/monitor-status.js';
import { count } from './texts.js';
import { STATUS_WORDS } from './status-words.js';

const BECOMES: Partial<Record<MonitorStatus, string>> = {
  operational: 'becomes operational',
  unknown: 'becomes unknown, because it has no reports',
};
const STAYS: Partial<Record<MonitorStatus, string>> = { operational: 'stays operational' };

/** Returns a list such as `1 email and 2 webhooks`. */
const messages = (emails: number, webhooks: number) =>
  [
    ...(emails > 0 ? [count(emails, 'email')] : []),
    ...(webhooks > 0 ? [count(webhooks, 'webhook')] : []),
  ].join(' and ');

const onTheirWay = (emails: number, webhooks: number) =>
  emails + webhooks === 0
    ? ''
    : ` ${messages(emails, webhooks)} ${emails + webhooks === 1 ? 'is on its' : 'are on their'} way.`;

/** Words of the screen before something is published, and of the confirmation after it. */
export const REVIEW_WORDS = {
  title: 'Review',
  text: 'Nothing has been sent. This is what happens when you publish.',
  text_of_action: (button: string) =>
    `Nothing has been sent. This is what happens when you press “${button}” below.`,
  people: (number: number) => (number === 1 ? 'person gets an email' : 'people get an email'),
  endpoints: (number: number) => (number === 1 ? 'webhook is called' : 'webhooks are called'),
  pages: (number: number) => (number === 1 ? 'page shows it' : 'pages show it'),
  private: (page: string) => `${page} (private)`,
  further_pages: (number: number) => `and ${count(number, 'more page')}`,
  no_monitor: (pages: number) =>
    pages === 1
      ? 'You chose no monitor: the only page of the project shows it.'
      : `You chose no monitor: all ${pages.toLocaleString('en')} pages of the project show it.`,
  no_page: 'No page shows it, so visitors do not see it. Change the monitors or the pages.',
  silent: 'No messages are sent. It only appears on the page.',
  silent_unseen: 'No messages are sent.',
  past: 'It is over already, so no messages are sent.',
  no_mail: 'This server cannot send mail, so no one gets an email.',
  no_subscriber: 'Subscribers will be told, but no one subscribes to these pages yet.',
  no_listener: 'Subscribers will be told, but no one of them has chosen what this is about.',
  monitors: 'Monitors',
  becomes: (status: MonitorStatus) => BECOMES[status] ?? `is shown as “${STATUS_WORDS[status]}”`,
  stays: (status: MonitorStatus) => STAYS[status] ?? `is still shown as “${STATUS_WORDS[status]}”`,
  further_monitors: (number: number) => `${count(number, 'further monitor')}.`,
  impact: (text: string) => `The page calls the incident as a whole “${text}”.`,
  publish: 'Publish',
  change: 'Change',
  cancel: 'Back',
  page: 'On the page',
  mail: 'In the mail',
  published: (emails: number, webhooks: number) => `Published.${onTheirWay(emails, webhooks)}`,
  done: (emails: number, webhooks: number) => `Done.${onTheirWay(emails, webhooks)}`,
  see_on: 'See it on',
  seen_nowhere: 'No page shows it.',
} as const;
