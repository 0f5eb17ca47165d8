import type { IncidentData, LatestPart, MaintenanceData, UpdateData } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import type { FeedFormat, ImageName } from '../../page-model/parts.js';
import type { ImageData } from '../../page-model/branding.js';
import { markdownToHtml } from '../components/markdown.js';
import { cancelledContent, maintenanceContent, updateContent } from './entry-content.js';

/** Maximum number of entries in a feed. */
const MAX_ENTRIES = 50;

/** An entry of a feed, in all formats. */
export interface Entry {
  /** A URN (RFC 9562). Never changes, also if the slug, the domain or PUBLIC_URL does, because readers show an entry with another ID again. */
  id: string;
  url: string;
  title: string;
  html: string;
  published: Date;
  /** Time of the last change of its content. */
  updated: Date;
}

/** A picture of a feed. */
export interface FeedImage {
  url: string;
  content_type: string;
}

/** Data of a feed in all formats. Depends only on the content, so that the bytes change only if the content does. */
export interface FeedData {
  /** BCP 47. */
  language: string;
  /** Identifies the feed, like the IDs of entries. */
  id: string;
  title: string;
  description: string;
  /** URL of the public page. */
  home: string;
  /** URL of the feed. */
  self: string;
  author: string;
  /** Pictures of the company; null: none. */
  logo: FeedImage | null;
  favicon: FeedImage | null;
  updated: Date;
  /** Newest first, at most 50. */
  entries: Entry[];
}

/**
 * Returns the data of a page's feed. There is an entry for
 *
 * - each update of an incident: `urn:uuid:{id}#update-{id}`
 * - each maintenance window, from its announcement on: `urn:uuid:{id}`
 * - each update of a maintenance window: `urn:uuid:{id}#update-{id}`
 * - each cancelled window, from then on: `urn:uuid:{id}#cancelled`. It is a separate entry, because readers do not show
 *   the first one again. Start and end have no entries, because the announcement contains them.
 */
export function feedData(format: FeedFormat, latest: LatestPart, view: View): FeedData {
  const { page, incidents, maintenances } = latest;
  const entries = [...incidents.flatMap(ofIncident(view)), ...maintenances.flatMap(ofMaintenance(view))];
  const newest = entries.toSorted(byNewest).slice(0, MAX_ENTRIES);
  const title = view.words.feed.title(page.name);
  return {
    language: view.words.language,
    id: urnOf(page.id),
    title,
    description: page.description || title,
    home: view.links.absolute({ kind: 'overview' }),
    self: view.links.absolute({ kind: 'feed', format }),
    author: page.name,
    logo: toImage('logo', page.branding.logo, view),
    favicon: toImage('favicon', page.branding.favicon, view),
    updated: new Date(Math.max(...[page, ...newest].map(updateTime))),
    entries: newest.map(({ html, ...entry }) => ({ ...entry, html: html() })),
  };
}

function toImage(name: ImageName, image: ImageData | null, { links }: View): FeedImage | null {
  if (!image) return null;
  const { hash, extension, content_type } = image;
  return { url: links.absolute({ kind: 'image', name, hash, extension }), content_type };
}

/** Time after the end of an incident in which its updates are news. */
const NEWS_MS = 3_600_000;

/** An entry whose content is rendered only if the feed contains it. */
type Candidate = Omit<Entry, 'html'> & { html: () => string };

const ofIncident =
  (view: View) =>
  ({ id, title, updates, resolved_at }: IncidentData): Candidate[] => {
    const url = view.links.absolute({ kind: 'incident', id });
    return updates.map((update) => ({
      id: `${urnOf(id)}#update-${update.id}`,
      url: `${url}#update-${update.id}`,
      title: view.words.feed.update(view.words.incident_status[update.status], title),
      html: () => updateContent(view, update),
      published: publishedAt(update, resolved_at),
      updated: update.updated_at,
    }));
  };

/**
 * Returns when an update became visible, because feed readers pass over items with an old date. An update that was recorded long
 * after the end of its incident is not news, and has the time at which it took effect.
 */
function publishedAt({ posted_at, created_at }: UpdateData, resolved_at: Date | null): Date {
  const isNews = resolved_at === null || created_at.getTime() <= resolved_at.getTime() + NEWS_MS;
  return isNews && created_at > posted_at ? created_at : posted_at;
}

const ofMaintenance =
  (view: View) =>
  (maintenance: MaintenanceData): Candidate[] => {
    const { id, title, status, created_at, starts_at, updated_at, ended_at } = maintenance;
    const [url, own] = [view.links.absolute({ kind: 'maintenance', id }), urnOf(id)];
    const announcement: Candidate = {
      id: own,
      url,
      title: view.words.feed.maintenance(title),
      html: () => maintenanceContent(view, maintenance),
      published: created_at < starts_at ? created_at : starts_at, // a window that is recorded afterwards is not news
      updated: updated_at,
    };
    const updates = maintenance.updates.map((update): Candidate => ({
      id: `${own}#update-${update.id}`,
      url: `${url}#update-${update.id}`,
      title: view.words.feed.maintenance_update(title),
      html: () => markdownToHtml(update.body),
      published: update.posted_at,
      updated: update.updated_at,
    }));
    if (status !== 'cancelled') return [...updates, announcement];
    const cancellation: Candidate = {
      id: `${own}#cancelled`,
      url,
      title: view.words.feed.cancelled(title),
      html: () => cancelledContent(view, maintenance),
      published: ended_at,
      updated: updated_at,
    };
    return [cancellation, ...updates, announcement];
  };

function urnOf(id: string): string {
  return `urn:uuid:${id}`;
}

function updateTime(one: { updated: Date } | { updated_at: Date }): number {
  return ('updated' in one ? one.updated : one.updated_at).getTime();
}

/** Sorts newest first. Entries with the same time are sorted by ID, so that their order is stable. */
function byNewest(a: Candidate, b: Candidate): number {
  return b.published.getTime() - a.published.getTime() || (a.id < b.id ? 1 : -1);
}
