import type { PageHead } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { linksByLanguage } from './language-nav.js';
import { FEED_FORMATS, type FeedFormat, OG_IMAGE_SIZE, type Part } from '../../page-model/parts.js';

const FEED_TYPES: Record<FeedFormat, string> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

interface Props {
  page: PageHead;
  view: View;
  part: Part;
  title: string;
}

/** Renders metadata for search engines, feed readers and link previews. Empty for a private page. */
export function HeadLinks({ page, view, part, title }: Props) {
  if (!page.is_public) return <meta name="robots" content="noindex" />;
  const url = view.links.absolute(part);
  return (
    <>
      {page.description !== '' && <meta name="description" content={page.description} />}
      <link rel="canonical" href={url} />
      {linksByLanguage(page, view).map(([language, links]) => (
        <link rel="alternate" hreflang={language} href={links.absolute(part)} />
      ))}
      {view.links.in && (
        <link rel="alternate" hreflang="x-default" href={view.links.in(undefined).absolute(part)} />
      )}
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:site_name" content={page.name} />
      <meta property="og:url" content={url} />
      {page.description !== '' && <meta property="og:description" content={page.description} />}
      <meta property="og:image" content={view.links.absolute({ kind: 'og-image' })} />
      <meta property="og:image:width" content={String(OG_IMAGE_SIZE.width)} />
      <meta property="og:image:height" content={String(OG_IMAGE_SIZE.height)} />
      <meta property="og:image:alt" content={view.words.feed.title(page.name)} />
      <meta name="twitter:card" content="summary_large_image" />
      {page.rss_enabled &&
        FEED_FORMATS.map((format) => (
          <link
            rel="alternate"
            type={FEED_TYPES[format]}
            title={`${page.name} (${view.words.feeds[format]})`}
            href={view.links.to({ kind: 'feed', format })}
          />
        ))}
    </>
  );
}
