import type { MonitorStatus } from '../monitors/monitor-status.js';
import { EN } from '../page-model/languages/en/page.js';
import type { FieldErrorCode } from '../platform/problems/catalogue.js';
import { PAGE_ACCESS_WORDS } from './access-words.js';
import { ACCOUNT_WORDS } from './account-words.js';
import { DRAFT_WORDS } from './draft-words.js';
import { KEY_WORDS } from './key-words.js';
import { LIST_WORDS } from './list-words.js';
import { LOG_WORDS } from './log-words.js';
import { MAINTENANCE_WORDS } from './maintenance-words.js';
import { MEMBER_WORDS } from './member-words.js';
import { CHECK_WORDS } from './check-words.js';
import { MONITOR_WORDS } from './monitor-words.js';
import { PAGE_LIST_WORDS } from './page-list-words.js';
import { PAGE_WORDS } from './page-words.js';
import { SCRIPT_WORDS } from './script-words.js';
import { SIGN_IN_OIDC_WORDS } from './sign-in-oidc-words.js';
import { PASSKEY_WORDS } from './passkey-words.js';
import { SIGN_IN_WORDS } from './sign-in-words.js';
import { SUBSCRIBER_WORDS } from './subscriber-words.js';
import { TEMPLATE_WORDS } from './template-words.js';
import { count } from './texts.js';
import { UNKNOWN_WORDS } from './unknown-words.js';
import { WEBHOOK_WORDS } from './webhook-words.js';

const STATUS: Record<MonitorStatus, string> = {
  operational: 'Operational',
  degraded_performance: 'Degraded performance',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
  under_maintenance: 'Under maintenance',
  unknown: 'No reports yet',
};

/** Errors of a field, after its label. The others are the detail of the API. */
const FIELD_ERROR: Partial<Record<FieldErrorCode, string>> = {
  required: 'is missing.',
  blank: 'needs some text.',
  taken: 'is already used. Choose another one.',
  duplicate: 'is there twice.',
  unknown_monitor: 'no longer exists, or belongs to another project. Choose again.',
  unknown_status_page: 'no longer exists, or belongs to another project. Choose again.',
  not_granted: 'is more than you have yourself.',
  unknown_project: 'no longer exist, or you cannot see them. Choose again.',
  unknown_incident_template: 'no longer exists.',
};

/** All words of the console. */
export const WORDS = {
  product: 'Status Pages',
  skip: 'Skip to the content',
  title: (screen: string) => `${screen} – Status Pages`,
  nav: { label: 'Console', now: 'Now', monitors: 'Monitors', pages: 'Pages' },
  status: STATUS,
  incident_status: EN.incident_status,
  maintenance_status: EN.maintenance_status,
  lists: { pages: 'Parts of the list', newest: 'Newest', older: 'Older', ...LIST_WORDS },
  saving: {
    save: 'Save',
    saved: 'Saved.',
    deleted: 'Deleted.',
    delete: 'Delete',
    cancel: 'Cancel',
    nothing: 'nothing',
    changed: (author: string | undefined) =>
      `${author ?? 'Another member'} has changed this since you opened it. Nothing has been saved. Compare, then save again.`,
    changed_deletion: (author: string | undefined) =>
      `${author ?? 'Another member'} has changed this since you opened it. Nothing has been deleted. Look at it, then decide again.`,
  },
  back: 'Back',
  theirs: 'Another member has changed it to:',
  account: ACCOUNT_WORDS,
  keys: KEY_WORDS,
  log: LOG_WORDS,
  members: MEMBER_WORDS,
  page: PAGE_WORDS,
  page_access: PAGE_ACCESS_WORDS,
  script: SCRIPT_WORDS,
  sign_in: SIGN_IN_WORDS,
  sign_in_oidc: SIGN_IN_OIDC_WORDS,
  subscribers: SUBSCRIBER_WORDS,
  templates: TEMPLATE_WORDS,
  unknown: UNKNOWN_WORDS,
  webhooks: WEBHOOK_WORDS,
  kept: {
    title: 'Nothing is lost',
    text: 'Your session has changed since you opened the form. Nothing has been sent. Continue with what you wrote.',
    continue: 'Continue',
    what: 'What you wrote',
  },
  errors: {
    not_found: 'This does not exist',
    not_found_text: 'It was deleted, or it belongs to a project that you cannot see.',
    insufficient_scope: 'Your role does not allow this',
    insufficient_scope_text: 'Ask an administrator of your organization for another role.',
    forbidden: 'This form was sent by another site',
    forbidden_text: 'Nothing has happened. Open the console, and send its form again.',
    rate_limited: 'Too many requests',
    rate_limited_text: 'Wait a minute, then reload the page.',
    unavailable: 'The service is busy',
    unavailable_text: 'Nothing has been sent. Wait a moment, then reload the page.',
    invalid: 'This is not possible',
    internal_error: 'Something went wrong',
    internal_error_text: (id: string) => `The log of the server has the reason, by the ID ${id}.`,
    now: 'To the first screen',
    kept: 'What you wrote is kept here. Wait a moment, then send it again.',
    again: 'Send it again',
    field: (label: string, code: FieldErrorCode, detail: string) =>
      `${label} ${FIELD_ERROR[code] ?? `${detail.replace(/\.$/, '')}.`}`,
    summary: (number: number) =>
      `${count(number, 'field needs', 'fields need')} your attention. Nothing has been sent.`,
    summary_of: (names: readonly string[]) =>
      `${names.length > 3 ? `${names.length} fields need` : `${names.join(', ')} ${names.length === 1 ? 'needs' : 'need'}`} your attention. Nothing has been sent.`,
  },
  now: {
    title: 'Now',
    report: 'Report an incident',
    schedule: 'Schedule maintenance',
    calm: (isCut: boolean) => (isCut ? 'No open incident in these projects' : 'No open incident'),
    calm_text: 'Visitors read that everything works.',
    open: (number: number, isCut: boolean) => `${isCut ? 'At least ' : ''}${count(number, 'open incident')}`,
    maintenances: 'Maintenance',
    monitors: 'Monitors',
    going_out: 'Messages going out',
    all_operational: (number: number) => `${count(number, 'monitor is', 'monitors are')} operational.`,
    some_operational: (number: number) =>
      `${count(number, 'other monitor is', 'other monitors are')} operational.`,
    more: (number: number) => `${count(number, 'more is', 'more are')} not operational.`,
    all_monitors: 'All monitors',
    report_on: 'Report',
    report_on_label: (name: string) => `Report an incident on ${name}`,
    waiting: (number: number, kind: 'email' | 'webhook') =>
      kind === 'email'
        ? `${count(number, 'email is', 'emails are')} waiting`
        : `${count(number, 'webhook is', 'webhooks are')} waiting`,
    failed: (number: number, kind: 'email' | 'webhook') =>
      kind === 'email'
        ? `${count(number, 'email', 'emails')} could not be delivered today`
        : `${count(number, 'webhook', 'webhooks')} could not be delivered today`,
    nothing_waits: 'Nothing is waiting, and nothing has failed in the last 24 hours.',
    first_title: 'Welcome',
    first_text: 'Three steps to a status page that people can rely on.',
    first_monitors: 'Add what you run, such as “API” or “Website”.',
    first_pages: 'Create a page that shows it, and send its address around.',
    first_incident: 'Try an incident: nothing is sent before you have seen who gets it.',
    no_projects: 'There is no project that you can see. Ask an administrator.',
    only_some_projects: (number: number) => `Only the newest ${number} projects are shown.`,
    unexplained: (number: number) =>
      `${count(number, 'monitor has a problem', 'monitors have a problem')} that no incident explains to visitors.`,
    further_incidents: (number: number) =>
      `${count(number, 'older incident is', 'older incidents are')} open.`,
    further_windows: (number: number) =>
      `${count(number, 'further window starts', 'further windows start')} later.`,
  },
  grades: {
    '': 'Fine',
    operational: 'Fine',
    degraded_performance: 'Degraded',
    partial_outage: 'Partial',
    major_outage: 'Major',
  },
  incident: {
    new_title: 'Report an incident',
    title: 'Title',
    title_hint: 'What people notice, in a few words: “Payments fail”.',
    body: 'Text',
    body_hint: (standard: string) => `What you know, and when you write again. Empty: “${standard}”`,
    status: 'Status',
    monitors: 'What is affected?',
    monitors_hint: 'Choose how bad it is for each.',
    chosen_hidden: (number: number) =>
      `${count(number, 'further chosen monitor is', 'further chosen monitors are')} kept.`,
    found_none: (text: string) => `No monitor has “${text}” in its name.`,
    find: (more: number) => (more > 0 ? `Find one of ${count(more, 'other monitor')}` : 'Find a monitor'),
    find_button: 'Find',
    pages: 'Pages',
    pages_summary: 'Pages: all that show these monitors',
    pages_hint: 'None chosen: all that show these monitors.',
    no_pages: 'There is no status page yet. The incident is kept, but no page shows it.',
    notify: 'Tell subscribers and webhooks',
    review: 'Review',
    review_hint: 'Nothing is sent yet.',
    templates: 'Start from a template',
    postmortem: 'Postmortem',
    postmortem_hint: 'What happened, why, and what you change. Empty: none.',
    update_title: 'Next update',
    reopen_title: 'Reopen, or add an update',
    update_hint: (standard: string) => `Can be empty if the status changes, for example “${standard}”`,
    change_monitors: 'Change what is affected',
    edit: 'Edit title and pages',
    on_page: (name: string) => `See it on ${name}`,
    changed: (author: string | undefined) =>
      `${author ?? 'Another member'} has changed this since you opened it.`,
    changed_text: 'Your text is kept below. Nothing has been sent. Read this, then review again.',
    other_page: (number: number) => `Another page that you have chosen (${number})`,
  },
  maintenance: MAINTENANCE_WORDS,
  drafts: DRAFT_WORDS,
  monitors: {
    title: 'Monitors',
    count: (number: number) => count(number, 'monitor'),
    find: 'Find a monitor',
    none: 'There is no monitor yet. Add what you run, such as “API” or “Website”.',
    pages: 'Pages of the list',
    previous: 'Previous',
    next: 'Next',
    add: 'Add a monitor',
    name: 'Name',
    name_hint: 'As visitors know it: “API”, “Website”, “Payments”.',
    description: 'Description',
    description_hint: 'Can be empty.',
    ...MONITOR_WORDS,
  },
  check: CHECK_WORDS,
  pages: PAGE_LIST_WORDS,
  passkeys: PASSKEY_WORDS,
  review: {
    title: 'Review',
    text: 'Nothing has been sent. This is what happens when you publish.',
    people: (number: number) => (number === 1 ? 'person gets an email' : 'people get an email'),
    endpoints: (number: number) => (number === 1 ? 'webhook is called' : 'webhooks are called'),
    pages: (number: number) => (number === 1 ? 'page shows it' : 'pages show it'),
    silent: 'No messages are sent. It only appears on the page.',
    publish: 'Publish',
    change: 'Change',
    cancel: 'Back',
    page: 'On the page',
    mail: 'In the mail',
  },
  projects: {
    title: 'Which project?',
    text: 'Each project has its own monitors, incidents, maintenances and templates.',
  },
} as const;
