import { v7 as uuidv7 } from 'uuid';
import type { NewMaintenance } from '../maintenances/maintenances.service.js';
import { type FieldError, pointerTo, validationFailed } from '../platform/problems/problem.js';
import { MAX_AGE_MS } from '../reports/dto/monitor-report.dto.js';
import type { Report } from '../reports/reports.service.js';
import { validate } from '../platform/validation/validate.js';
import { type ImportedIncident, type ImportedPage, MAX_EVENTS } from './imported-page.js';
import { keyOf } from './monitor-key.js';
import { isTimeZone } from '../branding/dto/time-zone.js';
import { collectFieldNames, Omissions, unusedFieldNames } from './not-imported.js';
import { type StatuspageComponent, StatuspageFile } from './statuspage-file.js';
import { readIncidents } from './statuspage-incidents.js';
import { readMaintenances } from './statuspage-maintenances.js';
import { readStarts } from './statuspage-start.js';
import { type Reading, reportedStatusOf, timeOf } from './statuspage-reading.js';

const UNGROUPED = 'ungrouped';

/**
 * Reads a `components.json` or `summary.json` of Atlassian Statuspage. Groups become sections and components become monitors,
 * both ordered by position. Components without a group are put into a last section. The status of a component becomes a report.
 * If the file contains incidents and scheduled maintenances, they are also read.
 * @param input freshly parsed; is modified
 * @throws Problem 400 `validation_failed` with each field that does not have this format
 */
export function readStatuspage(input: object): ImportedPage {
  const names = collectFieldNames(input); // before validation removes unknown fields
  const { instance, errors } = validate(StatuspageFile, input, 'file');
  if (errors.length > 0) throw validationFailed(errors);
  const { page, components, incidents, scheduled_maintenances } = instance;
  const groups = components.filter(({ group }) => group).toSorted(byPosition);
  requireConsistency(components, new Set(groups.map(({ id }) => id)));

  const monitorIds = new Map(components.flatMap(({ id, group }) => (group ? [] : [[id, uuidv7()]])));
  const toMonitor = ({ id, name, description }: StatuspageComponent) => ({
    id: monitorIds.get(id),
    name,
    key: keyOf(name),
    description: description ?? '',
  });
  const members = new Map<string | null, StatuspageComponent[]>();
  for (const component of components.filter(({ group }) => !group)) {
    const { group_id = null } = component;
    const found = members.get(group_id);
    if (found) found.push(component);
    else members.set(group_id, [component]);
  }
  const membersOf = (groupId: string | null) => (members.get(groupId) ?? []).toSorted(byPosition);
  const sections = groups.map(({ id, name }) => ({
    id,
    title: name,
    monitors: membersOf(id).map(toMonitor),
  }));
  const ungrouped = membersOf(null).map(toMonitor);
  if (ungrouped.length > 0) {
    const title = groups.length > 0 ? 'Other components' : 'Components';
    sections.push({ id: unusedSectionId(groups), title, monitors: ungrouped });
  }
  const omissions = new Omissions();
  const reading = { monitorIds, groupIds: new Set(groups.map(({ id }) => id)), omissions };
  const events = newest(
    readIncidents(incidents ?? [], reading),
    readMaintenances(scheduled_maintenances ?? [], reading),
    reading,
  );
  const reports = readReports(components, reading);
  return {
    name: page.name,
    ...readTimeZone(page, reading),
    sections,
    reports,
    starts: readStarts(components, reading, { reports, ...events }),
    ...events,
    not_imported: [...notImportedNames(names, groups), ...omissions.list()],
  };
}

/** Returns the time zone of the page, unless it is missing or has another name than in the IANA database. */
function readTimeZone({ time_zone }: StatuspageFile['page'], { omissions }: Reading): { time_zone?: string } {
  if (!time_zone) return {};
  if (isTimeZone(time_zone)) return { time_zone };
  omissions.add('page.time_zone', 'without an equivalent');
  return {};
}

/**
 * Returns a report for each component with a status. `updated_at` is the last change of any field, so the component has had its
 * status at least since then.
 */
function readReports(components: StatuspageComponent[], { monitorIds, omissions }: Reading): Report[] {
  const now = Date.now();
  return components.flatMap(({ id, status, updated_at }) => {
    const monitor_id = monitorIds.get(id);
    if (monitor_id === undefined || !status) return [];
    const reported = reportedStatusOf(status);
    if (!reported) {
      omissions.add('components.status', 'without an equivalent');
      return [];
    }
    const time = updated_at ? timeOf(updated_at).getTime() : now;
    const observed_at = new Date(Math.min(Math.max(time, now - MAX_AGE_MS), now));
    return [{ monitor_id, status: reported, observed_at }];
  });
}

/** Returns the newest incidents and maintenance windows, both oldest first. Counts the omitted ones. */
function newest(
  incidents: ImportedIncident[],
  maintenances: NewMaintenance[],
  { omissions }: Reading,
): Required<Pick<ImportedPage, 'incidents' | 'maintenances'>> {
  const startOf = (one: ImportedIncident | NewMaintenance) =>
    ('starts_at' in one ? one.starts_at : one.started_at).getTime();
  const byStart = (one: ImportedIncident | NewMaintenance, other: ImportedIncident | NewMaintenance) =>
    startOf(one) - startOf(other);
  const kept = new Set([...incidents, ...maintenances].toSorted(byStart).slice(-MAX_EVENTS));
  const pick = <Event extends ImportedIncident | NewMaintenance>(field: string, events: Event[]) => {
    const own = events.filter((one) => kept.has(one)).toSorted(byStart);
    omissions.add(field, `beyond the newest ${MAX_EVENTS}`, events.length - own.length);
    return own;
  };
  return {
    incidents: pick('incidents', incidents),
    maintenances: pick('scheduled_maintenances', maintenances),
  };
}

// The sort is stable, so components with equal positions keep the order of the file.
function byPosition(a: StatuspageComponent, b: StatuspageComponent): number {
  return a.position - b.position;
}

/** @throws Problem 400 for duplicate IDs, unknown groups, and groups inside groups */
function requireConsistency(components: StatuspageComponent[], groupIds: ReadonlySet<string>): void {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { id, group, group_id = null }] of components.entries()) {
    const at = (field: string) => pointerTo(['components', index, field]);
    if (seen.has(id))
      errors.push({ code: 'duplicate', detail: 'must be unique in the file', pointer: at('id') });
    seen.add(id);
    if (group_id === null) continue;
    const detail = group ? 'must be null for a group' : 'must be the ID of a group in the file';
    if (group || !groupIds.has(group_id))
      errors.push({ code: 'invalid_format', detail, pointer: at('group_id') });
  }
  if (errors.length > 0) throw validationFailed(errors);
}

function unusedSectionId(groups: StatuspageComponent[]): string {
  const taken = new Set(groups.map(({ id }) => id));
  let id = UNGROUPED;
  for (let number = 2; taken.has(id); number++) id = `${UNGROUPED}-${number}`;
  return id;
}

/** Fields that were imported, that follow from others, or that identify parts of the former page. */
const USED: ReadonlySet<string> = new Set(
  `page page.name page.time_zone components.created_at components.start_date components components.id components.name components.description components.position
   components.group components.group_id components.components components.page_id components.status components.updated_at
   incidents incidents.id incidents.page_id incidents.name incidents.status incidents.impact incidents.created_at
   incidents.started_at incidents.resolved_at incidents.incident_updates incidents.components
   scheduled_maintenances scheduled_maintenances.id scheduled_maintenances.page_id scheduled_maintenances.name
   scheduled_maintenances.status scheduled_maintenances.scheduled_for scheduled_maintenances.scheduled_until
   scheduled_maintenances.resolved_at scheduled_maintenances.incident_updates
   scheduled_maintenances.components
   page.id page.url page.updated_at status status.indicator status.description incidents.updated_at incidents.shortlink
   incidents.monitoring_at scheduled_maintenances.created_at scheduled_maintenances.updated_at
   scheduled_maintenances.shortlink scheduled_maintenances.monitoring_at scheduled_maintenances.impact
   scheduled_maintenances.started_at`.split(/\s+/),
);

/** Returns the names of fields that were not imported, for the import summary. */
function notImportedNames(names: Set<string>, groups: StatuspageComponent[]): string[] {
  const unused = unusedFieldNames(names, USED);
  return groups.some(({ description }) => description)
    ? [...unused, 'components.description (of groups)']
    : unused;
}
