import type { Branding } from '../branding/branding-values.js';
import type { Snapshot } from '../summaries/days/days.service.js';
import type { ShowingPage, ShownIncident } from '../incidents/shown/shown-incident.js';
import type { ShownMaintenance } from '../maintenances/shown-maintenances.repository.js';
import type { StatusPageDto } from '../status-pages/dto/status-page.dto.js';
import type { AffectedMonitor } from '../incidents/incident-status.js';
import type { StatusPageSummaryDto } from '../summaries/dto/status-page-summary.dto.js';
import type {
  AffectedData,
  IncidentData,
  MaintenanceData,
  MonitorData,
  PageHead,
  SectionData,
  SubscribePart,
} from './page-data.js';
import { plainName, plainText } from './plain-text.js';
import { toPageBranding } from './branding.js';

const MINUTE_MS = 60_000;

interface NamedMonitor {
  name: string;
  description: string;
  created_at: Date;
  updated_at: Date;
}

/** A page in one snapshot of the database. */
export interface PageSnapshot {
  readonly page: PageHead;
  readonly version: string;
  readonly now: Date;
  /** Time at which the contents of the page change without a write. */
  readonly until: Date;
  /** Page in the format for queries of this service. */
  readonly status_page: StatusPageDto;
  readonly organization_id: string;
  readonly monitor_ids: string[];
  readonly names: ReadonlyMap<string, NamedMonitor>;
  readonly snapshot: Snapshot;
}

/**
 * Returns the head of a page.
 * @param canSendMail whether the service can send mail
 */
export function toHead(page: StatusPageDto, branding: Branding, as_of: Date, canSendMail: boolean): PageHead {
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
    subscribing: subscribingTo(page, canSendMail),
    created_at: new Date(page.created_at),
    updated_at: new Date(page.updated_at),
    branding: toPageBranding(branding),
    as_of,
  };
}

function subscribingTo(
  { subscribe_enabled, rss_enabled }: StatusPageDto,
  canSendMail: boolean,
): PageHead['subscribing'] {
  if (!subscribe_enabled) return null;
  if (canSendMail) return 'mail';
  return rss_enabled ? 'feeds' : null;
}

/** Returns the names and descriptions of monitors as plain text, by ID. */
export function toNames(monitors: readonly (NamedMonitor & { id: string })[]): PageSnapshot['names'] {
  return new Map(
    monitors.map(({ id, name, description, ...times }) => [
      id,
      { ...times, name: plainName(name), description: plainText(description) },
    ]),
  );
}

/** Returns the sections of a summary with the names of their monitors. */
export function toSections(
  { names }: Pick<PageSnapshot, 'names'>,
  { sections }: Pick<StatusPageSummaryDto, 'sections'>,
): SectionData<Omit<MonitorData, 'days'>>[] {
  return sections.map(({ id, title, status, counts, monitors }) => ({
    id,
    title: plainName(title),
    status,
    counts,
    monitors: monitors.flatMap(({ monitor_id, status: own, uptime, observed_seconds }) => {
      const named = names.get(monitor_id);
      return named ? [{ monitor_id, ...named, status: own, uptime, observed_seconds }] : [];
    }),
  }));
}

/** Returns the ways to subscribe to a page, and its monitors, each in the first section that contains it. */
export function toSubscribePart({ page, status_page, names }: PageSnapshot): SubscribePart {
  const rest = new Map(names);
  const sections = status_page.sections.map(({ title, monitor_ids }) => ({
    title: plainName(title),
    monitors: monitor_ids.flatMap((monitor_id) => {
      const name = rest.get(monitor_id)?.name;
      rest.delete(monitor_id);
      return name === undefined ? [] : [{ monitor_id, name }];
    }),
  }));
  return { page, sections: sections.filter(({ monitors }) => monitors.length > 0) };
}

/** Returns the page in the format for queries of its incidents and maintenance windows. */
export function showingOf({
  page,
  organization_id,
  status_page,
  monitor_ids,
  now,
}: Pick<PageSnapshot, 'page' | 'organization_id' | 'status_page' | 'monitor_ids' | 'now'>): ShowingPage {
  return { organization_id, project_id: status_page.project_id, id: page.id, monitor_ids, now };
}

/** Returns a function that converts incidents to the format of the page. */
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
    affected_now: toAffected(
      names,
      impacts.flatMap(({ monitor_id, current_status: status }) =>
        status === null || status === 'operational' ? [] : [{ monitor_id, status }],
      ),
    ),
  });

/** Returns the affected monitors that are on the page. */
function toAffected(names: PageSnapshot['names'], affected: AffectedMonitor[]): AffectedData[] {
  return affected.flatMap(({ monitor_id, status }) => {
    const name = names.get(monitor_id)?.name;
    return name === undefined ? [] : [{ monitor_id, name, status }];
  });
}

/** Returns a function that converts maintenance windows to the format of the page. */
export const toMaintenance =
  ({ names }: PageSnapshot) =>
  ({ monitor_ids, ...maintenance }: ShownMaintenance): MaintenanceData => ({
    ...maintenance,
    title: plainName(maintenance.title),
    body: plainText(maintenance.body),
    updates: maintenance.updates.map((update) => ({ ...update, body: plainText(update.body) })),
    monitors: monitor_ids.flatMap((monitor_id) => {
      const name = names.get(monitor_id)?.name;
      return name === undefined ? [] : [{ monitor_id, name }];
    }),
  });

/** Returns the earliest time; ignores null. */
export function earliest(times: (Date | null)[]): Date {
  return new Date(Math.min(...times.flatMap((time) => time?.getTime() ?? [])));
}

/** Returns the next full minute, when "As of 12:34" becomes wrong. This includes midnight, when a day begins. */
export function nextMinute(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
}

/** Merges two lists without duplicates, latest first. */
export function latestFirst<Item extends { id: string }>(
  latest: Item[],
  others: Item[],
  timeOf: (item: Item) => Date,
): Item[] {
  const all = new Map([...latest, ...others].map((item) => [item.id, item]));
  return [...all.values()].toSorted((a, b) => timeOf(b).getTime() - timeOf(a).getTime());
}
