import { LOGGED_TYPES, type LoggedType } from '../platform/log/logged-types.js';

/** Resources that events are about. */
export type EventResource =
  'incident' | 'maintenance' | 'monitor' | 'status_page' | 'webhook_endpoint' | 'incident_draft';

/** Mail about an event. */
interface MailKind {
  /** `edge`: all subscribers, because something begins or is over; `update`: those who chose all updates. */
  detail: 'edge' | 'update';
  /** `maintenances`: only subscribers who chose maintenance windows. */
  topic: 'incidents' | 'maintenances';
  /** Whether it waits for `NOTIFY_DELAY`, so that a mistake can be corrected. */
  is_delayed: boolean;
}

/** A type of events. */
interface EventKind {
  about: EventResource;
  /** Description of the change, for the API documentation. */
  when: string;
  /** null: no mail. */
  mail: MailKind | null;
}

const EDGE = { detail: 'edge', topic: 'incidents', is_delayed: true } as const;
const UPDATE = { ...EDGE, detail: 'update' } as const;
const MAINTENANCE_EDGE = { detail: 'edge', topic: 'maintenances', is_delayed: false } as const;
const MAINTENANCE_UPDATE = { ...MAINTENANCE_EDGE, detail: 'update' } as const;

/**
 * Types of events that recipients can get. `LOGGED_TYPES` (`platform/log/`) contains those for the log only. For a new type here, the type check lists the other tables: `AUDIENCES`
 * (`deliveries/`), `MailSubjects` (`mail/`), `CHAT_TEXTS` and `MESSAGES` (`webhooks/content/`).
 */
export const EVENTS = {
  'incident.created': { about: 'incident', mail: EDGE, when: 'An incident has been created.' },
  'incident.updated': {
    about: 'incident',
    mail: UPDATE,
    when: 'An incident has a new update, which does not resolve it.',
  },
  'incident.resolved': { about: 'incident', mail: EDGE, when: 'An update has resolved an incident.' },
  'incident.reopened': { about: 'incident', mail: EDGE, when: 'An update has reopened a resolved incident.' },
  'incident.postmortem_published': {
    about: 'incident',
    mail: UPDATE,
    when: 'An incident has got a postmortem.',
  },
  'incident.deleted': { about: 'incident', mail: null, when: 'An incident has been deleted.' },
  'incident_draft.created': {
    about: 'incident_draft',
    mail: null,
    when: 'A draft of an incident has been created. No status page shows it.',
  },
  'maintenance.scheduled': {
    about: 'maintenance',
    mail: MAINTENANCE_EDGE,
    when: 'A maintenance window has been scheduled.',
  },
  'maintenance.rescheduled': {
    about: 'maintenance',
    mail: MAINTENANCE_UPDATE,
    when: 'A maintenance window has been moved.',
  },
  'maintenance.reminder': {
    about: 'maintenance',
    mail: MAINTENANCE_UPDATE,
    when: 'A maintenance window starts in 60 minutes.',
  },
  'maintenance.started': {
    about: 'maintenance',
    mail: MAINTENANCE_EDGE,
    when: 'A maintenance window has started.',
  },
  'maintenance.completed': {
    about: 'maintenance',
    mail: MAINTENANCE_EDGE,
    when: 'A maintenance window is over.',
  },
  'maintenance.cancelled': {
    about: 'maintenance',
    mail: MAINTENANCE_EDGE,
    when: 'A maintenance window has been cancelled.',
  },
  'monitor.status_changed': {
    about: 'monitor',
    mail: null,
    when: 'The reported status of a monitor has changed.',
  },
  'status_page.created': { about: 'status_page', mail: null, when: 'A status page has been created.' },
  'status_page.updated': { about: 'status_page', mail: null, when: 'A status page has been changed.' },
  'status_page.deleted': { about: 'status_page', mail: null, when: 'A status page has been deleted.' },
  'status_page.restored': {
    about: 'status_page',
    mail: null,
    when: 'A deleted status page has been restored.',
  },
  'webhook_endpoint.disabled': {
    about: 'webhook_endpoint',
    mail: null,
    when: 'A webhook endpoint has been disabled.',
  },
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS).filter(isEventType);

/** Types of all events that `GET /v1/events` lists. */
export const ALL_TYPES = [...EVENT_TYPES, ...Object.keys(LOGGED_TYPES).filter(isLoggedType)];

/** Returns whether recipients can get events of a type. */
export function isEventType(type: string): type is EventType {
  return type in EVENTS;
}

function isLoggedType(type: string): type is LoggedType {
  return type in LOGGED_TYPES;
}

/** Types of events about a kind of resource. */
type TypeAbout<About extends EventResource> = {
  [Type in EventType]: (typeof EVENTS)[Type]['about'] extends About ? Type : never;
}[EventType];

/** Types of events about a kind of resource about which subscribers get mail. */
export type MailedType<About extends EventResource = EventResource> = {
  [Type in TypeAbout<About>]: (typeof EVENTS)[Type]['mail'] extends null ? never : Type;
}[TypeAbout<About>];

/** Returns whether subscribers get mail about an event. */
export function isMailed(type: EventType): type is MailedType {
  return EVENTS[type].mail !== null;
}
