/** All types of events. The part before the dot is the type of the resource. */
export const EVENT_TYPES = [
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'incident.reopened',
  'incident.postmortem_published',
  'incident.deleted',
  'maintenance.scheduled',
  'maintenance.rescheduled',
  'maintenance.reminder',
  'maintenance.started',
  'maintenance.completed',
  'maintenance.cancelled',
  'monitor.status_changed',
  'status_page.created',
  'status_page.updated',
  'status_page.deleted',
  'status_page.restored',
  'webhook_endpoint.disabled',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
