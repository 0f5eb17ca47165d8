import type { MailedType } from '../events/event-types.js';
import type { IncidentData, MaintenanceData, PageHead, UpdateData } from './page-data.js';
import type { Language } from '../branding/languages.js';
import type { ImageData } from './branding.js';
import { pathOf } from './parts.js';

/** A status page, as its mail shows it. All texts are plain (`page-model/plain-text.ts`). */
export interface MailPage {
  name: string;
  slug: string;
  /** Visitors can see only public pages, so mail about others contains no links to their contents. */
  is_public: boolean;
  accent_color: string;
  language: Language;
  /** IANA name. */
  time_zone: string;
  /** Logo that mail clients can load and show: of a public page, and no SVG. */
  logo?: { image: ImageData; url: string } | undefined;
}

/**
 * Returns what mail shows of a page.
 * @param url of the page, without a trailing slash; omitted: without the logo
 */
export function toMailPage(
  { name, slug, is_public, accent_color, branding }: PageHead,
  url?: string,
): MailPage {
  const { language, time_zone, logo: image } = branding;
  const hasLogo = url !== undefined && is_public && image !== null && image.extension !== 'svg';
  const logo = hasLogo ? { image, url: url + pathOf({ kind: 'image', name: 'logo', ...image }) } : undefined;
  return { name, slug, is_public, accent_color, language, time_zone, logo };
}

/** Content of a message about an event of an incident. */
export interface IncidentSubject {
  type: MailedType<'incident'>;
  incident: Pick<IncidentData, 'id' | 'title' | 'status' | 'affected_now' | 'postmortem'>;
  /** The update that caused the event. */
  update: Pick<UpdateData, 'id' | 'status' | 'body' | 'affected' | 'posted_at'>;
}

/** Content of a message about an event of a maintenance window. */
export interface MaintenanceSubject {
  type: MailedType<'maintenance'>;
  maintenance: Pick<MaintenanceData, 'id' | 'title' | 'body' | 'starts_at' | 'ends_at' | 'monitors'>;
}

/** Links of the subscriber. */
export interface MailLinks {
  /** The resource on the page; undefined if visitors cannot see the page. */
  subject: string | undefined;
  /** Page on which the subscriber changes or ends the subscription. */
  manage: string;
}

/** A message without its recipient. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}
