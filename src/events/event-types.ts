/** Resource of an event, and the recipients of mail about it. */
interface EventKind {
  about: 'incident' | 'maintenance' | 'monitor' | 'status_page' | 'webhook_endpoint';
  /** `edge`: all subscribers, because something begins or is over; `update`: those who chose all updates; null: no mail. */
  mail: 'edge' | 'update' | null;
}

/** All types of events. Endpoints can get each of them. */
export const EVENTS = {
  'incident.created': { about: 'incident', mail: 'edge' },
  'incident.updated': { about: 'incident', mail: 'update' },
  'incident.resolved': { about: 'incident', mail: 'edge' },
  'incident.reopened': { about: 'incident', mail: 'edge' },
  'incident.postmortem_published': { about: 'incident', mail: 'update' },
  'incident.deleted': { about: 'incident', mail: null },
  'maintenance.scheduled': { about: 'maintenance', mail: 'edge' },
  'maintenance.rescheduled': { about: 'maintenance', mail: 'update' },
  'maintenance.reminder': { about: 'maintenance', mail: 'update' },
  'maintenance.started': { about: 'maintenance', mail: 'edge' },
  'maintenance.completed': { about: 'maintenance', mail: 'edge' },
  'maintenance.cancelled': { about: 'maintenance', mail: 'edge' },
  'monitor.status_changed': { about: 'monitor', mail: null },
  'status_page.created': { about: 'status_page', mail: null },
  'status_page.updated': { about: 'status_page', mail: null },
  'status_page.deleted': { about: 'status_page', mail: null },
  'status_page.restored': { about: 'status_page', mail: null },
  'webhook_endpoint.disabled': { about: 'webhook_endpoint', mail: null },
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS).filter(isEventType);

function isEventType(type: string): type is EventType {
  return type in EVENTS;
}

/** Types of events about a kind of resource. */
type TypeAbout<About extends EventKind['about']> = {
  [Type in EventType]: (typeof EVENTS)[Type]['about'] extends About ? Type : never;
}[EventType];

/** Types of events about a kind of resource about which subscribers get mail. */
export type MailedType<About extends EventKind['about']> = {
  [Type in TypeAbout<About>]: (typeof EVENTS)[Type]['mail'] extends null ? never : Type;
}[TypeAbout<About>];

/** Returns whether subscribers get mail about an event, and it is about this kind of resource. */
export function isMailed<About extends EventKind['about']>(
  about: About,
  type: EventType,
): type is MailedType<About> & EventType {
  return EVENTS[type].about === about && EVENTS[type].mail !== null;
}

/** Returns the kind of resource of an event type, such as `incident` of `incident.created`. An older version can have stored any type. */
export const kindOf = (type: string): string => type.slice(0, type.indexOf('.'));
