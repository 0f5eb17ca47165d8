import { type Part, pathOf } from '../documents/parts.js';
import type { Content } from './content.js';

/** How long the last good copy is served while the database is unavailable: `stale-if-error` (RFC 5861). */
const MAX_AGE_MS = 86_400_000;

/** A rendered part of a page. */
export interface Copy {
  content: Content;
  slug: string;
  part: Part;
  page_id: string;
  /** The version of the page in the snapshot that it was rendered from. */
  version: string;
  /** When the clock makes it out of date, in milliseconds since 1970. */
  until: number;
  /** When it was rendered, in milliseconds since 1970. */
  rendered_at: number;
  /** When its snapshot was asked for, by `performance.now()`; 0: before this process. */
  read_at: number;
  /** When it was last served, by `performance.now()`. */
  used_at: number;
}

/** The key of a part of a page: its path below `/status/`. The month of a history is part of it, other parameters never are. */
export function keyOf(slug: string, part: Part): string {
  return slug + pathOf(part);
}

/** What is known of a public page. */
export interface HeldPage {
  id: string;
  slug: string;
  /** Its organization; of a page of which only a saved copy has been read, its id. */
  owner: string;
  version: string;
  /** When the statement with this version was sent, by `performance.now()`. */
  read_at: number;
  /** When the version was seen to have changed, by `performance.now()`. */
  changed_at: number;
}

/** Since when a copy is out of date, by `performance.now()`; undefined: it is not. */
export function staleSince(copy: Copy, page: HeldPage, now: number): number | undefined {
  const late = Date.now() - copy.until;
  const byClock = late >= 0 ? now - late : undefined;
  // A copy that was read after the version may be newer than it.
  if (copy.version === page.version || copy.read_at >= page.read_at) return byClock;
  return Math.min(page.changed_at, byClock ?? Infinity);
}

/** Whether a copy may be served while the database is unavailable. */
export function isGood({ rendered_at }: Pick<Copy, 'rendered_at'>): boolean {
  return Date.now() - rendered_at < MAX_AGE_MS;
}
