import { normalizedHost } from '../platform/server/host.js';

/** A verified domain and its page. */
export interface ServedDomain {
  domain: string;
  page_id: string;
  slug: string;
}

/** A verified domain in memory. */
export interface KnownDomain extends ServedDomain {
  is_public: boolean;
}

/** Domains by their names and by their pages. */
export class DomainMap {
  private readonly domains = new Map<string, KnownDomain>();
  private readonly ofPages = new Map<string, string>();

  get size(): number {
    return this.domains.size;
  }

  /** Returns all domains, in any order. Can be read while domains change. */
  values(): Iterable<KnownDomain> {
    return this.domains.values();
  }

  /** Returns the names of all domains. */
  names(): string[] {
    return [...this.domains.keys()];
  }

  /** Returns the domain that a `Host` header names, in any spelling. */
  get(host: string | undefined): KnownDomain | undefined {
    if (this.domains.size === 0 || host === undefined) return undefined;
    const exact = this.domains.get(host);
    if (exact) return exact;
    const name = normalizedHost(host);
    return name === undefined ? undefined : this.domains.get(name);
  }

  /** Returns the domain of a page. */
  ofPage(pageId: string): string | undefined {
    return this.ofPages.get(pageId);
  }

  /** Sets the page of a domain; undefined: it no longer has one. Returns the pages for which something has changed. */
  set(domain: string, next: KnownDomain | undefined): string[] {
    const former = this.domains.get(domain);
    if (former ? next && isEqual(former, next) : !next) return [];
    if (former && this.ofPages.get(former.page_id) === domain) this.ofPages.delete(former.page_id);
    if (next) {
      this.domains.set(domain, next);
      this.ofPages.set(next.page_id, domain);
    } else this.domains.delete(domain);
    return [...new Set([former, next].flatMap((one) => (one ? [one.page_id] : [])))];
  }
}

function isEqual(one: KnownDomain, other: KnownDomain): boolean {
  return one.page_id === other.page_id && one.slug === other.slug && one.is_public === other.is_public;
}
