import { pagePath } from '../../status-pages/page-path.js';
import { type Part, pathOf } from './parts.js';

/** Links of a document: on the server, in a preview, or in an export. */
export interface Links {
  /** Returns a link to a part of the same page, for `href`. */
  to(part: Part): string;
  /** Returns the absolute URL of a part, for other sites and feeds. */
  absolute(part: Part): string;
  /** Script of the pages, for `src`. */
  script: string;
}

/** Path of the script below the public URL. `assets` is not a valid slug. */
export const SCRIPT_PATH = '/status/assets/page.js';

/**
 * Returns the path of a part on the server, with its query.
 * @param home `HOME_PAGE`
 */
export function servedPath(slug: string, part: Part, home: string | undefined): string {
  return part.kind === 'overview' ? pagePath(slug, home) : `/status/${slug}${pathOf(part)}`;
}

/**
 * Returns the links of the server.
 * @param publicUrl `PUBLIC_URL`, without a trailing slash
 * @param preview the token of a preview link, which is added to all links
 * @param home `HOME_PAGE`
 */
export function servedLinks(publicUrl: string, slug: string, preview?: string, home?: string): Links {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const to = (part: Part) => {
    const path = servedPath(slug, part, home);
    return preview === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}preview=${preview}`;
  };
  return {
    to: (part) => base + to(part),
    absolute: (part) => publicUrl + to(part),
    script: base + SCRIPT_PATH,
  };
}
