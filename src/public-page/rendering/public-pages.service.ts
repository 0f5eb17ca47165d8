import { Injectable } from '@nestjs/common';
import { renderIncident } from '../components/incident-page.js';
import { renderMaintenance } from '../components/maintenance-page.js';
import { renderMonitor } from '../components/monitor-page.js';
import { renderMonth } from '../components/month-page.js';
import { renderOverview } from '../components/overview-page.js';
import type { PageDocument, RenderedDocument } from '../documents/page-document.js';
import { badgeJson, badgeSvg } from '../feeds/badge.js';
import { calendar } from '../feeds/calendar.js';
import { feed } from '../feeds/feed.js';
import { apiDocument } from '../feeds/statuspage.js';
import type { MonthPart } from '../data/page-data.js';
import { HistoryReader } from '../data/history-reader.service.js';
import { PageReader } from '../data/page-reader.service.js';
import type { PageSnapshot } from '../data/page-snapshot.js';
import type { Links } from '../documents/links.js';
import type { Part } from '../documents/parts.js';

/** How a part is rendered. */
export interface RenderOptions {
  /** `public` (default): only if the page is public; `any`: also a private page. */
  visibility?: 'public' | 'any';
  /** The months that there are, oldest first, for the links between them; by default all. */
  months?: readonly string[];
}

/** Renders the parts of status pages. */
@Injectable()
export class PublicPagesService {
  constructor(
    private readonly reader: PageReader,
    private readonly history: HistoryReader,
  ) {}

  /**
   * Renders a part of a page.
   * @returns undefined if there is no such page or part
   */
  async render(
    pageId: string,
    part: Part,
    linksOf: (slug: string) => Links,
    { visibility = 'public', months }: RenderOptions = {},
  ): Promise<RenderedDocument | undefined> {
    return this.reader.read(pageId, async (page) => {
      if (visibility === 'public' && !page.page.is_public) return undefined;
      const document = await this.renderPart(page, part, linksOf(page.page.slug), months);
      return document && { ...document, page_id: pageId, version: page.version, until: page.until };
    });
  }

  private async renderPart(
    page: PageSnapshot,
    part: Part,
    links: Links,
    months?: readonly string[],
  ): Promise<PageDocument | undefined> {
    const { reader, history } = this;
    const { rss_enabled } = page.page;
    switch (part.kind) {
      case 'overview':
        return renderOverview(await reader.overview(page), links);
      case 'monitor':
        return renderIf(await reader.monitor(page, part.id), (data) => renderMonitor(data, links));
      case 'history':
        return renderIf(await history.month(page, part.month), (data) =>
          renderMonth(months ? among(months, data) : data, links),
        );
      case 'incident':
        return renderIf(await reader.incident(page, part.id), (data) => renderIncident(data, links));
      case 'maintenance':
        return renderIf(await reader.maintenance(page, part.id), (data) => renderMaintenance(data, links));
      case 'feed':
        return rss_enabled ? feed(part.format, await history.latest(page), links) : undefined;
      case 'calendar':
        return rss_enabled ? calendar(await history.latest(page), links) : undefined;
      case 'api':
        return apiDocument(part.document, await reader.overview(page), await history.latest(page), links);
      case 'badge': {
        const overview = await reader.overview(page);
        return part.format === 'svg' ? badgeSvg(overview) : badgeJson(overview);
      }
    }
  }
}

function renderIf<Data>(
  data: Data | undefined,
  render: (data: Data) => PageDocument,
): PageDocument | undefined {
  return data && render(data);
}

/** The same month, between its neighbors in a list of months, oldest first. */
function among(months: readonly string[], part: MonthPart): MonthPart {
  const previous = months.findLast((month) => month < part.month) ?? null;
  const next = months.find((month) => month > part.month) ?? null;
  return { ...part, previous, next };
}
