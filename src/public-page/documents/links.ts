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
 * Returns the links of the server.
 * @param publicUrl `PUBLIC_URL`, without a trailing slash
 * @param preview the token of a preview link, which is added to all links
 */
export function servedLinks(publicUrl: string, slug: string, preview?: string): Links {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const to = (part: Part) => {
    const path = `/status/${slug}${pathOf(part)}`;
    return preview === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}preview=${preview}`;
  };
  return {
    to: (part) => base + to(part),
    absolute: (part) => publicUrl + to(part),
    script: base + SCRIPT_PATH,
  };
}
