import { type Part, pathOf } from './parts.js';

/** The links of a document: of the server, of a preview, or of an export. */
export interface Links {
  /** A link to a part of the same page, for `href`. */
  to(part: Part): string;
  /** The absolute URL of a part, which other sites and feeds can use. */
  absolute(part: Part): string;
  /** The script of the pages, for `src`. */
  script: string;
}

/** The path of the script below the public URL. `assets` is no slug. */
export const SCRIPT_PATH = '/status/assets/page.js';

/**
 * The links of the server.
 * @param publicUrl `PUBLIC_URL`, without a slash at the end
 * @param preview the token of a preview link, which all links then have
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
