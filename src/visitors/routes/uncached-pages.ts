import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Place } from '../../platform/server/fair-queue.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import { Sites } from '../cache/sites.js';
import { SharedReadings, VisitorTurns } from '../cache/visitor-turns.js';
import type { PageHead, SubscribePart } from '../../page-model/page-data.js';
import { PageReader } from '../../page-model/page-reader.service.js';
import { toSubscribePart } from '../../page-model/page-snapshot.js';
import { pathOfSite, servedLinks, urlOfSite } from '../../page-model/links.js';
import { withParameter } from '../../page-model/parts.js';
import { requestedLanguage } from '../../page-model/requested-language.js';
import { type View, viewOf } from '../../page-model/view.js';

/** Kinds of links in mail, as their paths name them. */
export type LinkKind = 'confirm' | 'subscription' | 'unsubscribe';

/** A status page that is rendered for one visitor, and not cached. */
export interface VisitorPage extends ProjectRef {
  id: string;
  part: SubscribePart;
  view: View;
  /** Path of the page, without a trailing slash. */
  path: string;
  /** URL of the page on the host by which it is requested, without a trailing slash. */
  url: string;
}

/** A request of a visitor. */
export interface Visit {
  /** Path and query, below `/status/{slug}`. */
  url: string;
  /** Domain by which the page is requested. */
  host: string | undefined;
}

/** Returns the request of a visitor. */
export function visitOf({ originalUrl: url, domain }: Request): Visit {
  return { url, host: domain?.domain };
}

/** Reads status pages for the forms and links of visitors: to subscribe, and to enter private pages. */
@Injectable()
export class UncachedPages {
  private readonly readings: SharedReadings<VisitorPage | undefined>;

  constructor(
    private readonly turns: VisitorTurns,
    private readonly reader: PageReader,
    private readonly sites: Sites,
  ) {
    this.readings = new SharedReadings(turns);
  }

  /**
   * Runs the statements for a visitor in their turn. They must not wait for another turn.
   * @throws Problem 503 `unavailable` while too many visitors of the page wait, or the database is unavailable
   */
  async run<Result>(place: Place, task: () => Promise<Result>): Promise<Result> {
    return this.turns.run(place, task);
  }

  /**
   * Reads a page as {@link read} for visitors who are not admitted, in their turn. Those who wait for the same page share a reading.
   * @throws Problem 503 `unavailable` as {@link run}
   */
  async readForAll(place: Place, id: string, visit: Visit): Promise<VisitorPage | undefined> {
    const key = [place.rank, id, visit.host, requestedLanguage(visit.url)].join(' ');
    return this.readings.run(key, place, () => this.read(id, visit));
  }

  /** Returns whether a page is served on the host that a visitor requests. A domain in memory can have its former slug for a second. */
  serves(id: string, { host }: Visit): boolean {
    return this.sites.serves(id, host);
  }

  /** Returns the path of a link, in the language that the visitor requests. */
  linkTo(page: VisitorPage, kind: LinkKind, token: string, { url }: Visit): string {
    const language = requestedLanguage(url);
    const path = `${page.path}/${kind}/${token}`;
    return language === undefined ? path : withParameter(path, 'lang', language);
  }

  /**
   * Returns a public or private page in the language that the visitor requests. Of a private page, it contains only the name, the
   * colors and the language, which its mail also shows.
   * @param admitted for visitors who may see the private page: everything, with links that contain the token of an access link
   */
  async read(
    id: string,
    { url, host }: Visit,
    admitted?: { token?: string | undefined },
  ): Promise<VisitorPage | undefined> {
    return this.reader.read(id, async (snapshot): Promise<VisitorPage> => {
      const part = toSubscribePart(snapshot);
      const { branding, slug, is_public } = part.page;
      const language = requestedLanguage(url);
      const other = language === branding.language ? undefined : language;
      const site = this.sites.of(id, host);
      const value = admitted?.token;
      const token = value === undefined ? undefined : { value, isOnlyForFeeds: false };
      const options = { language: other, token, is_admitted: admitted !== undefined };
      return {
        id,
        organization_id: snapshot.organization_id,
        project_id: snapshot.status_page.project_id,
        part: is_public || admitted ? part : { ...part, page: withoutContents(part.page) },
        view: viewOf(servedLinks(site, slug, options), part.page),
        path: pathOfSite(site, slug),
        url: urlOfSite(site, slug),
      };
    });
  }
}

function withoutContents(page: PageHead): PageHead {
  const none = {
    website_url: null,
    support_url: null,
    links: [],
    logo: null,
    logo_dark: null,
    favicon: null,
  };
  return {
    ...page,
    description: '',
    show_powered_by: false,
    show_history: false,
    rss_enabled: false,
    subscribing: null,
    branding: { ...page.branding, ...none },
  };
}
