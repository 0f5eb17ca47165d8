import type { EventDto } from '../../events/dto/event.dto.js';
import type { Impact, IncidentStatus } from '../../incidents/incident-status.js';
import { type AffectedMonitor } from '../../incidents/incident-status.js';
import { isStillTrue } from '../../page-model/maintenance-truth.js';
import { type EventText, eventText, type TextPage } from '../../page-model/event-text.js';
import type { MaintenanceStatus } from '../../maintenances/maintenance-status.js';
import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/monitor-status.js';
import { datesOf } from '../../page-model/dates.js';
import { wordsOf } from '../../page-model/words.js';
import type { Tone } from './chat-message.js';
import type { EventContent } from './event-content.service.js';

/** JSON of an incident, as far as messages contain it. */
interface IncidentJson {
  id: string;
  title: string;
  status: IncidentStatus;
  impact: Impact;
  monitors: AffectedMonitor[];
  postmortem: string | null;
}

/** JSON of a maintenance window. */
interface MaintenanceJson {
  id: string;
  title: string;
  body: string;
  status: MaintenanceStatus;
  starts_at: string;
  ends_at: string;
  monitor_ids: string[];
}

/** JSON of an update. */
interface UpdateJson {
  id: string;
  status: IncidentStatus;
  body: string;
  posted_at: string;
}

/** JSON of a webhook endpoint. */
interface EndpointJson {
  description: string | null;
}

/** Texts of a message, and whether they are good news. */
export type ChatText = EventText & { tone: Tone };

/** Returns the names of monitors that the page of the message shows, in the order of `ids`. */
export type NamesOf = (ids: string[]) => Promise<{ monitor_id: string; name: string }[]>;

/**
 * Returns the texts of a message about an event, or undefined if there is nothing to say any more: the resource is deleted, or
 * a maintenance window has been moved or closed since.
 */
export async function chatText(
  page: TextPage,
  { event, resource, update }: EventContent,
  namesOf: NamesOf,
): Promise<ChatText | undefined> {
  const { type, created_at } = event;
  const when = datesOf(page.language, page.time_zone, new Date()).fullTime(created_at);
  const short = (title: string, tone: Tone = 'neutral', body = ''): ChatText => ({
    title,
    when,
    body,
    affected: '',
    tone,
  });
  if (type === 'incident.deleted') return short(`Incident deleted: ${textOf(event.data['title'])}`);
  if (type === 'status_page.deleted') return short(`Status page deleted: ${textOf(event.data['name'])}`);
  if (resource === undefined) return undefined;
  switch (type) {
    case 'incident.created':
    case 'incident.updated':
    case 'incident.resolved':
    case 'incident.reopened':
    case 'incident.postmortem_published':
      return incidentText(page, { type, created_at }, resource, update, namesOf);
    case 'maintenance.scheduled':
    case 'maintenance.rescheduled':
    case 'maintenance.reminder':
    case 'maintenance.started':
    case 'maintenance.completed':
    case 'maintenance.cancelled': {
      const { starts_at, ends_at, monitor_ids, ...window }: MaintenanceJson = JSON.parse(resource);
      const times = { starts_at: new Date(starts_at), ends_at: new Date(ends_at) };
      if (!isStillTrue(type, { ...window, ...times }, created_at)) return undefined;
      const maintenance = { ...window, ...times, monitors: await namesOf(monitor_ids) };
      const tone = type === 'maintenance.completed' ? 'good' : 'neutral';
      return { ...eventText(page, { type, maintenance }), tone };
    }
    case 'monitor.status_changed': {
      const { status } = wordsOf(page.language);
      const { name }: { name: string } = JSON.parse(resource);
      const [from, to] = [statusOf(event.data['from']), statusOf(event.data['to'])];
      return short(`${name}: ${status[to]}`, TONE_OF_STATUS[to], `${status[from]} → ${status[to]}`);
    }
    case 'webhook_endpoint.disabled': {
      const { description }: EndpointJson = JSON.parse(resource);
      const reason = REASONS[textOf(event.data['reason'])] ?? '';
      return short(
        'Webhook endpoint disabled',
        'warning',
        [description ?? '', reason].filter(Boolean).join('\n\n'),
      );
    }
    default: {
      const { name }: { name: string } = JSON.parse(resource);
      return short(`Status page ${VERBS[type]}: ${name}`);
    }
  }
}

async function incidentText(
  page: TextPage,
  { type, created_at }: { type: IncidentEvent; created_at: Date },
  resource: string,
  update: string | undefined,
  namesOf: NamesOf,
): Promise<ChatText | undefined> {
  const { monitors, ...incident }: IncidentJson = JSON.parse(resource);
  const hasOwnUpdate = type !== 'incident.created' && type !== 'incident.postmortem_published';
  if (update === undefined && hasOwnUpdate) return undefined;
  const fallback = { id: '', status: incident.status, body: '', posted_at: created_at.toISOString() };
  const { posted_at, ...rest }: UpdateJson = update === undefined ? fallback : JSON.parse(update);
  const names = await namesOf(monitors.map(({ monitor_id }) => monitor_id));
  const statuses = new Map(monitors.map(({ monitor_id, status }) => [monitor_id, status]));
  const affected_now = names.map((one) => ({
    ...one,
    status: statuses.get(one.monitor_id) ?? 'operational',
  }));
  const text = eventText(page, {
    type,
    incident: { ...incident, affected_now },
    update: { ...rest, affected: null, posted_at: new Date(posted_at) },
  });
  return { ...text, tone: toneOf(rest.status, incident.impact) };
}

type IncidentEvent = Exclude<Extract<EventDto['type'], `incident.${string}`>, 'incident.deleted'>;

function toneOf(status: IncidentStatus, impact: Impact): Tone {
  if (status === 'resolved') return 'good';
  return impact === 'major' || impact === 'critical' ? 'bad' : 'warning';
}

const TONE_OF_STATUS: Record<MonitorStatus, Tone> = {
  operational: 'good',
  degraded_performance: 'warning',
  partial_outage: 'bad',
  major_outage: 'bad',
  under_maintenance: 'neutral',
  unknown: 'neutral',
};

/** Changes of a status page. Only operators get these events, so the words are English. */
const VERBS = {
  'status_page.created': 'created',
  'status_page.updated': 'changed',
  'status_page.restored': 'restored',
};

/** Reasons for which an endpoint is disabled. */
const REASONS: Readonly<Record<string, string>> = {
  gone: 'It has responded with 410 Gone.',
  failing: 'It has not accepted an event for five days.',
};

function statusOf(value: unknown): MonitorStatus {
  return MONITOR_STATUSES.find((status) => status === value) ?? 'unknown';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
