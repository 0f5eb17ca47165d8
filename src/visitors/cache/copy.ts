import { hasWords, isGuessable, type Part, partAt, pathOf, withParameter } from '../../page-model/parts.js';
import { requestedLanguage } from '../../page-model/requested-language.js';
import type { Content } from './content.js';

/** Maximum age of a saved copy that is served while the database is unavailable: `stale-if-error` (RFC 5861). */
const MAX_AGE_MS = 86_400_000;

/** Address of a page's part. */
export interface Address {
  slug: string;
  part: Part;
  /** Domain of the page, if the part is requested by the domain; undefined: below `/status/{slug}`. */
  host?: string | undefined;
}

/** A rendered part of a page. */
export interface Copy extends Address {
  content: Content;
  /** Verified domain of the page, which its absolute URLs contain. */
  domain?: string | undefined;
  page_id: string;
  /** Version of the page in the snapshot from which it was rendered. */
  version: string;
  /** Time at which it becomes out of date, in milliseconds since 1970. */
  until: number;
  /** Time of rendering, in milliseconds since 1970. */
  rendered_at: number;
  /** Time at which its snapshot was requested, from `performance.now()`; 0 if before this process. */
  read_at: number;
  /** Time at which it was last served, from `performance.now()`. */
  used_at: number;
}

/**
 * Returns the key of an address: its path below `/status/`, after the domain by which it is requested. The only query parameters
 * in it are the month of a history and the requested language.
 */
export function keyOf({ slug, part, host }: Address): string {
  return onHost(host, slug + pathOf(part));
}

/** Returns the key of the same part on a domain. Neither a domain nor a slug contains a space. */
function onHost(host: string | undefined, key: string): string {
  return host === undefined ? key : `${host} ${key}`;
}

/** Returns whether copies of a part are deleted first if there are too many: of a guessable part, or in another language than the page's. */
export function isExtra(part: Part): boolean {
  return isGuessable(part) || part.lang !== undefined;
}

const PREFIX = '/status/';

/**
 * Returns the key of the part that has this path, or undefined for the path of no part. Does not check the rest of the path.
 * @param home `HOME_PAGE`, which has no effect on a domain
 * @param host the domain by which it is requested
 */
export function visitedKey(path: string, home: string | undefined, host?: string): string | undefined {
  if (path === '/') return home;
  if (!path.startsWith(PREFIX)) return undefined;
  const key = path.slice(PREFIX.length);
  if (host !== undefined) return onHost(host, key);
  return key === home ? undefined : key; // its address is `/`
}

/**
 * Returns the key of the same part in the language that a visitor requests.
 * @param key a key without a language
 */
export function requestedKey(key: string, url: string): string {
  const language = requestedLanguage(url);
  if (language === undefined) return key;
  const [path = ''] = key.replace(/^[^/]*/, '').split('?', 1);
  const part = partAt(path);
  return part && hasWords(part) ? withParameter(key, 'lang', language) : key;
}

/** Known state of a public page. */
export interface HeldPage {
  id: string;
  slug: string;
  /** Organization of the page. If only a saved copy of the page has been read, the page ID. */
  owner: string;
  version: string;
  /** Time at which the statement with this version was sent, from `performance.now()`. */
  read_at: number;
  /** Time at which a change of the version was noticed, from `performance.now()`. */
  changed_at: number;
}

/** Returns since when a copy is out of date, from `performance.now()`, or undefined if it is up to date. */
export function staleSince(copy: Copy, page: HeldPage, now: number): number | undefined {
  const late = Date.now() - copy.until;
  const byClock = late >= 0 ? now - late : undefined;
  // If the copy was read after page.version, a different version can mean that the copy is newer.
  if (copy.version === page.version || copy.read_at >= page.read_at) return byClock;
  return Math.min(page.changed_at, byClock ?? Infinity);
}

/** Returns whether a copy may be served while the database is unavailable. */
export function isGood({ rendered_at }: Pick<Copy, 'rendered_at'>): boolean {
  return Date.now() - rendered_at < MAX_AGE_MS;
}
