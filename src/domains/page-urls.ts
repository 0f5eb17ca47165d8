import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../platform/config/public-url.js';
import { DomainDirectory } from './domain-directory.js';

/** URLs of status pages: on their verified domain, or below the public URL of the server. */
@Injectable()
export class PageUrls {
  constructor(
    private readonly directory: DomainDirectory,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Returns the URL under which the parts of a page are, without a trailing slash: `https://status.acme.com`, or
   * `https://example.com/status/acme`.
   */
  of({ id, slug }: { id: string; slug: string }): string {
    return this.ofDomain(id) ?? `${this.publicUrl.value}/status/${slug}`;
  }

  /** Returns the URL of the verified domain of a page, with the scheme of the public URL. */
  ofDomain(pageId: string): string | undefined {
    const domain = this.directory.ofPage(pageId);
    return domain === undefined ? undefined : `${new URL(this.publicUrl.value).protocol}//${domain}`;
  }
}
