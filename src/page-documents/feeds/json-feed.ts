import type { Entry, FeedData } from './entries.js';

/** Renders JSON Feed 1.1 (jsonfeed.org/version/1.1). */
export function jsonFeed({
  language,
  title,
  description,
  home,
  self,
  author,
  logo,
  favicon,
  entries,
}: FeedData): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    description,
    ...(logo && { icon: logo.url }),
    ...(favicon && { favicon: favicon.url }),
    language,
    authors: [{ name: author, url: home }],
    items: entries.map(toItem),
  });
}

function toItem({ id, url, title, html, published, updated }: Entry) {
  return {
    id,
    url,
    title,
    content_html: html,
    date_published: published.toISOString(),
    date_modified: updated.toISOString(),
  };
}
