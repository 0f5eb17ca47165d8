import type { Language } from '../../branding/languages.js';
import { pagePath } from '../../status-pages/page-path.js';
import { hasWords, type Part, pathOf, withParameter } from './parts.js';

/** Links of a document: on the server, in a preview, or in an export. */
export interface Links {
  /** Returns a link to a part of the same page, for `href`. */
  to(part: Part): string;
  /** Returns the absolute URL of a part, for other sites and feeds. */
  absolute(part: Part): string;
  /** Script of the pages, for `src`. */
  script: string;
  /** Whether forms can be sent. An export contains no forms. */
  hasForms: boolean;
  /** Language that the visitor has requested, which all links keep; undefined: the language of the page. */
  language?: Language | undefined;
  /** Returns the links of the same document in another language; undefined: in the language of the page. Exports have only that. */
  in?: (language: Language | undefined) => Links;
}

/** Path of the script below the public URL. `assets` is not a valid slug. */
export const SCRIPT_PATH = '/status/assets/page.js';

/**
 * Returns the path of a part on the server, with its query.
 * @param home `HOME_PAGE`
 */
export function servedPath(slug: string, part: Part, home: string | undefined): string {
  return (part.kind === 'overview' ? pagePath(slug, home) : `/status/${slug}`) + pathOf(part);
}

/**
 * Returns the links of the server.
 * @param publicUrl `PUBLIC_URL`, without a trailing slash
 * @param preview the token of a preview link, which is added to all links
 * @param home `HOME_PAGE`
 * @param language the requested language, if it is not the language of the page
 */
export function servedLinks(
  publicUrl: string,
  slug: string,
  preview?: string,
  home?: string,
  language?: Language,
): Links {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const to = (part: Part) => {
    const path = servedPath(slug, hasWords(part) ? { ...part, lang: language } : part, home);
    return preview === undefined ? path : withParameter(path, 'preview', preview);
  };
  return {
    to: (part) => base + to(part),
    absolute: (part) => publicUrl + to(part),
    script: base + SCRIPT_PATH,
    hasForms: true,
    language,
    in: (other) => servedLinks(publicUrl, slug, preview, home, other),
  };
}
