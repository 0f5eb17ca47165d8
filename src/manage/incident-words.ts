import { count } from './texts.js';

/** Choices of a monitor's status, as short as a button on a phone. The public page has the same words. */
export const GRADE_WORDS = {
  '': 'Not affected',
  operational: 'Not affected',
  degraded_performance: 'Degraded',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
} as const;

/** Words of the screens of incidents. */
export const INCIDENT_WORDS = {
  new_title: 'Report an incident',
  title: 'Title',
  title_hint: 'What people notice, in a few words: “Payments fail”.',
  body: 'Text',
  body_hint: (standard: string) =>
    `What you know, and when you write again. If you leave this empty, we publish: “${standard}”`,
  status: 'Status',
  monitors: 'What is affected?',
  monitors_hint: 'Choose how bad it is for each.',
  no_monitors_hint: 'If you choose no monitor, all pages of the project show the incident.',
  present: (status: string) => `now: ${status.toLowerCase()}`,
  chosen_hidden: (number: number) =>
    `${count(number, 'further chosen monitor is', 'further chosen monitors are')} kept.`,
  found_none: (text: string) => `No monitor has “${text}” in its name.`,
  find: (more: number) => (more > 0 ? `Find one of ${count(more, 'other monitor')}` : 'Find a monitor'),
  find_button: 'Find',
  pages: 'Pages',
  pages_summary: 'Pages: all that show the chosen monitors',
  pages_hint:
    'If you choose no page: all that show the chosen monitors. Without a monitor, all pages of the project.',
  no_pages: 'There is no status page yet. The incident is kept, but no page shows it.',
  notify: 'Tell subscribers and webhooks',
  review: 'Review',
  review_hint: 'This is sent only after you review it.',
  templates: 'Start from a template',
  postmortem: 'Postmortem',
  postmortem_hint:
    'What happened, why, and what you change. If you leave this empty, there is no postmortem.',
  update_title: 'Next update',
  reopen_title: 'Reopen, or add an update',
  update_hint: (standard: string) =>
    `If you change the status and leave this empty, we publish its standard text, such as “${standard}”`,
  change_monitors: 'Change what is affected',
  edit: 'Edit title and pages',
  changed: (author: string | undefined) =>
    `${author ?? 'Another member'} has changed this since you opened it.`,
  changed_text: 'Your text is kept below. Nothing has been sent. Read this, then review again.',
  other_page: (number: number) => `Another page that you have chosen (${number})`,
} as const;
