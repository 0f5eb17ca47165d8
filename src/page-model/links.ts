import type { Language } from '../branding/languages.js';
import { pagePath } from '../status-pages/page-path.js';
import { hasWords, type Part, pathOf, withParameter } from './parts.js';

/** Links of a document: on the server, in a preview, or in an export. */
export interface Links {
  /** Returns a link to a part of the same page, for `href`. */
  to(part: Part): string;
  /** Returns the absolute URL of a part, for other sites and feeds: on the verified domain of the page, if it has one. */
  absolute(part: Part): string;
  /** Script of the pages, for `src`. */
  script: string;
  /** Whether forms can be sent. An export contains no forms. */
  hasForms: boolean;
  /** Whether the rules of a private page let in the visitor, who can then subscribe to it. */
  isAdmitted?: boolean | undefined;
  /** Language that the visitor has requested, which all links keep; undefined: the language of the page. */
  language?: Language | undefined;
  /** Returns the links of the same document in another language; undefined: in the language of the page. Exports have only that. */
  in?: (language: Language | undefined) => Links;
}

/** Path of the script below the public URL. `assets` is not a valid slug. */
export const SCRIPT_PATH = '/status/assets/page.js';

/** Address at which the server serves a page. Contains only plain values, so that it can be sent to a thread. */
export interface Site {
  /** `PUBLIC_URL`, without a trailing slash. */
  public_url: string;
  /** `HOME_PAGE`. */
  home_page?: string | undefined;
  /** URL of the verified domain of the page, without a trailing slash. */
  domain_url?: string | undefined;
  /** Whether the document is requested by the domain, so that its links stay there. */
  is_on_domain?: boolean;
}

/** Options of links. */
export interface LinkOptions {
  /** Token of a preview link, which is added to all links. */
  preview?: string | undefined;
  /** Token of an access link, which is added to all links, or only to those to feeds. */
  token?: { value: string; isOnlyForFeeds: boolean } | undefined;
  /** Whether the rules of a private page let in the visitor. */
  is_admitted?: boolean | undefined;
  /** The requested language, if it is not the language of the page. */
  language?: Language | undefined;
}

/**
 * Returns the path of a part on the server, with its query.
 * @param home `HOME_PAGE`
 */
export function servedPath(slug: string, part: Part, home: string | undefined): string {
  return (part.kind === 'overview' ? pagePath(slug, home) : `/status/${slug}`) + pathOf(part);
}

/** Returns the path of a part on the domain of its page, with its query. */
function domainPath(part: Part): string {
  const path = pathOf(part);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Returns the path of a page, without a trailing slash: `/status/{slug}` below the public URL, or empty on its domain. */
export function pathOfSite({ public_url, is_on_domain = false }: Site, slug: string): string {
  return is_on_domain ? '' : `${new URL(public_url).pathname.replace(/\/$/, '')}/status/${slug}`;
}

/** Returns the URL of a page on the host by which it is requested, without a trailing slash. */
export function urlOfSite({ public_url, domain_url, is_on_domain = false }: Site, slug: string): string {
  return is_on_domain && domain_url !== undefined ? domain_url : `${public_url}/status/${slug}`;
}

/** Returns the links of the server. */
export function servedLinks(site: Site, slug: string, options: LinkOptions = {}): Links {
  const { public_url, home_page, domain_url, is_on_domain = false } = site;
  const { preview, token, is_admitted, language } = options;
  const base = is_on_domain ? '' : new URL(public_url).pathname.replace(/\/$/, '');
  const inLanguage = (part: Part) => (hasWords(part) ? { ...part, lang: language } : part);
  const withPreview = (path: string) =>
    preview === undefined ? path : withParameter(path, 'preview', preview);
  const withToken = (path: string, { kind }: Part) =>
    token === undefined || (token.isOnlyForFeeds && kind !== 'feed')
      ? path
      : withParameter(path, 'token', token.value);
  const belowSlug = (part: Part) => withPreview(servedPath(slug, inLanguage(part), home_page));
  const onDomain = (part: Part) => withPreview(domainPath(inLanguage(part)));
  const to = (part: Part) => withToken(is_on_domain ? onDomain(part) : base + belowSlug(part), part);
  const absolute = (part: Part) =>
    withToken(domain_url === undefined ? public_url + belowSlug(part) : domain_url + onDomain(part), part);
  return {
    to,
    absolute,
    script: base + SCRIPT_PATH,
    hasForms: true,
    isAdmitted: is_admitted,
    language,
    in: (other) => servedLinks(site, slug, { ...options, language: other }),
  };
}
