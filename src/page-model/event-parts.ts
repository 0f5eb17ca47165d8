import type { EventResource } from '../events/event-types.js';
import type { Part } from './parts.js';

/** Part of a public page that shows the resource of an event, for links in mail and chat messages. */
export const PART_OF: Record<EventResource, (id: string) => Part> = {
  incident: (id) => ({ kind: 'incident', id }),
  maintenance: (id) => ({ kind: 'maintenance', id }),
  monitor: (id) => ({ kind: 'monitor', id }),
  status_page: () => ({ kind: 'overview' }),
  incident_draft: () => ({ kind: 'overview' }),
  webhook_endpoint: () => ({ kind: 'overview' }),
};
