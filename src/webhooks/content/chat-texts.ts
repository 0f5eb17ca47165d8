import type { SentEventDto } from '../../events/dto/event.dto.js';
import type { EventType, MailedType } from '../../events/event-types.js';
import type { Impact, IncidentStatus } from '../../incidents/incident-status.js';
import { TEXT_OF_STATUS } from '../../incidents/update-texts.js';
import { type AffectedMonitor } from '../../incidents/incident-status.js';
import { isStillTrue } from '../../page-model/maintenance-truth.js';
import { type EventText, incidentText, maintenanceText, type TextPage } from '../../page-model/event-text.js';
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

/** JSON of an incident draft. */
interface DraftJson {
  title: string;
  status: IncidentStatus;
  body: string | null;
}

/** JSON of a webhook endpoint. */
interface EndpointJson {
  description: string | null;
}

/** Texts of a message, and whether they are good news. */
export type ChatText = Omit<EventText, 'sign'> & { tone: Tone };

/** Returns the names of monitors that the page of the message shows, in the order of `ids`. */
export type NamesOf = (ids: string[]) => Promise<{ monitor_id: string; name: string }[]>;

/** An event, and what its message depends on. */
interface ChatContext {
  page: TextPage;
  event: SentEventDto;
  /** JSON of the incident update that caused the event. */
  update: string | undefined;
  namesOf: NamesOf;
}

/** Writes the texts about one type of event. `resource`: its JSON; undefined: it is deleted. */
type ChatWriter = (
  context: ChatContext,
  resource: string | undefined,
) => ChatText | undefined | Promise<ChatText | undefined>;

/**
 * Returns the texts of a message about an event, or undefined if there is nothing to say any more: the resource is deleted, or
 * a maintenance window has been moved or closed since.
 */
export async function chatText(
  page: TextPage,
  { event, resource, update }: EventContent,
  namesOf: NamesOf,
): Promise<ChatText | undefined> {
  return CHAT_TEXTS[event.type]({ page, event, update, namesOf }, resource);
}

/** Only operators get events of status pages and endpoints, so these words are English. */
const CHAT_TEXTS: Record<EventType, ChatWriter> = {
  'incident.created': ofIncident('incident.created'),
  'incident.updated': ofIncident('incident.updated'),
  'incident.resolved': ofIncident('incident.resolved'),
  'incident.reopened': ofIncident('incident.reopened'),
  'incident.postmortem_published': ofIncident('incident.postmortem_published'),
  'incident.deleted': (context) => short(context, `Incident deleted: ${textOf(context.event.data['title'])}`),
  'incident_draft.created': ifExists((context, resource) => {
    const { title, status, body }: DraftJson = JSON.parse(resource);
    const text = `${body ?? TEXT_OF_STATUS[status]}\n\nNot published. Publish or discard the draft.`;
    return short(context, `Incident draft: ${title}`, 'warning', text);
  }),
  'maintenance.scheduled': ofMaintenance('maintenance.scheduled'),
  'maintenance.rescheduled': ofMaintenance('maintenance.rescheduled'),
  'maintenance.reminder': ofMaintenance('maintenance.reminder'),
  'maintenance.started': ofMaintenance('maintenance.started'),
  'maintenance.completed': ofMaintenance('maintenance.completed', 'good'),
  'maintenance.cancelled': ofMaintenance('maintenance.cancelled'),
  'monitor.status_changed': ifExists((context, resource) => {
    const { page, event } = context;
    const { status } = wordsOf(page.language);
    const { name }: { name: string } = JSON.parse(resource);
    const [from, to] = [statusOf(event.data['from']), statusOf(event.data['to'])];
    return short(context, `${name}: ${status[to]}`, TONE_OF_STATUS[to], `${status[from]} → ${status[to]}`);
  }),
  'status_page.created': ofStatusPage('created'),
  'status_page.updated': ofStatusPage('changed'),
  'status_page.deleted': (context) =>
    short(context, `Status page deleted: ${textOf(context.event.data['name'])}`),
  'status_page.restored': ofStatusPage('restored'),
  'webhook_endpoint.disabled': ifExists((context, resource) => {
    const { description }: EndpointJson = JSON.parse(resource);
    const reason = REASONS[textOf(context.event.data['reason'])] ?? '';
    const body = [description ?? '', reason].filter(Boolean).join('\n\n');
    return short(context, 'Webhook endpoint disabled', 'warning', body);
  }),
};

/** Returns a message without affected monitors, at the time of the event. */
function short({ page, event }: ChatContext, title: string, tone: Tone = 'neutral', body = ''): ChatText {
  const when = datesOf(page.language, page.time_zone, new Date()).fullTime(event.created_at);
  return { title, when, body, affected: '', tone };
}

function ifExists(write: (context: ChatContext, resource: string) => ReturnType<ChatWriter>): ChatWriter {
  return (context, resource) => (resource === undefined ? undefined : write(context, resource));
}

function ofStatusPage(verb: string): ChatWriter {
  return ifExists((context, resource) => {
    const { name }: { name: string } = JSON.parse(resource);
    return short(context, `Status page ${verb}: ${name}`);
  });
}

function ofMaintenance(type: MailedType<'maintenance'>, tone: Tone = 'neutral'): ChatWriter {
  return ifExists(async ({ page, event, namesOf }, resource) => {
    const { starts_at, ends_at, monitor_ids, ...window }: MaintenanceJson = JSON.parse(resource);
    const times = { starts_at: new Date(starts_at), ends_at: new Date(ends_at) };
    if (!isStillTrue(type, { ...window, ...times }, event.created_at)) return undefined;
    const maintenance = { ...window, ...times, monitors: await namesOf(monitor_ids) };
    return { ...maintenanceText(page, { type, maintenance }), tone };
  });
}

function ofIncident(type: MailedType<'incident'>): ChatWriter {
  const hasOwnUpdate = type !== 'incident.created' && type !== 'incident.postmortem_published';
  return ifExists(async ({ page, event, update, namesOf }, resource) => {
    const { monitors, ...incident }: IncidentJson = JSON.parse(resource);
    if (update === undefined && hasOwnUpdate) return undefined;
    const fallback = {
      id: '',
      status: incident.status,
      body: '',
      posted_at: event.created_at.toISOString(),
    };
    const { posted_at, ...rest }: UpdateJson = update === undefined ? fallback : JSON.parse(update);
    const names = await namesOf(monitors.map(({ monitor_id }) => monitor_id));
    const statuses = new Map(monitors.map(({ monitor_id, status }) => [monitor_id, status]));
    const affected_now = names.map((one) => ({
      ...one,
      status: statuses.get(one.monitor_id) ?? 'operational',
    }));
    const text = incidentText(page, {
      type,
      incident: { ...incident, affected_now },
      update: { ...rest, affected: null, posted_at: new Date(posted_at) },
    });
    return { ...text, tone: toneOf(rest.status, incident.impact) };
  });
}

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
