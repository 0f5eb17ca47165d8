import type { Entry, FeedData } from './entries.js';
import { xmlDocument } from './xml-document.js';

/** Renders Atom (RFC 4287). */
export function atom({
  id,
  language,
  title,
  description,
  home,
  self,
  author,
  logo,
  favicon,
  updated,
  entries,
}: FeedData): string {
  return xmlDocument({
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      '@xml:lang': language,
      id,
      title,
      subtitle: description,
      updated: updated.toISOString(),
      author: { name: author },
      ...(favicon && { icon: favicon.url }),
      ...(logo && { logo: logo.url }),
      link: [
        { '@rel': 'alternate', '@type': 'text/html', '@href': home },
        { '@rel': 'self', '@type': 'application/atom+xml', '@href': self },
      ],
      entry: entries.map(toEntry),
    },
  });
}

function toEntry({ id, url, title, html, published, updated }: Entry) {
  return {
    id,
    title,
    link: { '@rel': 'alternate', '@type': 'text/html', '@href': url },
    published: published.toISOString(),
    updated: updated.toISOString(),
    content: { '@type': 'html', '#': html },
  };
}
