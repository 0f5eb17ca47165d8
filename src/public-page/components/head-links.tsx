import type { PageHead } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import { FEED_FORMATS, type FeedFormat, OG_IMAGE_SIZE, type Part } from '../documents/parts.js';
import { WORDS } from '../documents/words.js';

const FEED_TYPES: Record<FeedFormat, string> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

interface Props {
  page: PageHead;
  links: Links;
  part: Part;
  title: string;
}

/** Renders metadata for search engines, feed readers and link previews. Empty for a private page. */
export function HeadLinks({ page, links, part, title }: Props) {
  if (!page.is_public) return <meta name="robots" content="noindex" />;
  const url = links.absolute(part);
  return (
    <>
      {page.description !== '' && <meta name="description" content={page.description} />}
      <link rel="canonical" href={url} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:site_name" content={page.name} />
      <meta property="og:url" content={url} />
      {page.description !== '' && <meta property="og:description" content={page.description} />}
      <meta property="og:image" content={links.absolute({ kind: 'og-image' })} />
      <meta property="og:image:width" content={String(OG_IMAGE_SIZE.width)} />
      <meta property="og:image:height" content={String(OG_IMAGE_SIZE.height)} />
      <meta property="og:image:alt" content={WORDS.feed.title(page.name)} />
      <meta name="twitter:card" content="summary_large_image" />
      {page.rss_enabled &&
        FEED_FORMATS.map((format) => (
          <link
            rel="alternate"
            type={FEED_TYPES[format]}
            title={`${page.name} (${WORDS.feeds[format]})`}
            href={links.to({ kind: 'feed', format })}
          />
        ))}
    </>
  );
}
