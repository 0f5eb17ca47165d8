import type {
  CurrentMonitor,
  DayIncidentData,
  IncidentData,
  MaintenanceData,
  PageHead,
  SectionData,
} from '../../page-model/page-data.js';
import type { PartData } from './render-part.js';

// Maximum times of cold code, in microseconds. Measured on one core: a monitor with 90 days 0.2 ms, 10,000 characters of
// Markdown up to 90 ms.
const MONITOR_US = 50;
const DAYS_US = 0.1; // for each character
const DAY_INCIDENT_US = 4; // for each of its days
const EVENT_US = 200;
const AFFECTED_US = 10;
const FIELD_US = 20;
const UPDATE_US = 50;
const MARKDOWN_US = 9; // for each character
const PICTURE_US = 100_000; // loads fonts

/** Maximum time of a rendering on the main thread. A longer one would delay other requests. */
const MAX_US = 10_000;

const DAY_MS = 86_400_000;

/** Returns whether a part is always rendered in a few milliseconds. */
export function isQuick(part: PartData): boolean {
  return costOf(part) <= MAX_US;
}

function costOf(part: PartData): number {
  switch (part.kind) {
    case 'overview': {
      const { page, sections, incidents, maintenances, recent, day_incidents } = part.data;
      return (
        ofSections(sections) +
        ofDayIncidents(day_incidents, page) +
        ofEvents([...incidents, ...recent.incidents], [...maintenances, ...recent.maintenances]) +
        ofTexts(incidents, maintenances) +
        ofPast(recent.incidents, recent.maintenances)
      );
    }
    case 'monitor':
      return (
        DAYS_US * part.data.monitor.days.length + ofDayIncidents(part.data.day_incidents, part.data.page)
      );
    case 'history':
      return (
        ofEvents(part.data.incidents, part.data.maintenances) +
        ofPast(part.data.incidents, part.data.maintenances)
      );
    case 'incident':
      return ofEvents([part.data.incident], []) + ofTexts([part.data.incident], []);
    case 'maintenance':
      return ofTexts([], [part.data.maintenance]);
    case 'subscribe':
      return FIELD_US * part.data.sections.flatMap(({ monitors }) => monitors).length;
    case 'feed':
    case 'calendar':
      return ofTexts(part.data.incidents, part.data.maintenances);
    case 'api': {
      const { data, latest } = part;
      const incidents = [...data.incidents, ...latest.incidents];
      return ofSections(data.sections) + ofEvents(incidents, [...data.maintenances, ...latest.maintenances]);
    }
    case 'badge':
    case 'embed':
    case 'banner':
    case 'image':
      return 0;
    case 'og-image':
      return PICTURE_US;
  }
}

function ofSections(sections: SectionData<CurrentMonitor & { days?: string }>[]): number {
  let cost = 0;
  for (const { monitors } of sections)
    for (const { days = '' } of monitors) cost += MONITOR_US + DAYS_US * days.length;
  return cost;
}

/** Returns the cost of the links from days. */
function ofDayIncidents(incidents: DayIncidentData[], { history_days, as_of }: PageHead): number {
  let days = 0;
  for (const { started_at, ended_at } of incidents)
    days += 1 + Math.min(history_days, ((ended_at ?? as_of).getTime() - started_at.getTime()) / DAY_MS);
  return (AFFECTED_US + DAY_INCIDENT_US) * incidents.length + DAY_INCIDENT_US * days;
}

function ofEvents(incidents: IncidentData[], maintenances: MaintenanceData[]): number {
  let cost = EVENT_US * (incidents.length + maintenances.length);
  for (const { affected, updates } of incidents) {
    cost += AFFECTED_US * affected.length;
    for (const update of updates) cost += UPDATE_US + AFFECTED_US * (update.affected?.length ?? 0);
  }
  for (const { monitors, updates } of maintenances)
    cost += AFFECTED_US * monitors.length + UPDATE_US * updates.length;
  return cost;
}

/** Returns the cost of the Markdown in a list of past incidents and maintenance windows, without postmortems. */
function ofPast(incidents: IncidentData[], maintenances: MaintenanceData[]): number {
  return ofTexts(
    incidents.map((incident) => ({ ...incident, postmortem: null })),
    maintenances,
  );
}

/** Returns the cost of the Markdown. */
function ofTexts(incidents: IncidentData[], maintenances: MaintenanceData[]): number {
  let characters = 0;
  for (const { updates, postmortem } of incidents) {
    characters += postmortem?.length ?? 0;
    for (const { body } of updates) characters += body.length;
  }
  for (const { body, updates } of maintenances) {
    characters += body.length;
    for (const update of updates) characters += update.body.length;
  }
  return MARKDOWN_US * characters;
}
