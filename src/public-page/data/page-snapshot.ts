import type { Snapshot } from '../../days/days.service.js';
import type { ShowingPage, ShownIncident } from '../../incidents/shown/shown-incident.js';
import type { ShownMaintenance } from '../../maintenances/shown-maintenances.repository.js';
import type { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import type { AffectedMonitor } from '../../incidents/incident-status.js';
import type { AffectedData, IncidentData, MaintenanceData, PageHead } from './page-data.js';
import { plainName, plainText } from './plain-text.js';

const MINUTE_MS = 60_000;

/** A page in one snapshot of the database. */
export interface PageSnapshot {
  readonly page: PageHead;
  readonly version: string;
  readonly now: Date;
  /** When the clock changes what the page shows. */
  readonly until: Date;
  /** For the queries of this service. */
  readonly status_page: StatusPageDto;
  readonly organization_id: string;
  readonly monitor_ids: string[];
  readonly names: ReadonlyMap<
    string,
    { name: string; description: string; created_at: Date; updated_at: Date }
  >;
  readonly snapshot: Snapshot;
}

/** The head of a page. */
export function toHead(page: StatusPageDto, as_of: Date): PageHead {
  return {
    id: page.id,
    slug: page.slug,
    name: plainName(page.name),
    description: plainText(page.description),
    accent_color: page.accent_color,
    is_public: page.is_public,
    show_powered_by: page.show_powered_by,
    show_history: page.show_history,
    history_days: page.history_days,
    rss_enabled: page.rss_enabled,
    created_at: new Date(page.created_at),
    updated_at: new Date(page.updated_at),
    as_of,
  };
}

/** The page for the queries that read what it shows. */
export function showingOf({
  page,
  organization_id,
  status_page,
  monitor_ids,
  now,
}: Pick<PageSnapshot, 'page' | 'organization_id' | 'status_page' | 'monitor_ids' | 'now'>): ShowingPage {
  return { organization_id, project_id: status_page.project_id, id: page.id, monitor_ids, now };
}

/** Incidents as the page shows them. */
export const toIncident =
  ({ names }: PageSnapshot) =>
  ({ impacts, ...incident }: ShownIncident): IncidentData => ({
    ...incident,
    title: plainName(incident.title),
    postmortem: incident.postmortem && plainText(incident.postmortem),
    updates: incident.updates.map(({ monitors, ...update }) => ({
      ...update,
      body: plainText(update.body),
      affected: monitors && toAffected(names, monitors),
    })),
    affected: toAffected(names, impacts),
  });

/** The affected monitors that are on the page. */
function toAffected(names: PageSnapshot['names'], affected: AffectedMonitor[]): AffectedData[] {
  return affected.flatMap(({ monitor_id, status }) => {
    const name = names.get(monitor_id)?.name;
    return name === undefined ? [] : [{ monitor_id, name, status }];
  });
}

/** Maintenances as the page shows them. */
export const toMaintenance =
  ({ names }: PageSnapshot) =>
  ({ monitor_ids, ...maintenance }: ShownMaintenance): MaintenanceData => ({
    ...maintenance,
    title: plainName(maintenance.title),
    body: plainText(maintenance.body),
    monitors: monitor_ids.flatMap((monitor_id) => {
      const name = names.get(monitor_id)?.name;
      return name === undefined ? [] : [{ monitor_id, name }];
    }),
  });

/** The first time; null is none. */
export function earliest(times: (Date | null)[]): Date {
  return new Date(Math.min(...times.flatMap((time) => time?.getTime() ?? [])));
}

/** The next full minute: "As of 12:34" is then wrong. Midnight, when a day begins, is one. */
export function nextMinute(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
}

/** Two lists without duplicates, the latest first. */
export function latestFirst<Item extends { id: string }>(
  latest: Item[],
  others: Item[],
  timeOf: (item: Item) => Date,
): Item[] {
  const all = new Map([...latest, ...others].map((item) => [item.id, item]));
  return [...all.values()].toSorted((a, b) => timeOf(b).getTime() - timeOf(a).getTime());
}
