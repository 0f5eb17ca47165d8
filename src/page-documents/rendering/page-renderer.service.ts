import { Injectable } from '@nestjs/common';
import { BrandingService } from '../../branding/branding.service.js';
import { HistoryReader } from '../../page-model/history-reader.service.js';
import type { MonthPart } from '../../page-model/page-data.js';
import { PageReader } from '../../page-model/page-reader.service.js';
import { type PageSnapshot, toSubscribePart } from '../../page-model/page-snapshot.js';
import type { Links, servedLinks, Site } from '../../page-model/links.js';
import type { AnyDocument, DocumentState, EncodedDocument } from '../../page-model/page-document.js';
import { isHtml, type Part } from '../../page-model/parts.js';
import { logoOf } from '../picture/picture-data.js';
import { asPng } from '../picture/png.js';
import { Pictures } from './pictures.js';
import { type PartData, renderPart } from './render-part.js';
import { RenderThreads } from './render-threads.js';

/** Options of a rendering. */
export interface RenderOptions {
  /** `public` (default) renders only public pages; `any` also renders private pages. */
  visibility?: 'public' | 'any';
  /** Existing months, oldest first, for the links between them. Default: all months. */
  months?: readonly string[];
}

/** Location of a served page. */
export interface ServedAt extends Site {
  /** Token of a preview link, which all links contain. */
  preview?: string;
  /** Token of an access link, which all links contain; in documents for programs, only the links to feeds. */
  token?: string | undefined;
  /** Whether the rules of a private page let in the visitor. */
  is_admitted?: boolean;
}

/** Time after which a picture is read again, in milliseconds. It changes only with its path. */
const IMAGE_MS = 3_600_000;

/** Renders the parts of status pages. */
@Injectable()
export class PageRenderer {
  constructor(
    private readonly reader: PageReader,
    private readonly history: HistoryReader,
    private readonly branding: BrandingService,
    private readonly threads: RenderThreads,
    private readonly pictures: Pictures,
  ) {}

  /**
   * Renders a part of a page.
   * @returns undefined if the page or part does not exist
   */
  async render(
    pageId: string,
    part: Part,
    linksOf: (slug: string) => Links,
    options?: RenderOptions,
  ): Promise<(AnyDocument & DocumentState) | undefined> {
    const found = await this.read(pageId, part, options);
    if (!found) return undefined;
    const document = await renderPart(found.data, linksOf(found.state.slug));
    const { data } = found;
    return { ...(data.kind === 'og-image' ? await asPng(document, data.logo) : document), ...found.state };
  }

  /**
   * Renders a part of a page for visitors, without blocking other requests.
   * @returns undefined if the page or part does not exist
   */
  async serve(
    pageId: string,
    part: Part,
    { preview, token: value, is_admitted, ...site }: ServedAt,
    options?: RenderOptions,
  ): Promise<(EncodedDocument & DocumentState) | undefined> {
    const found = await this.read(pageId, part, options);
    if (!found) return undefined;
    const { data, state, owner } = found;
    // The same bytes as without `lang`, with links that do not contain it.
    const isOwn = data.kind === 'image' || data.data.page.branding.language === part.lang;
    const language = isOwn ? undefined : part.lang;
    // Programs show the links of feeds to others.
    const token = value === undefined ? undefined : { value, isOnlyForFeeds: !isHtml(part) };
    const linkOptions = { preview, token, is_admitted, language };
    const links: Parameters<typeof servedLinks> = [site, state.slug, linkOptions];
    const document =
      data.kind === 'og-image'
        ? await this.pictures.render(owner, data, links)
        : await this.threads.render(owner, { part: data, links });
    return { ...document, ...state };
  }

  /**
   * Reads from one snapshot of the database. The snapshot ends before the rendering, so that the rendering holds no connection.
   */
  private async read(
    page_id: string,
    part: Part,
    { visibility = 'public', months }: RenderOptions = {},
  ): Promise<{ data: PartData; state: DocumentState; owner: string } | undefined> {
    return this.reader.read(page_id, async (page) => {
      if (visibility === 'public' && !page.page.is_public) return undefined;
      const data = await this.dataOf(page, part, months);
      const { version, now, organization_id: owner } = page;
      const until = part.kind === 'image' ? new Date(now.getTime() + IMAGE_MS) : page.until;
      return data && { data, state: { page_id, slug: page.page.slug, version, until }, owner };
    });
  }

  private async dataOf(
    page: PageSnapshot,
    part: Part,
    months?: readonly string[],
  ): Promise<PartData | undefined> {
    const { reader, history } = this;
    const { rss_enabled } = page.page;
    switch (part.kind) {
      case 'overview':
        return { kind: 'overview', data: await reader.overview(page) };
      case 'monitor': {
        const data = await reader.monitor(page, part.id);
        return data && { kind: 'monitor', data };
      }
      case 'history': {
        const data = await history.month(page, part.month);
        return data && { kind: 'history', data: months ? among(months, data) : data };
      }
      case 'incident': {
        const data = await reader.incident(page, part.id);
        return data && { kind: 'incident', data };
      }
      case 'maintenance': {
        const data = await reader.maintenance(page, part.id);
        return data && { kind: 'maintenance', data };
      }
      case 'subscribe':
        return page.page.subscribing === null ? undefined : { ...part, data: toSubscribePart(page) };
      case 'feed':
        return rss_enabled ? { ...part, data: await history.latest(page) } : undefined;
      case 'calendar':
        return rss_enabled ? { ...part, data: await history.latest(page) } : undefined;
      case 'api':
        return { ...part, data: await reader.current(page), latest: await history.latest(page) };
      case 'og-image': {
        const logo = logoOf(page.page);
        const file = logo && (await this.imageOf(page, { ...logo, name: 'logo' }));
        const data = await reader.current(page);
        return { ...part, data, logo: logo && file ? { ...logo, bytes: file.bytes } : undefined };
      }
      case 'badge':
      case 'embed':
      case 'banner':
        return { ...part, data: await reader.current(page) };
      case 'image': {
        const data = await this.imageOf(page, part);
        return data && { kind: 'image', data };
      }
    }
  }

  private async imageOf(
    { organization_id, page: { id }, snapshot }: PageSnapshot,
    image: Parameters<BrandingService['imageOf']>[1],
  ) {
    return this.branding.imageOf({ organization_id, status_page_id: id }, image, snapshot.manager);
  }
}

/** Returns the same month, with its neighbors from a list of months, oldest first. */
function among(months: readonly string[], part: MonthPart): MonthPart {
  const previous = months.findLast((month) => month < part.month) ?? null;
  const next = months.find((month) => month > part.month) ?? null;
  return { ...part, previous, next };
}
