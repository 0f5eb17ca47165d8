import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { unavailable } from '../../platform/problems/problem.js';
import { BoundedQueue } from '../../platform/server/bounded-queue.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import { Outage } from '../cache/outage.js';
import type { PageHead, SubscribePart } from '../data/page-data.js';
import { PageReader } from '../data/page-reader.service.js';
import { toSubscribePart } from '../data/page-snapshot.js';
import { servedLinks } from '../documents/links.js';
import { withParameter } from '../documents/parts.js';
import { requestedLanguage } from '../documents/requested-language.js';
import { type View, viewOf } from '../documents/view.js';

/** Forms and links of subscribers use one of this many pool connections. */
const POOL_SHARE = 5;
const LIMITS = { waiting: 100, waitMs: 2_000 };

/** Kinds of links in mail, as their paths name them. */
export type LinkKind = 'confirm' | 'subscription' | 'unsubscribe';

/** A status page that is rendered for one visitor, and not cached. */
export interface SubscriberPage extends ProjectRef {
  id: string;
  part: SubscribePart;
  view: View;
}

/** Reads status pages for the forms and links of subscribers. */
@Injectable()
export class SubscriberPages {
  private readonly queue: BoundedQueue;

  constructor(
    private readonly env: Env,
    private readonly reader: PageReader,
    private readonly outage: Outage,
    private readonly publicUrl: PublicUrl,
  ) {
    const running = Math.max(1, Math.floor(env.DATABASE_POOL_SIZE / POOL_SHARE));
    this.queue = new BoundedQueue({ ...LIMITS, running }, unavailable);
  }

  /**
   * Runs the statements for a visitor, at most a few at a time.
   * @throws Problem 503 `unavailable` while too many visitors wait, or the database is unavailable
   */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.queue.run(() => this.outage.guard(task));
  }

  /** Returns the path of a link, in the language that a URL requests. */
  linkTo({ part }: SubscriberPage, kind: LinkKind, token: string, url: string): string {
    const base = new URL(this.publicUrl.value).pathname.replace(/\/$/, '');
    const language = requestedLanguage(url);
    const path = `${base}/status/${part.page.slug}/${kind}/${token}`;
    return language === undefined ? path : withParameter(path, 'lang', language);
  }

  /**
   * Returns a public or private page in the language that a URL requests. Of a private page, it contains only the name, the
   * colors and the language, which its mail also shows.
   */
  async read(id: string, url: string): Promise<SubscriberPage | undefined> {
    return this.reader.read(id, async (snapshot): Promise<SubscriberPage> => {
      const part = toSubscribePart(snapshot);
      const { branding, slug, is_public } = part.page;
      const language = requestedLanguage(url);
      const other = language === branding.language ? undefined : language;
      const links = servedLinks(this.publicUrl.value, slug, undefined, this.env.HOME_PAGE, other);
      return {
        id,
        organization_id: snapshot.organization_id,
        project_id: snapshot.status_page.project_id,
        part: is_public ? part : { ...part, page: withoutContents(part.page) },
        view: viewOf(links, part.page),
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
    show_history: false,
    rss_enabled: false,
    subscribing: null,
    branding: { ...page.branding, ...none },
  };
}
