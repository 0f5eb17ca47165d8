import { Injectable } from '@nestjs/common';
import { DomainDirectory } from '../../domains/domain-directory.js';
import { PageUrls } from '../../domains/page-urls.js';
import { Env } from '../../platform/config/env.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import type { Site } from '../../page-model/links.js';

/** Addresses of pages: below the public URL, and on their verified domains. */
@Injectable()
export class Sites {
  constructor(
    private readonly env: Env,
    private readonly publicUrl: PublicUrl,
    private readonly pageUrls: PageUrls,
    private readonly domains: DomainDirectory,
  ) {}

  /** Returns the verified domain of a page. */
  domainOf(pageId: string): string | undefined {
    return this.domains.ofPage(pageId);
  }

  /**
   * Returns whether a page is served on a host.
   * @param host a domain; undefined: below the public URL, where every page is
   */
  serves(pageId: string, host: string | undefined): boolean {
    return host === undefined || host === this.domainOf(pageId);
  }

  /**
   * Returns where a page is served.
   * @param host the verified domain by which it is requested; undefined: below the public URL
   */
  of(pageId: string, host: string | undefined): Site {
    const { HOME_PAGE: home_page } = this.env;
    const domain_url = this.pageUrls.ofDomain(pageId);
    return {
      public_url: this.publicUrl.value,
      home_page,
      domain_url,
      is_on_domain: host !== undefined && this.serves(pageId, host),
    };
  }
}
