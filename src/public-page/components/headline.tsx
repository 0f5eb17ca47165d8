import type { PageHead } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import type { Sign } from '../documents/sign.js';
import { WORDS } from '../documents/words.js';
import { Shape } from './status.js';
import { Time } from './time.js';

/** Renders the headline in large type, readable from a distance. */
export function Headline({ sign, text }: { sign: Sign; text: string }) {
  return (
    <div class="headline">
      <Shape status={sign} />
      <h1>{text}</h1>
    </div>
  );
}

/** Renders the time of the last update, and a link to reload the page, which works without the script. */
export function LastUpdated({ page, href }: { page: PageHead; href: string }) {
  return (
    <p class="updated">
      <span>
        {WORDS.last_updated} <Time at={page.as_of} />
      </span>
      <a href={href}>{WORDS.reload}</a>
    </p>
  );
}

/** Renders the link from a part of the page to the overview. */
export function BackLink({ links }: { links: Links }) {
  return (
    <p class="back">
      <a href={links.to({ kind: 'overview' })}>
        <span aria-hidden="true">← </span>
        {WORDS.overview}
      </a>
    </p>
  );
}
