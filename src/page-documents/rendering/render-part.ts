import type { ImageContent } from '../../branding/images.repository.js';
import type { LogoFile } from '../picture/png.js';
import { renderBanner, renderEmbed } from '../components/embed-page.js';
import { renderIncident } from '../components/incident-page.js';
import { renderMaintenance } from '../components/maintenance-page.js';
import { renderMonitor } from '../components/monitor-page.js';
import { renderMonth } from '../components/month-page.js';
import { renderOverview } from '../components/overview-page.js';
import { renderSubscribe } from '../components/subscribe-page.js';
import { type PackedMonitor, unpackMonitor, unpackOverview } from '../../page-model/packed-monitor.js';
import type {
  CurrentPart,
  IncidentPart,
  LatestPart,
  MaintenancePart,
  MonitorPart,
  MonthPart,
  Overview,
  SubscribePart,
} from '../../page-model/page-data.js';
import type { Links } from '../../page-model/links.js';
import type { AnyDocument } from '../../page-model/page-document.js';
import type { ApiDocument, FeedFormat } from '../../page-model/parts.js';
import { apiDocument } from '../feeds/statuspage.js';
import { viewOf } from '../../page-model/view.js';

/** Data of a page's part. Contains only plain objects, so that it can be sent to a thread. */
export type PartData =
  | { kind: 'overview'; data: Overview<PackedMonitor> }
  | { kind: 'monitor'; data: MonitorPart<PackedMonitor> }
  | { kind: 'history'; data: MonthPart }
  | { kind: 'incident'; data: IncidentPart }
  | { kind: 'maintenance'; data: MaintenancePart }
  | { kind: 'subscribe'; data: SubscribePart }
  | { kind: 'feed'; format: FeedFormat; data: LatestPart }
  | { kind: 'calendar'; data: LatestPart }
  | { kind: 'api'; document: ApiDocument; data: CurrentPart; latest: LatestPart }
  | { kind: 'badge'; format: 'svg' | 'json'; data: CurrentPart }
  | { kind: 'embed' | 'banner'; data: CurrentPart }
  | { kind: 'og-image'; data: CurrentPart; logo?: LogoFile | undefined }
  | { kind: 'image'; data: ImageContent };

/**
 * Renders a part of a page in the current thread. Imports the code for feeds, calendars and badges on first use, because it
 * would add 0.1 s of CPU time to the startup.
 */
export async function renderPart(part: PartData, links: Links): Promise<AnyDocument> {
  if (part.kind === 'image') return imageDocument(part.data);
  const view = viewOf(links, part.data.page);
  switch (part.kind) {
    case 'overview':
      return renderOverview(unpackOverview(part.data), view);
    case 'monitor':
      return renderMonitor({ ...part.data, monitor: unpackMonitor(part.data.monitor) }, view);
    case 'history':
      return renderMonth(part.data, view);
    case 'incident':
      return renderIncident(part.data, view);
    case 'maintenance':
      return renderMaintenance(part.data, view);
    case 'subscribe':
      return renderSubscribe(part.data, view);
    case 'embed':
      return renderEmbed(part.data, view);
    case 'banner':
      return renderBanner();
    case 'feed':
      return (await import('../feeds/feed.js')).feed(part.format, part.data, view);
    case 'calendar':
      return (await import('../feeds/calendar.js')).calendar(part.data, view);
    case 'api':
      return apiDocument(part.document, part.data, part.latest, links);
    case 'badge': {
      const { badgeJson, badgeSvg } = await import('../feeds/badge.js');
      return part.format === 'svg' ? badgeSvg(part.data, view) : badgeJson(part.data, view);
    }
    case 'og-image':
      return (await import('../picture/og-image.js')).ogImage(part.data, view);
  }
}

/** Returns a picture. Its policy allows an SVG neither to run nor to load anything, even if a browser opens its address. */
function imageDocument({ content_type, bytes }: ImageContent): AnyDocument {
  return {
    type: content_type,
    body: bytes,
    csp: "default-src 'none'; sandbox",
    cache_control: 'public, max-age=31536000, immutable',
  };
}
