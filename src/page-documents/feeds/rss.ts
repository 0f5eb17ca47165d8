import type { Entry, FeedData } from './entries.js';
import { xmlDocument } from './xml-document.js';

/** Formats that RSS 2.0 allows. */
const RSS_IMAGES = new Set(['image/png', 'image/jpeg']);

/**
 * Renders RSS 2.0, with `atom:link rel="self"` as the RSS Advisory Board recommends. The content of an item is in
 * `description`.
 */
export function rss({ language, title, description, home, self, logo, updated, entries }: FeedData): string {
  return xmlDocument({
    rss: {
      '@version': '2.0',
      '@xmlns:atom': 'http://www.w3.org/2005/Atom',
      channel: {
        title: toTitle(title),
        link: home,
        description: toHtml(description),
        language,
        lastBuildDate: rfc822(updated),
        ...(logo &&
          RSS_IMAGES.has(logo.content_type) && {
            image: { url: logo.url, title: toTitle(title), link: home },
          }),
        'atom:link': { '@rel': 'self', '@type': 'application/rss+xml', '@href': self },
        item: entries.map(toItem),
      },
    },
  });
}

function toItem({ id, url, title, html, published }: Entry) {
  return {
    title: toTitle(title),
    link: url,
    guid: { '@isPermaLink': 'false', '#': id },
    pubDate: rfc822(published),
    description: html,
  };
}

/** Converts text to HTML for descriptions. */
function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Escapes a title. Some readers interpret titles as text, others as HTML, because RSS does not specify it. Only the start of a
 * tag is escaped, so that other titles look the same in both: `R&D` and `a < b`.
 */
function toTitle(text: string): string {
  return text.replaceAll(/<(?=[a-z/!?])/gi, '&lt;');
}

/** Formats a time as `Sat, 21 Nov 2026 10:05:00 GMT`: RFC 822 with a year of four digits, as RSS 2.0 prefers. */
function rfc822(time: Date): string {
  return time.toUTCString();
}
