import type { PageDocument } from '../../page-model/page-document.js';
import type { LatestPart } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import type { FeedFormat } from '../../page-model/parts.js';
import { atom } from './atom.js';
import { type FeedData, feedData } from './entries.js';
import { jsonFeed } from './json-feed.js';
import { rss } from './rss.js';

const FORMATS: Record<FeedFormat, { type: string; write: (feed: FeedData) => string }> = {
  rss: { type: 'application/rss+xml; charset=utf-8', write: rss },
  atom: { type: 'application/atom+xml; charset=utf-8', write: atom },
  json: { type: 'application/feed+json', write: jsonFeed }, // JSON has no parameter `charset` (RFC 8259, section 11)
};

/** Renders the feed of a page in a format. */
export function feed(format: FeedFormat, latest: LatestPart, view: View): PageDocument {
  const { type, write } = FORMATS[format];
  return { type, body: write(feedData(format, latest, view)) };
}
