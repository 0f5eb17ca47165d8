import type { IncidentData, LatestPart, MaintenanceData } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import type { FeedFormat } from '../documents/parts.js';
import { WORDS } from '../documents/words.js';
import { markdownToHtml } from '../components/markdown.js';
import { cancelledContent, maintenanceContent, updateContent } from './entry-content.js';

/** Maximum number of entries in a feed. */
const MAX_ENTRIES = 50;

/** An entry of a feed, in all formats. */
export interface Entry {
  /** Never changes, because many readers do not show a changed entry again. */
  id: string;
  url: string;
  title: string;
  html: string;
  published: Date;
  /** Time of the last change of its content. */
  updated: Date;
}

/** Data of a feed in all formats. Depends only on the content, so that the bytes change only if the content does. */
export interface FeedData {
  title: string;
  description: string;
  /** URL of the public page. */
  home: string;
  /** URL of the feed. */
  self: string;
  author: string;
  updated: Date;
  /** Newest first, at most 50. */
  entries: Entry[];
}

/**
 * Returns the data of a page's feed. There is an entry for
 *
 * - each update of an incident: `…/incidents/{id}#update-{id}`
 * - each maintenance window, from its announcement on: `…/maintenances/{id}`
 * - each update of a maintenance window: `…/maintenances/{id}#update-{id}`
 * - each cancelled window, from then on: `…/maintenances/{id}#cancelled`. It is a separate entry, because readers do not show
 *   the first one again. Start and end have no entries, because the announcement contains them.
 */
export function feedData(
  format: FeedFormat,
  { page, incidents, maintenances }: LatestPart,
  links: Links,
): FeedData {
  const entries = [...incidents.flatMap(ofIncident(links)), ...maintenances.flatMap(ofMaintenance(links))];
  const newest = entries.toSorted(byNewest).slice(0, MAX_ENTRIES);
  const title = WORDS.feed.title(page.name);
  return {
    title,
    description: page.description || title,
    home: links.absolute({ kind: 'overview' }),
    self: links.absolute({ kind: 'feed', format }),
    author: page.name,
    updated: new Date(Math.max(...[page, ...newest].map(updateTime))),
    entries: newest.map(({ html, ...entry }) => ({ ...entry, html: html() })),
  };
}

/** An entry whose content is rendered only if the feed contains it. */
type Candidate = Omit<Entry, 'html'> & { html: () => string };

const ofIncident =
  (links: Links) =>
  ({ id, title, updates }: IncidentData): Candidate[] => {
    const url = links.absolute({ kind: 'incident', id });
    return updates.map((update) => ({
      id: `${url}#update-${update.id}`,
      url: `${url}#update-${update.id}`,
      title: WORDS.feed.update(WORDS.incident_status[update.status], title),
      html: () => updateContent(update),
      published: update.posted_at,
      updated: update.updated_at,
    }));
  };

const ofMaintenance =
  (links: Links) =>
  (maintenance: MaintenanceData): Candidate[] => {
    const { id, title, status, created_at, starts_at, updated_at, ended_at } = maintenance;
    const url = links.absolute({ kind: 'maintenance', id });
    const announcement: Candidate = {
      id: url,
      url,
      title: WORDS.feed.maintenance(title),
      html: () => maintenanceContent(maintenance),
      published: created_at < starts_at ? created_at : starts_at, // a window that is recorded afterwards is not news
      updated: updated_at,
    };
    const updates = maintenance.updates.map((update): Candidate => ({
      id: `${url}#update-${update.id}`,
      url: `${url}#update-${update.id}`,
      title: WORDS.feed.maintenance_update(title),
      html: () => markdownToHtml(update.body),
      published: update.posted_at,
      updated: update.updated_at,
    }));
    if (status !== 'cancelled') return [...updates, announcement];
    const cancellation: Candidate = {
      id: `${url}#cancelled`,
      url,
      title: WORDS.feed.cancelled(title),
      html: () => cancelledContent(maintenance),
      published: ended_at,
      updated: updated_at,
    };
    return [cancellation, ...updates, announcement];
  };

function updateTime(one: { updated: Date } | { updated_at: Date }): number {
  return ('updated' in one ? one.updated : one.updated_at).getTime();
}

/** Sorts newest first. Entries with the same time are sorted by ID, so that their order is stable. */
function byNewest(a: Candidate, b: Candidate): number {
  return b.published.getTime() - a.published.getTime() || (a.id < b.id ? 1 : -1);
}
