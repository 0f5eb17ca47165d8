import { isWindowStart, MAX_WINDOW_MS } from '../maintenances/dto/window.js';
import { MAX_UPDATES } from '../maintenances/maintenance-status.js';
import type { NewMaintenance } from '../maintenances/maintenances.service.js';
import { isPastTime } from '../platform/validation/past-time.js';
import type { StatuspageMaintenance } from './statuspage-file.js';
import {
  fitList,
  fitText,
  inOrder,
  monitorOf,
  type Reading,
  type TimedUpdate,
  timeOf,
} from './statuspage-reading.js';

const MAX_TITLE = 200;
const MAX_BODY = 10_000;
const MAX_MONITORS = 100;

const FIELD = 'scheduled_maintenances';
const UPDATES = `${FIELD}.incident_updates`;

/** Reads maintenance windows. Omits those without a window, and those before 2000 or more than 400 days in the future. */
export function readMaintenances(maintenances: StatuspageMaintenance[], reading: Reading): NewMaintenance[] {
  return maintenances.flatMap((maintenance) => readMaintenance(maintenance, reading) ?? []);
}

function readMaintenance(maintenance: StatuspageMaintenance, reading: Reading): NewMaintenance | undefined {
  const { name, scheduled_for, scheduled_until, incident_updates } = maintenance;
  const starts_at = timeOf(scheduled_for);
  const until = scheduled_until ? timeOf(scheduled_until) : starts_at;
  if (until <= starts_at || !isWindowStart(starts_at)) {
    reading.omissions.add(FIELD, 'without an end, before 2000, or more than 400 days in the future');
    return undefined;
  }
  const ends_at = new Date(Math.min(until.getTime(), starts_at.getTime() + MAX_WINDOW_MS));
  if (ends_at < until) reading.omissions.add(`${FIELD}.scheduled_until`, 'cut to 30 days');
  const [announcement, ...others] = inOrder(incident_updates);
  return {
    title: fitText(name, MAX_TITLE, `${FIELD}.name`, reading),
    body: fitText(announcement?.body ?? '', MAX_BODY, `${UPDATES}.body`, reading),
    starts_at,
    ends_at,
    monitor_ids: readMonitors(maintenance, reading),
    closed: closingOf(maintenance, { starts_at, ends_at }, reading),
    updates: readUpdates(others, reading),
  };
}

/** Reads the updates after the announcement. Their status has no equivalent, because the status of a window is derived. */
function readUpdates(updates: TimedUpdate[], reading: Reading): NewMaintenance['updates'] {
  const said = updates.filter(({ body }) => body?.trim());
  reading.omissions.add(`${UPDATES}.body`, 'empty', updates.length - said.length);
  const past = said.filter(({ at }) => isPastTime(at));
  reading.omissions.add(UPDATES, 'with a time before 2000 or in the future', said.length - past.length);
  reading.omissions.add(UPDATES, `before the last ${MAX_UPDATES}`, past.length - MAX_UPDATES);
  return past.slice(-MAX_UPDATES).map(({ body, at }) => ({
    body: fitText(body ?? '', MAX_BODY, `${UPDATES}.body`, reading),
    posted_at: at,
  }));
}

function readMonitors({ components }: StatuspageMaintenance, reading: Reading): string[] {
  const field = `${FIELD}.components`;
  const ids = (components ?? []).flatMap(({ id }) => monitorOf(id, field, reading) ?? []);
  return fitList([...new Set(ids)], MAX_MONITORS, field, reading);
}

/** Returns how a window was closed. A window that is completed before its end was ended early. Otherwise, the clock decides. */
function closingOf(
  { status, resolved_at }: StatuspageMaintenance,
  { starts_at, ends_at }: Pick<NewMaintenance, 'starts_at' | 'ends_at'>,
  { omissions }: Reading,
): NewMaintenance['closed'] {
  if (status !== 'completed') return null;
  const now = Date.now();
  const completed = Math.min(resolved_at ? timeOf(resolved_at).getTime() : now, now);
  if (completed >= ends_at.getTime()) return null;
  if (completed < starts_at.getTime()) omissions.add(`${FIELD}.resolved_at`, 'before the start');
  return { as: 'completed', at: new Date(Math.max(completed, starts_at.getTime())) };
}
