import { MAX_MONITORS } from '../incidents/dto/affected-monitor.dto.js';
import { isPastTime } from '../platform/validation/past-time.js';
import {
  type AffectedMonitor,
  IMPACTS,
  INCIDENT_STATUSES,
  type IncidentStatus,
  MAX_UPDATES,
} from '../incidents/incident-status.js';
import type { NewIncidentUpdate } from '../incidents/new-incident.js';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import type { ImportedIncident } from './imported-page.js';
import type { StatuspageAffected, StatuspageIncident } from './statuspage-file.js';
import {
  fitList,
  fitText,
  inOrder,
  monitorOf,
  type Reading,
  reportedStatusOf,
  type TimedUpdate,
  timeOf,
} from './statuspage-reading.js';

const MAX_TITLE = 200;
const MAX_BODY = 10_000;
const MAX_POSTMORTEM = 50_000;

const UPDATES = 'incidents.incident_updates';

type Update = NewIncidentUpdate & { posted_at: Date };

/** Placeholder for an empty body. */
const WORDS: Record<IncidentStatus, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

/** Reads incidents. Omits incidents with a time before 2000 or in the future. */
export function readIncidents(incidents: StatuspageIncident[], reading: Reading): ImportedIncident[] {
  return incidents.flatMap((incident) => readIncident(incident, reading) ?? []);
}

function readIncident(incident: StatuspageIncident, reading: Reading): ImportedIncident | undefined {
  const all = inOrder(incident.incident_updates);
  const start = timeOf(incident.started_at ?? incident.created_at);
  const end = incident.resolved_at ? [timeOf(incident.resolved_at)] : [];
  if (![start, ...end, ...all.map(({ at }) => at)].every(isPastTime)) {
    reading.omissions.add('incidents', 'with a time before 2000 or in the future');
    return undefined;
  }
  const postmortem = all.findLast(({ status, body }) => status === 'postmortem' && hasText(body))?.body;
  const said = all.filter(({ status }) => status !== 'postmortem');
  const read = withEnd(incident, withStart(incident, readUpdates(said, reading), start), reading);
  const updates = read.slice(-MAX_UPDATES);
  reading.omissions.add(UPDATES, `before the last ${MAX_UPDATES}`, read.length - updates.length);
  nameComponents(incident, updates, reading);
  const started_at = new Date(
    Math.min(start.getTime(), ...updates.map(({ posted_at }) => posted_at.getTime())),
  );
  if (started_at < start) reading.omissions.add('incidents.started_at', 'after the first update');
  return {
    title: fitText(incident.name, MAX_TITLE, 'incidents.name', reading),
    started_at,
    impact: readImpact(incident, reading),
    postmortem: postmortem ? fitText(postmortem, MAX_POSTMORTEM, `${UPDATES}.body`, reading) : null,
    updates,
  };
}

function readUpdates(updates: TimedUpdate[], reading: Reading): Update[] {
  let last: IncidentStatus = 'investigating';
  return updates.map(({ status, body, at, affected_components }) => {
    const known = INCIDENT_STATUSES.find((one) => one === status);
    if (!known) reading.omissions.add(`${UPDATES}.status`, 'without an equivalent');
    last = known ?? last;
    if (!hasText(body)) reading.omissions.add(`${UPDATES}.body`, 'empty');
    return {
      status: last,
      body: hasText(body) ? fitText(body, MAX_BODY, `${UPDATES}.body`, reading) : WORDS[last],
      posted_at: at,
      monitors: readAffected(affected_components ?? [], reading),
    };
  });
}

/**
 * Ensures that an incident begins with an update. Without it, an incident whose first update resolves it would end when it
 * starts.
 */
function withStart({ status }: StatuspageIncident, updates: Update[], start: Date): Update[] {
  const [first] = updates;
  const isTold = first && (first.status !== 'resolved' || first.posted_at < start);
  if (isTold || (first && isNear(first.posted_at, start))) return updates;
  const open = openStatusOf(status) ?? 'investigating';
  return [{ status: open, body: WORDS[open], posted_at: start, monitors: null }, ...updates];
}

/** Ensures that a resolved incident ends with a `resolved` update, at `resolved_at`. Counts other times, which are lost. */
function withEnd(
  { status, resolved_at, incident_updates }: StatuspageIncident,
  updates: Update[],
  { omissions }: Reading,
): Update[] {
  const field = 'incidents.resolved_at';
  const isResolved =
    status === 'resolved' || status === 'postmortem' || (!openStatusOf(status) && Boolean(resolved_at));
  const last = updates.at(-1);
  if (!last) return updates;
  const end = resolved_at ? timeOf(resolved_at) : last.posted_at;
  if (last.status === 'resolved') {
    if (!isNear(end, last.posted_at)) omissions.add(field, 'unlike the resolving update');
    return updates;
  }
  if (!isResolved) {
    if (resolved_at) omissions.add(field, 'of an open incident');
    return updates;
  }
  const isEarly = end < last.posted_at;
  const limit = incident_updates?.length ? 'the last update' : 'the start';
  if (isEarly) omissions.add(field, `before ${limit}`);
  return [
    ...updates,
    { status: 'resolved', body: WORDS.resolved, posted_at: isEarly ? last.posted_at : end, monitors: null },
  ];
}

function openStatusOf(status: string | null | undefined): IncidentStatus | undefined {
  return INCIDENT_STATUSES.find((one) => one === status && one !== 'resolved');
}

/** Returns whether times differ only because Statuspage writes them one after the other. */
function isNear(one: Date, other: Date): boolean {
  return Math.abs(one.getTime() - other.getTime()) < 60_000;
}

/** Returns the monitors of an update; null: unchanged. Omits components that are not in the file. */
function readAffected(affected: StatuspageAffected[], reading: Reading): AffectedMonitor[] | null {
  const field = `${UPDATES}.affected_components`;
  const statuses = new Map<string, ReportedStatus>();
  for (const { code, new_status } of affected) {
    const monitor_id = monitorOf(code, field, reading);
    const status = reportedStatusOf(new_status);
    if (monitor_id && status) statuses.set(monitor_id, status);
    if (monitor_id && !status) reading.omissions.add(`${field}.new_status`, 'without an equivalent');
  }
  if (statuses.size === 0) return null;
  const monitors = [...statuses].map(([monitor_id, status]) => ({ monitor_id, status }));
  return fitList(monitors, MAX_MONITORS, field, reading);
}

/**
 * If no update contains affected components, adds the components of the incident to the first update. For a resolved incident,
 * their severity is unknown, because `components.status` is the status when the file was written.
 */
function nameComponents({ components }: StatuspageIncident, updates: Update[], reading: Reading): void {
  const [first] = updates;
  if (!first || updates.some(({ monitors }) => monitors)) return;
  const isResolved = updates.at(-1)?.status === 'resolved';
  const affected = (components ?? []).map(({ id, status }) => ({
    code: id,
    new_status: isResolved ? 'operational' : (reportedStatusOf(status) ?? 'operational'),
  }));
  first.monitors = readAffected(affected, reading);
}

function readImpact({ impact }: StatuspageIncident, { omissions }: Reading): ImportedIncident['impact'] {
  const known = IMPACTS.find((one) => one === impact);
  if (impact && !known) omissions.add('incidents.impact', 'without an equivalent');
  return known ?? null;
}

function hasText(body: string | null | undefined): body is string {
  return typeof body === 'string' && body.trim() !== '';
}
